// Reads the message of a request from path, query, headers and body, and locates violations in them.
import { ScalarType } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Bounds, listEnumWords, readBounds } from "../../json/bounds.ts";
import { isTime, parseEnumWord } from "../../json/members.ts";
import { createJsonReader, timeDetail } from "../../json/message-from-json.ts";
import { formatName, suggestName } from "../../json/name-suggestions.ts";
import type { ReadLimits } from "../../kernel/calls/core.ts";
import { details } from "../../kernel/errors/details.ts";
import {
  invalidRequestError,
  notFoundByIdError,
  Refusal,
  throwIfInvalid,
  unknownProductError,
} from "../../kernel/errors/refusal.ts";
import type { Violation } from "../../kernel/errors/violation.ts";
import { isRfc3339 } from "../../kernel/formats.ts";
import { isProduct, isUuid } from "../../kernel/ids.ts";
import type { ArrivingMessages } from "../../limits/memory.ts";
import { parseJson, readJsonBody } from "../../transport/http/bodies.ts";
import type { Operation, Parameter } from "./operations.ts";

/** The value of a parameter; undefined if it is missing. Throws `invalid_request`. */
function readParameter(request: FastifyRequest, { name, field, rule }: Parameter): unknown {
  if (rule.queryWord !== "") return readWord(request, name, [rule.queryWord]) !== undefined;
  if (field.enum !== undefined) {
    const word = readWord(request, name, listEnumWords(field.enum));
    return word === undefined ? undefined : parseEnumWord(field.enum, word);
  }
  if (field.fieldKind === "list")
    return readText(request, name)
      ?.split(",")
      .filter((item) => item !== "");
  if (isTime(field)) return readTime(request, name);
  if (field.fieldKind !== "scalar") throw new Error(`${field} is of a kind that no query has`);
  if (field.scalar === ScalarType.BOOL) return readWord(request, name, ["true", "false"]) === "true";
  return field.scalar === ScalarType.STRING ? readText(request, name) : readInteger(request, name, readBounds(field));
}

/** The text of a parameter; undefined if it is missing. Throws `invalid_request` if it is given twice. */
export function readText(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Readonly<Record<string, unknown>>)[name];
  if (value === undefined || typeof value === "string") return value;
  throw toParameterError(name, "too_many_items", `The query parameter \`${name}\` must be given once.`);
}

function readInteger(request: FastifyRequest, name: string, { minimum = 0, maximum = 2 ** 31 - 1 }: Bounds) {
  const text = readText(request, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d{1,10}$/.test(text) && value >= minimum && value <= maximum) return value;
  const detail = `The query parameter \`${name}\` must be an integer from ${minimum} to ${maximum}.`;
  throw toParameterError(name, "out_of_range", detail);
}

/** A plus that is not encoded arrives as a space. */
function readTime(request: FastifyRequest, name: string) {
  const text = readText(request, name)?.replace(" ", "+");
  if (text === undefined) return undefined;
  if (isRfc3339(text)) return timestampFromDate(new Date(text));
  throw toParameterError(name, "invalid_format", `The query parameter \`${name}\` is not a time. ${timeDetail}`);
}

/** One of some words; undefined if the parameter is missing. Throws `invalid_request` for any other word. */
export function readWord<T extends string>(request: FastifyRequest, name: string, words: readonly T[]): T | undefined {
  const text = readText(request, name);
  const word = words.find((each) => each === text);
  if (text === undefined || word !== undefined) return word;
  throw toParameterError(name, "unknown_value", `The query parameter \`${name}\` must be one of: ${words.join(", ")}.`);
}

/** The text names the parameter, since violations outside the body have no pointer. */
function toParameterError(parameter: string, code: string, detail: string): Refusal {
  const violations = [{ path: [], code, detail, parameter }];
  return new Refusal("invalid_request", details.invalid_request, { violations });
}

/** Most unknown query parameters that a refusal names. */
const maxUnknownParameters = 10;

/**
 * The violations of unknown query parameters.
 * Throws `malformed_request` for a query with invalid percent-encoding, which the parser would accept.
 */
function findUnknownParameters({ query, url }: FastifyRequest, { queryNames }: Operation): Violation[] {
  requireDecodable(url);
  const unknown = Object.keys(query as object).filter((name) => !queryNames.includes(name));
  return unknown.slice(0, maxUnknownParameters).map((name) => {
    const suggestion = suggestName(name, queryNames);
    const namesText =
      queryNames.length === 0 ? "There are none here; remove them." : `There are: ${queryNames.join(", ")}.`;
    const hint = suggestion === undefined ? namesText : `Did you mean \`${suggestion}\`? ${namesText}`;
    const shortName = formatName(name);
    const detail = `There is no query parameter ${shortName} here. ${hint}`;
    return { path: [], code: "unknown_parameter", detail, parameter: shortName.startsWith("`") ? name : "" };
  });
}

