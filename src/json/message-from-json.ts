// Reads messages from JSON: one walk over a parsed body creates the message and collects violations of its shape. The pipeline
// checks the bounds of values.
import { type DescEnum, type DescField, type DescMessage, type MessageInitShape, ScalarType } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Violation } from "../kernel/errors/violation.ts";
import { depthDetail, isRfc3339, maxJsonDepth } from "../kernel/formats.ts";
import { describeUnknownWord, listEnumWords } from "./bounds.ts";
import { findWrappedList, isTime, listMembers, type Member, parseEnumWord } from "./members.ts";
import { findCaseVariant, suggestName } from "./name-suggestions.ts";

/** The message is complete only if there are no violations. */
export interface JsonReadResult<M extends DescMessage> {
  readonly message: MessageInitShape<M>;
  readonly violations: readonly Violation[];
  /** Whether there may be more violations. */
  readonly isTruncated: boolean;
  /** Paths to unknown members of lenient objects: the first ten. */
  readonly unused: readonly Violation["path"][];
}

/** Detail of an invalid time. */
export const timeDetail = "Must be a time with its zone, such as 2026-11-20T09:30:00Z.";

const maxInt32 = 2 ** 31 - 1;
/** Detail of a text that cannot be encoded as UTF-8. */
export const surrogateDetail = "The text holds a lone surrogate.";
/** A walk stops after this many violations: no response has more. */
const maxViolations = 51;
/** Longer names of unknown members are not shown in the response. */
const maxPathNameLength = 100;
/** Most ignored members that are listed. */
const maxUnused = 10;

type Json = Readonly<Record<string, unknown>>;
/** Reads one value; undefined if it is invalid. */
type Read = (json: unknown, walk: Walk) => unknown;

/** The position of a walk, and its results. */
class Walk {
  readonly path: (string | number)[] = [];
  readonly violations: Violation[] = [];
  readonly unused: (string | number)[][] = [];

  get hasMaxViolations(): boolean {
    return this.violations.length >= maxViolations;
  }

  /** Records a violation at this position, or of a member of it. */
  addViolation(code: string, detail: string, ...member: Violation["path"]): undefined {
    if (!this.hasMaxViolations) this.violations.push({ path: [...this.path, ...member], code, detail });
  }

  /** Whether a free-form value has too many levels; records the violation. */
  checkDepth(json: unknown): boolean {
    const isDeep = isDeeperThan(json, maxJsonDepth - this.path.length);
    if (isDeep) this.addViolation("too_deep", depthDetail);
    return isDeep;
  }

  readAt(segment: string | number, json: unknown, read: Read): unknown {
    this.path.push(segment);
    const value = read(json, this);
    this.path.pop();
    return value;
  }
}

/** Creates the reader of a message. */
export function createJsonReader<M extends DescMessage>(message: M): (json: unknown) => JsonReadResult<M> {
  const read = createObjectReader(message, { isNested: false, isLenient: false });
  return (json) => {
    const walk = new Walk();
    const value = (read(json, walk) ?? {}) as MessageInitShape<M>;
    return { message: value, violations: walk.violations, isTruncated: walk.hasMaxViolations, unused: walk.unused };
  };
}

interface ObjectReaderOptions {
  /** Whether the message gets its type name, so that the library does not copy it: with 1,000 answers that counts. */
  readonly isNested: boolean;
  /** Whether null and unknown members are accepted. */
  readonly isLenient: boolean;
}

function createObjectReader(message: DescMessage, { isNested, isLenient }: ObjectReaderOptions): Read {
  const members = listMembers(message).map((member) => ({
    name: member.name,
    localName: member.field.localName,
    isRequired: member.rule.required,
    makeDefault: isNested ? findDefault(member.field) : undefined,
    read: createMemberReader(member),
  }));
  const names = members.map(({ name }) => name);
  const nestedObjects = message.fields.flatMap(({ message: type, jsonName }) =>
    type === undefined || type.typeName.startsWith("google.protobuf.")
      ? []
      : [{ name: jsonName, members: listNames(type) }],
  );
  return (json, walk) => {
    if (isLenient && json === null) return undefined;
    if (!isObject(json))
      return walk.addViolation("wrong_type", `Must be of type object${isLenient ? " or null" : ""}.`);
    if (isLenient && walk.checkDepth(json)) return undefined;
    const object: Record<string, unknown> = isNested ? { $typeName: message.typeName } : {};
    let memberCount = 0;
    for (const { name, isRequired } of members) {
      if (json[name] !== undefined) memberCount += 1;
      else if (isRequired) walk.addViolation("required", "This member is required.", name);
    }
    if (Object.keys(json).length > memberCount) reportUnknown(json, names, walk, isLenient ? undefined : nestedObjects);
    for (const { name, localName, makeDefault, read } of members) {
      if (walk.hasMaxViolations) break;
      const value = json[name];
      object[localName] = value === undefined ? makeDefault?.() : walk.readAt(name, value, read);
    }
    return object;
  };
}

function listNames(message: DescMessage): string[] {
  return listMembers(message).map(({ name }) => name);
}

