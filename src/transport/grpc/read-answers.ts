// The answers of a request, read in one pass over its bytes. A request has up to 1,000 of them, of two messages each, and
// the library takes five times as long. What no client writes is left to it, so that both always read the same.
import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import type { QuestionType } from "../../gen/assessment/v1/assessment_pb.ts";
import {
  type Answer,
  type AnswerResponse,
  AnswerResponseSchema,
  AnswerSchema,
} from "../../gen/assessment/v1/session_service_pb.ts";

/** What a request holds beside its answers, for the library, and the answers. */
export interface AnswersRead {
  readonly others: Uint8Array;
  readonly name: string;
  readonly answers: Answer[];
}

/** Reads the answers of bytes, or gives undefined where the library has to read all of them. */
export type ReadAnswers = (bytes: Uint8Array) => AnswersRead | undefined;

const { questionId, response } = AnswerSchema.field;
const { type, value } = AnswerResponseSchema.field;
const doubleBytes = 8;
/** Tags and lengths of more than one byte are left to the library. */
const oneByte = 0x80;

/** Tags of these fields, which take one byte each. */
const tags = {
  questionId: tagOf(questionId.number, WireType.Varint),
  response: tagOf(response.number, WireType.LengthDelimited),
  type: tagOf(type.number, WireType.Varint),
  value: tagOf(value.number, WireType.Bit64),
};

/** A reader of requests of one type; undefined if they have no answers. */
export function answersReader(schema: DescMessage): ReadAnswers | undefined {
  const list = schema.fields.find(({ fieldKind, message }) => fieldKind === "list" && message === AnswerSchema);
  if (list === undefined) return undefined;
  const listTag = tagOf(list.number, WireType.LengthDelimited);
  const otherTags = new Set(schema.fields.filter((field) => field !== list).map(plainTagOf));
  return (bytes) => {
    const reader = new Reader(bytes);
    const answers: Answer[] = [];
    const others: Uint8Array[] = [];
    let othersFrom = 0;
    while (!reader.isAtEnd) {
      const at = reader.at;
      const tag = reader.short();
      if (tag === listTag) {
        if (othersFrom < at) others.push(bytes.subarray(othersFrom, at));
        const answer = reader.answer();
        if (answer === undefined) return undefined;
        answers.push(answer);
        othersFrom = reader.at;
      } else if (!otherTags.has(tag) || !reader.skip(tag & 7)) return undefined;
    }
    if (othersFrom < bytes.length) others.push(bytes.subarray(othersFrom));
    const [first = new Uint8Array()] = others;
    return { others: others.length < 2 ? first : Buffer.concat(others), name: list.localName, answers };
  };
}

/**
 * The tag of a text or a truth value; undefined for any other field. The library reads a field as its type says, whatever
 * its tag says: what has another tag ends elsewhere for it.
 */
function plainTagOf({ number, scalar }: DescField): number | undefined {
  if (scalar === ScalarType.STRING) return tagOf(number, WireType.LengthDelimited);
  return scalar === ScalarType.BOOL ? tagOf(number, WireType.Varint) : undefined;
}

function tagOf(number: number, wireType: WireType): number {
  return (number << 3) | wireType;
}

/** Reads what is plain. Anything else, such as what goes beyond the end, is read as -1 or undefined. */
class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.at === this.#bytes.length;
  }

  /** A tag or a length of one byte. */
  short(): number {
    const byte = this.#bytes[this.at] ?? oneByte;
    if (byte >= oneByte) return -1;
    this.at += 1;
    return byte;
  }

  /** Goes past the value of a field. @returns whether it could */
  skip(wireType: number): boolean {
    if (wireType === WireType.Varint) return this.#number() >= 0;
    const length = wireType === WireType.LengthDelimited ? this.short() : -1;
    this.at += length;
    return length >= 0;
  }

  /** An answer with its length. */
  answer(): Answer | undefined {
    const end = this.short() + this.at;
    let questionId = 0;
    let response: AnswerResponse | undefined;
    while (this.at < end) {
      const tag = this.short();
      if (tag === tags.questionId) {
        questionId = this.#number();
        if (questionId < 0) return undefined;
      } else if (tag === tags.response && response === undefined) {
        response = this.#response();
        if (response === undefined) return undefined;
      } else return undefined;
    }
    if (this.at !== end || response === undefined) return undefined;
    return { $typeName: "assessment.v1.Answer", questionId, response };
  }

  #response(): AnswerResponse | undefined {
    const end = this.short() + this.at;
    if (end > this.#bytes.length) return undefined;
    let type = 0;
    let value = 0;
    while (this.at < end) {
      const tag = this.short();
      if (tag === tags.type) {
        type = this.#number();
        if (type < 0) return undefined;
      } else if (tag === tags.value && this.at + doubleBytes <= end) {
        value = this.#view.getFloat64(this.at, true);
        this.at += doubleBytes;
      } else return undefined;
    }
    if (this.at !== end) return undefined;
    return { $typeName: "assessment.v1.AnswerResponse", type: type as QuestionType, value };
  }

  /** A number of up to four bytes, which is below 2^28. */
  #number(): number {
    let number = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#bytes[this.at] ?? -1;
      if (byte < 0) return -1;
      this.at += 1;
      number |= (byte & 0x7f) << shift;
      if (byte < oneByte) return number;
    }
    return -1;
  }
}