/** Adds the violations of a parameter to those of others, so that one refusal has all. */
function collectViolations<T>(violations: Violation[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Refusal) || error.violations.length === 0) throw error;
    violations.push(...error.violations);
    return undefined;
  }
}

function requireDecodable(url: string): void {
  const begin = url.indexOf("?");
  if (begin < 0 || !url.includes("%", begin)) return;
  try {
    decodeURIComponent(url.slice(begin));
  } catch {
    throw new Refusal("malformed_request", "The URL cannot be decoded.");
  }
}

/** The fields of a message. */
export type MessageFields = Readonly<Record<string, unknown>>;

/** Everything that an operation reads beside its parameters and its body. */
export interface ReadOverrides {
  /** Fields from headers, read before those of the query. */
  readonly fields?: (request: FastifyRequest) => MessageFields;
  /** Receives paths to ignored members of the body: the first ten. */
  readonly onUnused?: (reply: FastifyReply, unused: readonly Violation["path"][]) => void;
}

/** Creates the reader of an operation's message. The body is read last. */
export function createRequestReader(
  bodies: ArrivingMessages,
  operation: Operation,
  { onUnused, fields: readExtraFields }: ReadOverrides,
) {
  const { rpc, rule, path, query, headers, hasBody } = operation;
  const readBody = hasBody ? createJsonReader(rpc.input) : undefined;
  return async (request: FastifyRequest, reply: FastifyReply, limits: ReadLimits): Promise<MessageFields> => {
    const parameterViolations = findUnknownParameters(request, operation);
    const pathFields = readFields(path, (parameter) => readPathValue(request, parameter));
    const extraFields = readExtraFields && collectViolations(parameterViolations, () => readExtraFields(request));
    const queryFields = readFields(query, (parameter) =>
      collectViolations(parameterViolations, () => readParameter(request, parameter)),
    );
    const headerFields = readFields(headers, ({ name }) => readHeaderText(request, name));
    throwIfInvalid(parameterViolations);
    const otherFields = { ...queryFields, ...headerFields, ...extraFields, ...pathFields };
    if (readBody === undefined) return otherFields;
    const body = await readJsonBody(request.raw, limits, bodies);
    if (body === undefined) {
      if (rule.bodyOptional) return otherFields;
      const violations = [{ path: [], code: "required", detail: "A body is required: at least an empty JSON object." }];
      throw new Refusal("invalid_request", "The request has no body.", { violations });
    }
    const { message, violations, isTruncated, unused } = readBody(parseJson(body));
    if (violations.length > 0) throw invalidRequestError(violations, { isTruncated });
    onUnused?.(reply, unused);
    return { ...(message as MessageFields), ...otherFields };
  };
}

function readFields(parameters: readonly Parameter[], read: (parameter: Parameter) => unknown): MessageFields {
  const fields: Record<string, unknown> = {};
  for (const parameter of parameters) {
    const value = read(parameter);
    const { localName, oneof } = parameter.field;
    if (value === undefined) continue;
    if (oneof === undefined) fields[localName] = value;
    else fields[oneof.localName] = { case: localName, value };
  }
  return fields;
}

/** The value of a path field. Throws `not_found` for an unknown product, and for an invalid UUID. */
function readPathValue(request: FastifyRequest, { name, field }: Parameter): string {
  const value = (request.params as Readonly<Record<string, string>>)[name] ?? "";
  if (name === "product" && !isProduct(value)) throw unknownProductError();
  // An external id is any text.
  if (field.name.endsWith("_id") && field.name !== "external_id" && !isUuid(value)) throw notFoundByIdError(value);
  return value;
}

/** `k` and `"k"` are the same value. */
function readHeaderText(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  const text = Array.isArray(value) ? value.join(", ") : value;
  return text === undefined ? undefined : (/^"(.*)"$/.exec(text)?.[1] ?? text);
}

/** A refusal with violations as REST has them: pointers only into the body, else names of parameters. */
export function locateViolations(refusal: Refusal, { path, query, headers, hasBody }: Operation): Refusal {
  if (refusal.violations.length === 0) return refusal;
  const { code, message, violations, ...options } = refusal;
  const outsideParameters = [...path, ...query, ...headers];
  const locatedViolations = violations.map((violation) => {
    const [first] = violation.path;
    const isAt = ({ field }: Parameter) => field.jsonName === first && violation.code !== "unknown_member";
    const parameter = violation.parameter ?? query.find(isAt)?.name;
    const isOutsideBody = !hasBody || first === undefined || outsideParameters.some(isAt);
    return { ...violation, isOutsideBody, ...(parameter ? { parameter } : {}) };
  });
  return new Refusal(code, message, { ...options, violations: locatedViolations });
}