function isObject(json: unknown): json is Json {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

/** The object of a member, with the names of its own members. */
interface NestedObject {
  readonly name: string;
  readonly members: readonly string[];
}

/** Reports unknown members; of a lenient object, misspelt ones. @param nestedObjects undefined for a lenient object */
function reportUnknown(
  json: Json,
  names: readonly string[],
  walk: Walk,
  nestedObjects: readonly NestedObject[] | undefined,
): void {
  for (const name of Object.keys(json)) {
    if (walk.hasMaxViolations) return;
    if (names.includes(name)) continue;
    if (nestedObjects === undefined && findCaseVariant(name, names) === undefined) {
      if (walk.unused.length < maxUnused) walk.unused.push([...walk.path, name]);
      continue;
    }
    const { code, detail, path } = describeUnknownMember([], name, names, nestedObjects);
    walk.addViolation(code, detail, ...path);
  }
}

/** The violation of an unknown member. @param names of the object's members */
export function describeUnknownMember(
  path: Violation["path"],
  name: string,
  names: readonly string[],
  nestedObjects: readonly NestedObject[] = [],
): Violation {
  const detail = `There is no such member here. ${suggestFix(name, names, nestedObjects)}`;
  return { path: name.length > maxPathNameLength ? path : [...path, name], code: "unknown_member", detail };
}

function suggestFix(name: string, names: readonly string[], nestedObjects: readonly NestedObject[]): string {
  const owner = nestedObjects.find(({ members }) => members.includes(name));
  if (owner !== undefined) return `It belongs in \`${owner.name}\`.`;
  const suggestion = suggestName(name, names);
  if (suggestion !== undefined) return `Did you mean \`${suggestion}\`?`;
  return names.length === 0 ? "There are none." : `There are: ${names.join(", ")}.`;
}

function createMemberReader({ field, rule }: Member): Read {
  const wrapped = field.fieldKind === "message" ? findWrappedList(field.message) : undefined;
  if (wrapped !== undefined && field.message !== undefined) {
    const [member] = listMembers(field.message);
    if (member === undefined) throw new Error(`${wrapped} is not in JSON, and stands for its message there`);
    const read = createMemberReader(member);
    const { typeName } = field.message;
    return (json, walk) => ({ $typeName: typeName, [wrapped.localName]: read(json, walk) });
  }
  const read = createValueReader(field, rule);
  return field.fieldKind === "list" ? createListReader(read) : read;
}

function createListReader(read: Read): Read {
  return (json, walk) => {
    if (!Array.isArray(json)) return walk.addViolation("wrong_type", "Must be of type array.");
    const items: unknown[] = [];
    for (let index = 0; index < json.length && !walk.hasMaxViolations; index += 1) {
      items.push(walk.readAt(index, json[index], read));
    }
    return items;
  };
}

function createValueReader(field: DescField, rule: Member["rule"]): Read {
  if (isTime(field)) return readTime;
  if (field.message?.typeName === "google.protobuf.Struct") return readAnyObject;
  if (field.message !== undefined) {
    return createObjectReader(field.message, { isNested: true, isLenient: rule.format === "lenient" });
  }
  if (field.enum !== undefined) return createWordReader(field.enum, rule.format === "open");
  if (field.scalar === ScalarType.STRING) return readText;
  if (field.scalar === ScalarType.BOOL) return readBoolean;
  if (field.scalar === ScalarType.INT32) return createNumberReader("integer");
  if (field.scalar === ScalarType.DOUBLE) return createNumberReader("number");
  throw new Error(`${field} is of a type that no body of REST has`);
}

function readTime(json: unknown, walk: Walk): unknown {
  if (typeof json !== "string") return walk.addViolation("wrong_type", "Must be of type string.");
  return isRfc3339(json) ? timestampFromDate(new Date(json)) : walk.addViolation("invalid_format", timeDetail);
}

function readAnyObject(json: unknown, walk: Walk): unknown {
  if (!isObject(json)) return walk.addViolation("wrong_type", "Must be of type object.");
  if (walk.checkDepth(json)) return undefined;
  return isWellFormed(json) ? json : walk.addViolation("invalid_characters", surrogateDetail);
}

/** Whether a JSON value has more than `levels` levels of objects and arrays. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  // Arrays are not copied: a body may have half a million elements.
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return members.some((member) => isDeeperThan(member, levels - 1));
}

/** Whether all texts in a value of bounded depth can be encoded as UTF-8. */
export function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isWellFormed);
  return Object.entries(value).every(([name, member]) => name.isWellFormed() && isWellFormed(member));
}

function readBoolean(json: unknown, walk: Walk): unknown {
  return typeof json === "boolean" ? json : walk.addViolation("wrong_type", "Must be of type boolean.");
}

function readText(json: unknown, walk: Walk): unknown {
  if (typeof json !== "string") return walk.addViolation("wrong_type", "Must be of type string.");
  return json.isWellFormed() ? json : walk.addViolation("invalid_characters", surrogateDetail);
}

/** @param isOpen whether unknown words are read as the unspecified value */
function createWordReader(schema: DescEnum, isOpen: boolean): Read {
  const words = listEnumWords(schema);
  const values = new Map(words.map((word) => [word, parseEnumWord(schema, word)]));
  const { code, detail } = describeUnknownWord(words);
  return (json, walk) => {
    if (typeof json !== "string") return walk.addViolation("wrong_type", "Must be of type string.");
    return values.get(json) ?? (isOpen ? 0 : walk.addViolation(code, detail));
  };
}

/** An integer outside int32 is read as the nearest one, which no id and no range has. */
function createNumberReader(type: "integer" | "number"): Read {
  return (json, walk) => {
    if (!(type === "integer" ? Number.isInteger(json) : Number.isFinite(json)) || typeof json !== "number") {
      return walk.addViolation("wrong_type", `Must be of type ${type}.`);
    }
    return type === "integer" ? Math.max(-maxInt32, Math.min(maxInt32, json)) : json;
  };
}

/** Creates the default of a field; undefined for an optional field. */
function findDefault(field: DescField): (() => unknown) | undefined {
  if (field.fieldKind === "list") return () => [];
  if (field.proto.proto3Optional || field.message !== undefined) return undefined;
  if (field.scalar === ScalarType.STRING) return () => "";
  return field.scalar === ScalarType.BOOL ? () => false : () => 0;
}
