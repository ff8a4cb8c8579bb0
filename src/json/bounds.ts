// Bounds of fields, stated in the protos by `buf.validate`, and their violations: of single values of REST, and of messages of
// every transport. The protovalidate library is not used: it takes 12 MB and a tenth of a second at every start.
import { type DescEnum, type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import { type FieldRules, Ignore, field as rulesOf } from "../gen/buf/validate/validate_pb.ts";
import type { Violation } from "../kernel/errors/violation.ts";
import { isStorableTime } from "../kernel/formats.ts";
import { isUuid } from "../kernel/ids.ts";
import { findWrappedList, isTime } from "./members.ts";

export interface Bounds {
  /** In characters of a text, or items of a list. */
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  /** The pattern of a text. Requests are checked by a rule of the service, which has a sentence for people. */
  readonly pattern?: string | undefined;
  readonly mustBeUuid?: boolean | undefined;
  /** The allowed texts; empty: any. */
  readonly words?: readonly string[];
  /** The allowed values of an enum; empty: any. */
  readonly values?: readonly number[];
  /** Whether only defined values of the enum are allowed. */
  readonly mustBeDefined?: boolean | undefined;
  /** Whether the zero value of the type is allowed. */
  readonly allowsZero?: boolean;
  /** Bounds of list items. */
  readonly items?: Bounds;
}

/** A violation without its path. */
export type PathlessViolation = Pick<Violation, "code" | "detail">;

export function readBounds(field: DescField): Bounds {
  return toBounds(getOption(field, rulesOf));
}

function toBounds({ type, ignore }: FieldRules): Bounds {
  const allowsZero = ignore === Ignore.IF_ZERO_VALUE;
  if (type.case === "int32" || type.case === "double") {
    return { minimum: type.value.gte, maximum: type.value.lte, allowsZero };
  }
  if (type.case === "string") {
    const { minLen, maxLen, pattern, uuid, in: words } = type.value;
    return { minLength: toCount(minLen), maxLength: toCount(maxLen), pattern, mustBeUuid: uuid, words, allowsZero };
  }
  if (type.case === "enum") return { values: type.value.in, mustBeDefined: type.value.definedOnly };
  if (type.case === undefined) return {};
  const { minItems, maxItems, items } = type.value;
  return { minLength: toCount(minItems), maxLength: toCount(maxItems), ...(items && { items: toBounds(items) }) };
}

function toCount(number: bigint | undefined): number | undefined {
  return number === undefined ? undefined : Number(number);
}

/** The violation of a text. */
export function checkText({ minLength = 0, maxLength = Infinity, mustBeUuid, words = [] }: Bounds, text: string) {
  if (isLongerThan(text, maxLength)) return toViolation("too_long", `At most ${maxLength} characters can be given.`);
  if (minLength > 0 && !isLongerThan(text, minLength - 1)) {
    return toViolation("too_short", `At least ${minLength} character must be given.`);
  }
  if (mustBeUuid && !isUuid(text)) return toViolation("invalid_format", "Must be a UUID.");
  return words.length === 0 || words.includes(text) ? undefined : describeUnknownWord(words);
}

export function checkNumber({ minimum = -Infinity, maximum = Infinity }: Bounds, value: number) {
  if (value < minimum) return toViolation("out_of_range", `Must be at least ${minimum}.`);
  return value > maximum ? toViolation("out_of_range", `Must be at most ${maximum}.`) : undefined;
}

/** The violation of a list's length. */
export function checkLength({ minLength = 0, maxLength = Infinity }: Bounds, length: number) {
  if (length < minLength) return toViolation("too_few_items", `At least ${minLength} must be given.`);
  return length > maxLength ? toViolation("too_many_items", `At most ${maxLength} can be given.`) : undefined;
}

function checkEnum({ mustBeDefined }: Bounds, schema: DescEnum, value: number) {
  return mustBeDefined && schema.value[value] === undefined ? describeUnknownEnumValue(schema) : undefined;
}

/** The violation of a value of an enum, with the names in the proto. */
export function describeUnknownEnumValue({ values }: DescEnum): PathlessViolation {
  return describeUnknownWord(values.flatMap(({ name, number }) => (number === 0 ? [] : [name])));
}

/** The violation of a word that is not allowed. */
export function describeUnknownWord(words: readonly string[]): PathlessViolation {
  return toViolation("unknown_value", `Must be one of: ${words.join(", ")}.`);
}

function toViolation(code: string, detail: string): PathlessViolation {
  return { code, detail };
}

/** The words of an enum: its values in lower case without their prefix, except the unspecified one. */
export function listEnumWords(schema: DescEnum, { values = [] }: Bounds = {}): string[] {
  const enumValues = schema.values.slice(1).filter(({ number }) => values.length === 0 || values.includes(number));
  return enumValues.map(({ localName }) => localName.toLowerCase());
}

/** Whether a text has more than `limit` code points. */
export function isLongerThan(text: string, limit: number): boolean {
  return text.length > limit && (text.length > 2 * limit || [...text].length > limit);
}

/** Every violation of a value at a path. */
export type Check = (value: never, path: Violation["path"]) => readonly Violation[];

/** Creates the check of a message; undefined if there is nothing to check. */
export function createMessageCheck(message: DescMessage): Check | undefined {
  const checks = message.fields.flatMap((field) => {
    const check = createFieldCheck(field);
    return check === undefined ? [] : [{ localName: field.localName, jsonName: field.jsonName, check }];
  });
  if (checks.length === 0) return undefined;
  return (fields: Readonly<Record<string, never>>, path) =>
    checks.flatMap(({ localName, jsonName, check }) => {
      const value = fields[localName];
      return value === undefined ? [] : check(value, [...path, jsonName]);
    });
}

function createFieldCheck(field: DescField): Check | undefined {
  const bounds = readBounds(field);
  if (field.fieldKind !== "list") return createValueCheck(field, bounds);
  const check = createValueCheck(field, bounds.items ?? {});
  return (list: readonly never[], path) => {
    const violation = checkLength(bounds, list.length);
    if (violation !== undefined) return [{ path, ...violation }];
    return check === undefined ? [] : list.flatMap((item, index) => check(item, [...path, index]));
  };
}

function createValueCheck(field: DescField, bounds: Bounds): Check | undefined {
  const { message, enum: schema, scalar } = field;
  if (isTime(field)) return checkTime;
  if (message !== undefined) return message.typeName.startsWith("google.") ? undefined : createNestedCheck(message);
  if (schema !== undefined) return createBoundedCheck(bounds, (value: number) => checkEnum(bounds, schema, value));
  if (scalar !== ScalarType.STRING) return createBoundedCheck(bounds, (value: number) => checkNumber(bounds, value));
  return createBoundedCheck(bounds, (value: string) => checkText(bounds, value));
}

/** Paths show a message that has only a list as that list. */
function createNestedCheck(message: DescMessage): Check | undefined {
  const wrapped = findWrappedList(message);
  const check = wrapped && createFieldCheck(wrapped);
  if (wrapped === undefined || check === undefined) return createMessageCheck(message);
  return (fields: Readonly<Record<string, never>>, path) => check(fields[wrapped.localName] as never, path);
}

function createBoundedCheck<T>(bounds: Bounds, check: (value: T) => PathlessViolation | undefined): Check | undefined {
  if (Object.keys(bounds).length === 0) return undefined;
  return (value: T, path) => {
    const violation = bounds.allowsZero && !value ? undefined : check(value);
    return violation === undefined ? [] : [{ path, ...violation }];
  };
}

/** Binary messages can contain times that a `Date`, a column and RFC 3339 cannot. */
function checkTime(time: Timestamp, path: Violation["path"]): readonly Violation[] {
  if (time.nanos < 0 || time.nanos > 999_999_999) {
    return [{ path, code: "out_of_range", detail: "The `nanos` of a time lie between 0 and 999,999,999." }];
  }
  if (isStorableTime(timestampMs(time))) return [];
  return [{ path, code: "out_of_range", detail: "A time lies in the years 1970 to 9999." }];
}
