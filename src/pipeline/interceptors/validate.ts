// Checks messages against the bounds of the protos, for every transport.
import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import {
  type Bounds,
  boundsOf,
  type Fault,
  faultOfEnum,
  faultOfLength,
  faultOfNumber,
  faultOfText,
} from "../../json/bounds.ts";
import { isTime, wrappedList } from "../../json/members.ts";
import { invalidRequest, unknownProduct } from "../../kernel/errors/refusal.ts";
import type { Violation } from "../../kernel/errors/violation.ts";
import { isStorableTime } from "../../kernel/formats.ts";
import { isProduct } from "../../kernel/ids.ts";
import type { Interceptor } from "../pipeline.ts";

/** Every violation of a value at a path. */
type Check = (value: never, path: Violation["path"]) => readonly Violation[];

/** Refuses messages with values out of bounds. The checks of a message type are compiled by its first call. */
export function validate(): Interceptor {
  // One for each rpc.
  const checks = new Map<DescMessage, Check>();
  return {
    name: "validate",
    enter({ method: { input }, message }) {
      const check = checks.get(input) ?? messageCheck(input) ?? passAll;
      checks.set(input, check);
      const violations = check(message as never, []);
      if (violations.length === 0) return;
      const { product } = message as { readonly product?: string };
      throw !product || isProduct(product) ? invalidRequest(violations) : unknownProduct();
    },
  };
}

function passAll(): readonly Violation[] {
  return [];
}

/** The check of a message; undefined where there is nothing to check. */
function messageCheck(message: DescMessage): Check | undefined {
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
  const bounds = boundsOf(field);
  if (field.fieldKind !== "list") return valueCheck(field, bounds);
  const check = valueCheck(field, bounds.items ?? {});
  return (list: readonly never[], path) => {
    const fault = faultOfLength(bounds, list.length);
    if (fault !== undefined) return [{ path, ...fault }];
    return check === undefined ? [] : list.flatMap((item, index) => check(item, [...path, index]));
  };
}

function valueCheck(field: DescField, bounds: Bounds): Check | undefined {
  const { message, enum: schema, scalar } = field;
  if (isTime(field)) return checkTime;
  if (message !== undefined) return message.typeName.startsWith("google.") ? undefined : nestedCheck(message);
  if (schema !== undefined) return bounded(bounds, (value: number) => faultOfEnum(bounds, schema, value));
  if (scalar !== ScalarType.STRING) return bounded(bounds, (value: number) => faultOfNumber(bounds, value));
  return bounded(bounds, (value: string) => faultOfText(bounds, value));
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

/** A binary message can hold times that neither a `Date` nor a column can. */
function checkTime(time: Timestamp, path: Violation["path"]): readonly Violation[] {
  if (isStorableTime(timestampMs(time))) return [];
  return [{ path, code: "out_of_range", detail: "A time lies in the years 1970 to 9999." }];
}
