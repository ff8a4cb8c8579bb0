// Reads the options of rpcs in the protos: scope, audit record, deprecation.
import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { audit_rule, deprecation, required_scope } from "../gen/assessment/v1/options_pb.ts";
import { isCalendarDay } from "./formats.ts";

/** How calls of an rpc are recorded. */
export interface AuditRule {
  /** The action, as noun and verb. */
  readonly action: string;
  /** Whether a call is also recorded before it begins, as `begun`. */
  readonly recordBefore: boolean;
}

/** Noun and verb, in at most 48 characters. */
const auditActionPattern = /^(?=.{1,48}$)[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/;

/** How calls of an rpc are recorded; undefined if they are not. Throws if the proto does not say. */
export function auditRule(method: DescMethod): AuditRule | undefined {
  const { action, recordBefore } = hasOption(method, audit_rule) ? getOption(method, audit_rule) : noRule;
  if (action === "none") return undefined;
  if (!auditActionPattern.test(action)) {
    throw new Error(`${method.parent.typeName}.${method.name} states no audit_rule: an action, or none`);
  }
  return { action, recordBefore };
}

/** Actions that exist on the command line only. Everything else there is a call of an rpc, and is recorded as one. */
export const operatorActions = ["norm_pool.update", "retention.run", "signing_key.rotate"] as const;
export type OperatorAction = (typeof operatorActions)[number];

const noRule = { action: "", recordBefore: false };

/** The scope that an rpc requires, or `none`. Throws if the proto does not state one. */
export function requiredScope(method: DescMethod): string {
  const scope = hasOption(method, required_scope) ? getOption(method, required_scope) : "";
  if (scope === "") throw new Error(`${method.parent.typeName}.${method.name} states no required_scope`);
  return scope;
}

/** The deprecation of an rpc. */
export interface Deprecation {
  /** Deprecated since. Midnight, UTC. */
  readonly since: Date;
  /** Available at least until. Midnight, UTC. */
  readonly sunset: Date;
  /** The replacement, as a sentence. */
  readonly instead: string;
}

/** The deprecation of an rpc; undefined if it has none. */
export type Deprecations = (method: DescMethod) => Deprecation | undefined;

/** Headers, or metadata, of every response of a deprecated rpc. Names are in lower case. */
export type DeprecationHeaders = Readonly<Record<"deprecation" | "sunset" | "link", string>>;

/** Makes those headers for each response; undefined for an rpc that is not deprecated. */
export type DeprecationHeadersOf = (method: DescMethod) => (() => DeprecationHeaders) | undefined;

/** The path of the guide on deprecated rpcs. */
const guidePath = "/docs/deprecation";
const leastMonths = 12;

/**
 * The deprecation in the proto of an rpc. Throws if it is inconsistent: `deprecated`, which generated clients show, without
 * `deprecation`, or the reverse; an invalid day; too short a period; no replacement.
 */
export function deprecationOf(method: DescMethod): Deprecation | undefined {
  const name = `${method.parent.typeName}.${method.name}`;
  const isStated = hasOption(method, deprecation);
  if (isStated !== method.deprecated) {
    throw new Error(`${name} needs both options or none: deprecated = true, and (deprecation)`);
  }
  if (!isStated) return undefined;
  const stated = getOption(method, deprecation);
  const { instead } = stated;
  const [since, sunset] = [dayOf(stated.since), dayOf(stated.sunset)];
  if (since === undefined || sunset === undefined) throw new Error(`${name}: since and sunset are days, as 2026-11-22`);
  if (sunset < monthsAfter(since, leastMonths)) throw new Error(`${name}: sunset is ${leastMonths} months after since`);
  if (instead === "") throw new Error(`${name} does not say what to use instead`);
  return { since, sunset, instead };
}

/** The deprecated ones of some rpcs, by their names in metrics, such as `SessionService/GetSession`. */
export function deprecatedRpcs(methods: Iterable<DescMethod>, deprecations: Deprecations): ReadonlySet<string> {
  const names = [...methods].filter(deprecations).map(({ parent, name }) => `${parent.name}/${name}`);
  return new Set(names);
}

/** The headers of deprecated rpcs. @param publicUrl address of the service as callers see it */
export function deprecationHeaders(deprecations: Deprecations, publicUrl: () => string): DeprecationHeadersOf {
  return (method) => {
    const stated = deprecations(method);
    return stated && (() => headersOf(stated, publicUrl()));
  };
}

/** RFC 9745 for Deprecation, RFC 8594 for Sunset; both define the link relation to the guide. */
function headersOf({ since, sunset }: Deprecation, publicUrl: string): DeprecationHeaders {
  const guide = `<${publicUrl}${guidePath}>`;
  return {
    deprecation: `@${since.getTime() / 1000}`,
    sunset: sunset.toUTCString(),
    link: `${guide}; rel="deprecation"; type="text/html", ${guide}; rel="sunset"; type="text/html"`,
  };
}

/** Midnight of a day, UTC; undefined if the day does not exist. */
function dayOf(text: string): Date | undefined {
  return isCalendarDay(text) ? new Date(text) : undefined;
}

function monthsAfter(day: Date, months: number): Date {
  const later = new Date(day);
  later.setUTCMonth(day.getUTCMonth() + months);
  return later;
}
