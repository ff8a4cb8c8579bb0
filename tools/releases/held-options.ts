// What the options of released protos promise, which `buf breaking` does not look at: whose token may make a call, how REST
// serves it, and how each reason for an error appears at each transport.
import {
  create,
  createFileRegistry,
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescMethod,
  type FileRegistry,
  fromBinary,
  getOption,
  hasOption,
  type Registry,
  toJsonString,
} from "@bufbuild/protobuf";
import { FileDescriptorSetSchema, MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import {
  deprecation,
  error_rule,
  JsonMemberSchema,
  json,
  RestRuleSchema,
  required_scope,
  rest,
} from "../../src/gen/assessment/v1/options_pb.ts";
import { http } from "../../src/gen/google/api/annotations_pb.ts";
import { isCalendarDay } from "../../src/kernel/formats.ts";

/** The protos of a file that `buf build` wrote. */
export function readProtos(bytes: Uint8Array): FileRegistry {
  return createFileRegistry(fromBinary(FileDescriptorSetSchema, bytes));
}

/** Promises of released options that the current ones break, each in a line; additions break none. */
export function brokenOptions(released: Registry, current: Registry): string[] {
  const releasedPromises = collectPromises(released);
  const currentPromises = collectPromises(current);
  const broken = [...releasedPromises].flatMap(([what, promised]) => {
    const now = currentPromises.get(what);
    return now === promised ? [] : [`${what}: ${promised} was promised, ${now ?? "nothing"} is there`];
  });
  return [...broken, ...newDemands(released, current), ...earlierSunsets(released, current)];
}

/** Members that requests need now, and did not. */
function newDemands(released: Registry, current: Registry): string[] {
  const before = requiredMembers(released);
  const messages = new Set([...collectMessages(released)].map(({ typeName }) => typeName));
  const isNew = (member: string) => messages.has(member.slice(0, member.lastIndexOf("."))) && !before.has(member);
  return [...requiredMembers(current)].filter(isNew).map((member) => `${member} is required, and was not`);
}

function requiredMembers(protos: Registry): ReadonlySet<string> {
  const fields = [...collectMessages(protos)].flatMap((message) => message.fields);
  return new Set(fields.filter((field) => getOption(field, json).required).map(memberName));
}

function memberName({ parent, name }: DescField): string {
  return `${parent.typeName}.${name}`;
}

/** Days compare as texts. A deprecation that was taken back breaks no promise. */
function earlierSunsets(released: Registry, current: Registry): string[] {
  const now = findSunsets(current);
  return [...findSunsets(released)].flatMap(([rpc, promised]) => {
    const sunset = now.get(rpc) ?? promised;
    return sunset < promised ? [`${rpc} has its sunset on ${sunset}, and ${promised} was promised`] : [];
  });
}

function findSunsets(protos: Registry): Map<string, string> {
  const sunsets = new Map<string, string>();
  for (const type of protos) {
    if (type.kind !== "service") continue;
    for (const method of type.methods) {
      if (hasOption(method, deprecation)) {
        sunsets.set(`${type.typeName}/${method.name}`, getOption(method, deprecation).sunset);
      }
    }
  }
  return sunsets;
}

const minMonths = 12;

/**
 * Faults of deprecations, each in a line: `deprecated`, which generated clients show, without `deprecation`, or the reverse; an
 * invalid day; too short a period; no replacement.
 */
export function deprecationFaults(protos: Registry): string[] {
  const services = [...protos].filter((type) => type.kind === "service");
  return services.flatMap(({ methods }) =>
    methods.flatMap((method) => {
      const fault = findFault(method);
      return fault === undefined ? [] : [`${method.parent.typeName}/${method.name} ${fault}`];
    }),
  );
}

function findFault(method: DescMethod): string | undefined {
  const isStated = hasOption(method, deprecation);
  if (isStated !== method.deprecated) return "needs both options or none: deprecated = true, and (deprecation)";
  if (!isStated) return undefined;
  const { since, sunset, instead } = getOption(method, deprecation);
  if (!isCalendarDay(since) || !isCalendarDay(sunset)) return "needs since and sunset as days, such as 2026-11-22";
  const earliest = new Date(since);
  earliest.setUTCMonth(earliest.getUTCMonth() + minMonths);
  if (new Date(sunset) < earliest) return `needs a sunset ${minMonths} months after since`;
  return instead === "" ? "needs the words of what to use instead" : undefined;
}

function collectPromises(protos: Registry): Map<string, string> {
  const promises = new Map<string, string>();
  for (const type of protos) {
    if (type.kind === "service") {
      for (const method of type.methods) addCall(promises, method);
    }
    if (type.kind === "enum" && type.name === "ErrorReason") addReasons(promises, type);
  }
  for (const message of collectMessages(protos)) addMembers(promises, message);
  return promises;
}

/** Who may make a call, and how REST serves it. */
function addCall(promises: Map<string, string>, method: DescMethod): void {
  const name = `${method.parent.typeName}/${method.name}`;
  promises.set(`${name} requires`, getOption(method, required_scope));
  if (method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS) promises.set(`${name} is`, "a read");
  const binding = getOption(method, http);
  for (const [index, { pattern, body, responseBody }] of [binding, ...binding.additionalBindings].entries()) {
    if (pattern.case === undefined || pattern.case === "custom") continue;
    const path = `${pattern.case.toUpperCase()} ${pattern.value}`;
    const { status, location, query, bodyOptional } = getOption(method, rest)[index] ?? create(RestRuleSchema);
    promises.set(`${path} is`, JSON.stringify({ name, body, responseBody, status, location }));
    for (const each of query) promises.set(`${path}?${each} is`, "a parameter");
    if (bodyOptional) promises.set(`${path} without a body is`, "accepted");
  }
}

/** Names and places of members in JSON. Examples are words. */
function addMembers(promises: Map<string, string>, { fields }: DescMessage): void {
  for (const field of fields) {
    const member = create(JsonMemberSchema, { ...getOption(field, json), example: "", required: false });
    promises.set(`${memberName(field)} in JSON is`, toJsonString(JsonMemberSchema, member));
  }
}

/** Every message that a call has, or another message. */
function collectMessages(protos: Registry): ReadonlySet<DescMessage> {
  const messages = new Set<DescMessage>();
  const add = (message: DescMessage): void => {
    if (messages.has(message)) return;
    messages.add(message);
    for (const field of message.fields) if (field.message !== undefined) add(field.message);
  };
  for (const type of protos) {
    if (type.kind !== "service") continue;
    for (const { input, output } of type.methods) for (const message of [input, output]) add(message);
  }
  return messages;
}

/**
 * A transport at which a reason could not occur promises nothing. Titles and remedies are words, and may be said
 * better.
 */
function addReasons(promises: Map<string, string>, { values }: DescEnum): void {
  for (const value of values) {
    const { httpStatus, grpcStatus } = getOption(value, error_rule);
    if (httpStatus !== 0) promises.set(`${value.name} over REST is`, String(httpStatus));
    if (grpcStatus !== "") promises.set(`${value.name} over gRPC is`, grpcStatus);
  }
}
