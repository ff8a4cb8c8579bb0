// Query parameters.
import { type Timestamp, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { FastifyRequest } from "fastify";
import { details } from "../../kernel/errors/details.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { isTime, versionViolations } from "../../kernel/formats.ts";
import { meantName, shownName } from "../../kernel/json/meant-names.ts";
import { timeDetail } from "../../kernel/json/message-from-json.ts";

/** A truth value, false without the parameter. Throws `invalid_request` for any other word. */
export function truthValueOf(request: FastifyRequest, name: string): boolean {
  const value = (request.query as Readonly<Record<string, unknown>>)[name];
  if (value === undefined || value === "false") return false;
  if (value === "true") return true;
  throw refused("unknown_value", `The query parameter \`${name}\` must be one of: true, false.`);
}

/** A text, undefined without the parameter. Throws `invalid_request` if it is given twice. */
export function textOf(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Readonly<Record<string, unknown>>)[name];
  if (value === undefined || typeof value === "string") return value;
  throw refused("too_many_items", `The query parameter \`${name}\` must be given once.`);
}

/** An integer within bounds, undefined without the parameter. Throws `invalid_request`. */
export function integerOf(request: FastifyRequest, name: string, least: number, most: number): number | undefined {
  const text = textOf(request, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value >= least && value <= most) return value;
  throw refused("out_of_range", `The query parameter \`${name}\` must be an integer from ${least} to ${most}.`);
}

/**
 * A moment with its zone, as in RFC 3339; undefined without the parameter. Throws `invalid_request`. A plus that was
 * not encoded arrives as a blank, and is meant.
 */
export function timeOf(request: FastifyRequest, name: string): Timestamp | undefined {
  const text = textOf(request, name)?.replace(" ", "+");
  if (text === undefined) return undefined;
  if (isTime(text)) return timestampFromDate(new Date(text));
  throw refused("invalid_format", `The query parameter \`${name}\` is not a time. ${timeDetail}`);
}

/** One of some words, undefined without the parameter. Throws `invalid_request` for any other word. */
export function wordOf<T extends string>(request: FastifyRequest, name: string, words: readonly T[]): T | undefined {
  const text = textOf(request, name);
  const word = words.find((each) => each === text);
  if (text === undefined || word !== undefined) return word;
  throw refused("unknown_value", `The query parameter \`${name}\` must be one of: ${words.join(", ")}.`);
}

/** Texts that are separated by commas, none without the parameter. Throws `invalid_request` if it is given twice. */
export function listOf(request: FastifyRequest, name: string): string[] {
  const text = textOf(request, name);
  return text === undefined || text === "" ? [] : text.split(",");
}

/** The version asked for, if one is. Throws `invalid_request` if it is no version number. */
export function versionOf(request: FastifyRequest): { version?: number } {
  const { version } = request.query as { version?: string | string[] };
  if (version === undefined) return {};
  const number = typeof version === "string" && /^[1-9]\d{0,9}$/.test(version) ? Number(version) : 0;
  const violations = versionViolations(number);
  if (violations.length === 0) return { version: number };
  throw new Refusal("invalid_request", "The query parameter `version` is not a version.", { violations });
}

/** A violation has no place in a body, so its words name the parameter. */
function refused(code: string, detail: string): Refusal {
  return new Refusal("invalid_request", details.invalid_request, { violations: [{ path: [], code, detail }] });
}

/**
 * Throws `malformed_request` for a query that cannot be decoded, which the parser would take as it stands, and
 * `invalid_request` for a parameter that the route's operation does not have. Routes without an operation take any: of
 * OAuth endpoints RFC 6749 section 3.2 demands it.
 */
export function requireKnownParameters({ query, routeOptions, url }: FastifyRequest): void {
  requireDecodable(url);
  const { operation } = routeOptions.config;
  if (operation === undefined) return;
  const known = operation.parameters;
  const unknown = Object.keys(query as object).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const meant = meantName(unknown, known);
  const there = known.length === 0 ? "There are none here; remove them." : `There are: ${known.join(", ")}.`;
  const hint = meant === undefined ? there : `Did you mean \`${meant}\`? ${there}`;
  throw refused("unknown_parameter", `There is no query parameter ${shownName(unknown)} here. ${hint}`);
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
