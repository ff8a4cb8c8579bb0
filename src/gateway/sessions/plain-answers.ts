// Answers as nearly all clients send them, read in one pass over the bytes of a body: parsing the JSON, holding it to its
// schema and making messages of it take three times as long. Whatever is not plain takes that way, so that both always
// read the same, and errors are those of the schema.
import { getOption } from "@bufbuild/protobuf";
import { QuestionType, QuestionTypeSchema } from "../../gen/assessment/v1/assessment_pb.ts";
import { json } from "../../gen/assessment/v1/options_pb.ts";
import {
  type Answer,
  type AnswerResponse,
  AnswerResponseSchema,
  AnswerSchema,
  CompleteSessionRequestSchema,
} from "../../gen/assessment/v1/session_service_pb.ts";
import { enumWord } from "../../kernel/json/members.ts";

/** Whole numbers of more digits are left to the parser. */
const maxDigits = 9;

const code = { comma: 0x2c, colon: 0x3a, open: 0x7b, close: 0x7d, openList: 0x5b, closeList: 0x5d };
const zero = 0x30;
const space = 0x20;
const otherSpaces: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d]);

const { answers: answersField } = CompleteSessionRequestSchema.field;
const { most: maxAnswers = 0 } = getOption(answersField, json);
const names = {
  answers: quoted(answersField.jsonName),
  questionId: quoted(AnswerSchema.field.questionId.jsonName),
  response: quoted(AnswerSchema.field.response.jsonName),
  type: quoted(AnswerResponseSchema.field.type.jsonName),
  value: quoted(AnswerResponseSchema.field.value.jsonName),
};
const likert = quoted(enumWord(QuestionTypeSchema, QuestionType.LIKERT));

/** The message of a body that has answers, no more than there may be, and nothing else; undefined for any other one. */
export function readPlainAnswers(body: Uint8Array): { answers: Answer[] } | undefined {
  const reader = new Reader(body);
  if (!reader.takes(code.open) || !reader.takesMember(names.answers) || !reader.takes(code.openList)) return undefined;
  const answers: Answer[] = [];
  do {
    const answer = answers.length < maxAnswers ? reader.answer() : undefined;
    if (answer === undefined) return undefined;
    answers.push(answer);
  } while (reader.takes(code.comma));
  const isWhole = reader.takes(code.closeList) && reader.takes(code.close) && reader.isAtEnd();
  return isWhole ? { answers } : undefined;
}

function quoted(text: string): Uint8Array {
  return Buffer.from(JSON.stringify(text));
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Goes past a character and the space before it. @returns whether it comes next */
  takes(character: number): boolean {
    this.#skipSpace();
    if (this.#bytes[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  /** The same for a name and its colon. */
  takesMember(name: Uint8Array): boolean {
    return this.#takesText(name) && this.takes(code.colon);
  }

  isAtEnd(): boolean {
    this.#skipSpace();
    return this.#at === this.#bytes.length;
  }

  /** An answer that has both members once; undefined for any other one. */
  answer(): Answer | undefined {
    let questionId = -1;
    let response: AnswerResponse | undefined;
    if (!this.takes(code.open)) return undefined;
    do {
      if (questionId < 0 && this.takesMember(names.questionId)) {
        questionId = this.#number();
        if (questionId < 0) return undefined;
      } else if (response === undefined && this.takesMember(names.response)) {
        response = this.#response();
        if (response === undefined) return undefined;
      } else return undefined;
    } while (this.takes(code.comma));
    if (!this.takes(code.close) || questionId < 0 || response === undefined) return undefined;
    return { $typeName: "assessment.v1.Answer", questionId, response };
  }

  #response(): AnswerResponse | undefined {
    let hasType = false;
    let value = -1;
    if (!this.takes(code.open)) return undefined;
    do {
      if (this.takesMember(names.type)) hasType = this.#takesText(likert);
      else if (value < 0 && this.takesMember(names.value)) {
        value = this.#number();
        if (value < 0) return undefined;
      } else return undefined;
    } while (this.takes(code.comma));
    if (!this.takes(code.close) || !hasType || value < 0) return undefined;
    return { $typeName: "assessment.v1.AnswerResponse", type: QuestionType.LIKERT, value };
  }

  /** A whole number from 0; -1 for any other one. */
  #number(): number {
    this.#skipSpace();
    const start = this.#at;
    let number = 0;
    for (;;) {
      const digit = (this.#bytes[this.#at] ?? 0) - zero;
      if (digit < 0 || digit > 9) break;
      number = number * 10 + digit;
      this.#at += 1;
      if (this.#at - start > maxDigits) return -1;
    }
    const digits = this.#at - start;
    const hasLeadingZero = digits > 1 && this.#bytes[start] === zero;
    return digits === 0 || hasLeadingZero ? -1 : number;
  }

  #takesText(text: Uint8Array): boolean {
    this.#skipSpace();
    for (let index = 0; index < text.length; index += 1) {
      if (this.#bytes[this.#at + index] !== text[index]) return false;
    }
    this.#at += text.length;
    return true;
  }

  #skipSpace(): void {
    for (;;) {
      const byte = this.#bytes[this.#at] ?? 0;
      if (byte > space || (byte !== space && !otherSpaces.has(byte))) return;
      this.#at += 1;
    }
  }
}
