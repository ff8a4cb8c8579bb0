// Bounds of fields, stated in the protos by `buf.validate`, and their violations: of values, which REST reads one by one, and
// of messages, which the pipeline checks for every transport.
// The protovalidate library compiles expressions, which takes 12 MB and a tenth of a second at every start.
import { type DescEnum, type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import { type FieldRules, Ignore, field as rulesOf } from "../gen/buf/validate/validate_pb.ts";
import type { Violation } from "../kernel/errors/violation.ts";
import { isStorableTime } from "../kernel/formats.ts";
import { isUuid } from "../kernel/ids.ts";
import { isTime, wrappedList } from "./members.ts";

export interface Bounds {
  /** Fewest characters of a text, or items of a list. */
  readonly least?: number | undefined;
  /** Most of them. */
  readonly most?: number | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  /** The pattern of a text. A rule with a sentence for people checks it in requests. */
  readonly pattern?: string | undefined;
  readonly isUuid?: boolean | undefined;
  /** The allowed texts; empty: any. */
  readonly words?: readonly string[];
  /** The allowed values of an enum; empty: any. */
  readonly values?: readonly number[];
  /** Whether only defined values of the enum are allowed. */
  readonly isDefined?: boolean | undefined;
  /** Whether the zero value of the type is allowed. */
  readonly mayBeZero?: boolean;
  /** Bounds of list items. */
  readonly items?: Bounds;
}

/** The violation of a value, whatever its type. */
export type Fault = Pick<Violation, "code" | "detail">;

export function readBounds(field: DescField): Bounds {
  return toBounds(getOption(field, rulesOf));
}

function toBounds({ type, ignore }: FieldRules): Bounds {
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
  return { least: count(minItems), most: count(maxItems), ...(items && { items: toBounds(items) }) };
}

function count(number: bigint | undefined): number | undefined {
  return number === undefined ? undefined : Number(number);
}

/** The violation of a text. */
export function checkText({ least = 0, most = Infinity, isUuid: mustBeUuid, words = [] }: Bounds, text: string) {
  if (isLongerThan(text, most)) return toFault("too_long", `At most ${most} characters can be given.`);
  if (least > 0 && !isLongerThan(text, least - 1)) {
    return toFault("too_short", `At least ${least} character must be given.`);
  }
  if (mustBeUuid && !isUuid(text)) return toFault("invalid_format", "Must be a UUID.");
  return words.length === 0 || words.includes(text) ? undefined : unknownWord(words);
}

export function checkNumber({ minimum = -Infinity, maximum = Infinity }: Bounds, value: number) {
  if (value < minimum) return toFault("out_of_range", `Must be at least ${minimum}.`);
  return value > maximum ? toFault("out_of_range", `Must be at most ${maximum}.`) : undefined;
}

/** The violation of a list's length. */
export function checkLength({ least = 0, most = Infinity }: Bounds, length: number) {
  if (length < least) return toFault("too_few_items", `At least ${least} must be given.`);
  return length > most ? toFault("too_many_items", `At most ${most} can be given.`) : undefined;
}

function checkEnum({ isDefined }: Bounds, schema: DescEnum, value: number) {
  return isDefined && schema.value[value] === undefined ? unknownEnumValue(schema) : undefined;
}

/** The violation of a value of an enum, with the names that messages of protobuf and their JSON have. */
export function unknownEnumValue({ values }: DescEnum): Fault {
  return unknownWord(values.flatMap(({ name, number }) => (number === 0 ? [] : [name])));
}

/** The violation of a value that is not one of the allowed words. */
export function unknownWord(words: readonly string[]): Fault {
  return toFault("unknown_value", `Must be one of: ${words.join(", ")}.`);
}

function toFault(code: string, detail: string): Fault {
  return { code, detail };
}

/** The words of an enum: its values in lower case without their prefix, the unspecified one left out. */
export function enumWords(schema: DescEnum, { values = [] }: Bounds = {}): string[] {
  const enumValues = schema.values.slice(1).filter(({ number }) => values.length === 0 || values.includes(number));
  return enumValues.map(({ localName }) => localName.toLowerCase());
}

/** Whether a text has more than `limit` code points. */
export function isLongerThan(text: string, limit: number): boolean {
  return text.length > limit && (text.length > 2 * limit || [...text].length > limit);
}

/** Every violation of a value at a path. */
export type Check = (value: never, path: Violation["path"]) => readonly Violation[];

/** The check of a message, made once; undefined where there is nothing to check. */
export function messageCheck(message: DescMessage): Check | undefined {
  const checks = message.fields.flatMap((field) => {
    const check = fieldCheck(field);
    return check === undefined ? [] : [{ localName: field.localName, jsonName: field.jsonName, check }];
  });
  if (checks.length === 0) return undefined;
  return (fields: Readonly<Record<string, never>>, path) =>
    checks.flatMap(({ localName, jsonName, check }) => {
      const value = fields[localName];
      return value === undefined ? [] : check(value, [...path, jsonName]);
    });
}

function fieldCheck(field: DescField): Check | undefined {
  const bounds = readBounds(field);
  if (field.fieldKind !== "list") return valueCheck(field, bounds);
  const check = valueCheck(field, bounds.items ?? {});
  return (list: readonly never[], path) => {
    const fault = checkLength(bounds, list.length);
    if (fault !== undefined) return [{ path, ...fault }];
    return check === undefined ? [] : list.flatMap((item, index) => check(item, [...path, index]));
  };
}

function valueCheck(field: DescField, bounds: Bounds): Check | undefined {
  const { message, enum: schema, scalar } = field;
  if (isTime(field)) return checkTime;
  if (message !== undefined) return message.typeName.startsWith("google.") ? undefined : nestedCheck(message);
  if (schema !== undefined) return bounded(bounds, (value: number) => checkEnum(bounds, schema, value));
  if (scalar !== ScalarType.STRING) return bounded(bounds, (value: number) => checkNumber(bounds, value));
  return bounded(bounds, (value: string) => checkText(bounds, value));
}

/** A message that is nothing but a list is shown to callers as that list. */
function nestedCheck(message: DescMessage): Check | undefined {
  const wrapped = wrappedList(message);
  const check = wrapped && fieldCheck(wrapped);
  if (wrapped === undefined || check === undefined) return messageCheck(message);
  return (fields: Readonly<Record<string, never>>, path) => check(fields[wrapped.localName] as never, path);
}

function bounded<T>(bounds: Bounds, faultOf: (value: T) => Fault | undefined): Check | undefined {
  if (Object.keys(bounds).length === 0) return undefined;
  return (value: T, path) => {
    const fault = bounds.mayBeZero && !value ? undefined : faultOf(value);
    return fault === undefined ? [] : [{ path, ...fault }];
  };
}

/** A binary message can hold times that neither a `Date` nor a column nor RFC 3339 can. */
function checkTime(time: Timestamp, path: Violation["path"]): readonly Violation[] {
  if (time.nanos < 0 || time.nanos > 999_999_999) {
    return [{ path, code: "out_of_range", detail: "The `nanos` of a time lie between 0 and 999,999,999." }];
  }
  if (isStorableTime(timestampMs(time))) return [];
  return [{ path, code: "out_of_range", detail: "A time lies in the years 1970 to 9999." }];
}
