// Bounds of fields, which the protos state by `buf.validate`, and what is wrong with values beyond them. REST's walk and
// the pipeline both ask here. The library of these rules compiles expressions, which takes 12 MB and a tenth of a
// second of every start.
import { type DescEnum, type DescField, getOption } from "@bufbuild/protobuf";
import { type FieldRules, Ignore, field as rulesOf } from "../../gen/buf/validate/validate_pb.ts";
import type { Violation } from "../errors/violation.ts";
import { isLongerThan, isUuid } from "../formats.ts";

export interface Bounds {
  /** Fewest characters of a text, or items of a list. */
  readonly least?: number | undefined;
  /** Most of them. */
  readonly most?: number | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  /** Of a text. Its own rule holds requests to its form, with a sentence for people. */
  readonly pattern?: string | undefined;
  readonly isUuid?: boolean | undefined;
  /** What a text is one of; empty: any. */
  readonly words?: readonly string[];
  /** What an enum is one of; empty: any of its values. */
  readonly values?: readonly number[];
  /** Whether an enum has none but its own values. */
  readonly isDefined?: boolean | undefined;
  /** Whether the value of the type that stands for nothing is taken. */
  readonly mayBeZero?: boolean;
  /** Of the items of a list. */
  readonly items?: Bounds;
}

/** What is wrong with a value, wherever it is. */
export type Fault = Pick<Violation, "code" | "detail">;

export function boundsOf(field: DescField): Bounds {
  return boundsIn(getOption(field, rulesOf));
}

function boundsIn({ type, ignore }: FieldRules): Bounds {
  const mayBeZero = ignore === Ignore.IF_ZERO_VALUE;
  if (type.case === "int32" || type.case === "double") {
    return { minimum: type.value.gte, maximum: type.value.lte, mayBeZero };
  }
  if (type.case === "string") {
    const { minLen, maxLen, pattern, uuid, in: words } = type.value;
    return { least: count(minLen), most: count(maxLen), pattern, isUuid: uuid, words, mayBeZero };
  }
  if (type.case === "enum") return { values: type.value.in, isDefined: type.value.definedOnly };
  if (type.case === undefined) return {};
  const { minItems, maxItems, items } = type.value;
  return { least: count(minItems), most: count(maxItems), ...(items && { items: boundsIn(items) }) };
}

function count(number: bigint | undefined): number | undefined {
  return number === undefined ? undefined : Number(number);
}

/** What is wrong with a text. */
export function faultOfText({ least = 0, most = Infinity, isUuid: mustBeUuid, words = [] }: Bounds, text: string) {
  if (isLongerThan(text, most)) return fault("too_long", `At most ${most} characters can be given.`);
  if (least > 0 && !isLongerThan(text, least - 1)) {
    return fault("too_short", `At least ${least} character must be given.`);
  }
  if (mustBeUuid && !isUuid(text)) return fault("invalid_format", "Must be a UUID.");
  return words.length === 0 || words.includes(text) ? undefined : unknownWord(words);
}

export function faultOfNumber({ minimum = -Infinity, maximum = Infinity }: Bounds, value: number) {
  if (value < minimum) return fault("out_of_range", `Must be at least ${minimum}.`);
  return value > maximum ? fault("out_of_range", `Must be at most ${maximum}.`) : undefined;
}

/** What is wrong with the length of a list. */
export function faultOfLength({ least = 0, most = Infinity }: Bounds, length: number) {
  if (length < least) return fault("too_few_items", `At least ${least} must be given.`);
  return length > most ? fault("too_many_items", `At most ${most} can be given.`) : undefined;
}

export function faultOfEnum({ isDefined }: Bounds, schema: DescEnum, value: number) {
  return isDefined && schema.value[value] === undefined ? unknownWord(enumWords(schema)) : undefined;
}

/** What is wrong with what is one of some words, and is none. */
export function unknownWord(words: readonly string[]): Fault {
  return fault("unknown_value", `Must be one of: ${words.join(", ")}.`);
}

function fault(code: string, detail: string): Fault {
  return { code, detail };
}

/** The words of an enum: its values in lower case without their prefix, the unspecified one left out. */
export function enumWords(schema: DescEnum, { values = [] }: Bounds = {}): string[] {
  const known = schema.values.slice(1).filter(({ number }) => values.length === 0 || values.includes(number));
  return known.map(({ localName }) => localName.toLowerCase());
}
