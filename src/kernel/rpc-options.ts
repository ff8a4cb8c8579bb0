// What the options of an rpc say, in the protos: the scope that it requires, how its calls are recorded in the audit log,
// and whether callers should leave it.
import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { audit_rule, deprecation, required_scope } from "../gen/assessment/v1/options_pb.ts";

/** How calls of an rpc are recorded. */
export interface AuditRule {
  /** What callers do, as noun and verb. */
  readonly action: string;
  /** Whether a call is recorded before it begins as well. */
  readonly auditBefore: boolean;
}

/** Noun and verb, in at most 48 characters. */
export const auditActionPattern = /^(?=.{1,48}$)[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/;

/** How calls of an rpc are recorded; undefined if they are not. Throws if the proto does not state it. */
export function auditRule(method: DescMethod): AuditRule | undefined {
  const { action, announced } = hasOption(method, audit_rule) ? getOption(method, audit_rule) : noRule;
  if (action === "none") return undefined;
  if (!auditActionPattern.test(action)) {
    throw new Error(`${method.parent.typeName}.${method.name} states no audit_rule: an action, or none`);
  }
  return { action, auditBefore: announced };
}

/** What operators do at the command line alone: all else that they do there is a call of an rpc, recorded as such. */
export const operatorActions = ["clock.accept", "norm_pool.update", "retention.run", "signing_key.rotate"] as const;
export type OperatorAction = (typeof operatorActions)[number];

const noRule = { action: "", announced: false };

/** The scope an rpc requires, or `none`. Throws where the proto does not state one. */
export function requiredScope(method: DescMethod): string {
  const scope = hasOption(method, required_scope) ? getOption(method, required_scope) : "";
  if (scope === "") throw new Error(`${method.parent.typeName}.${method.name} states no required_scope`);
  return scope;
}

/** When callers should leave an rpc, and for what. */
export interface Deprecation {
  /** From then on they should. Midnight, UTC. */
  readonly since: Date;
  /** From then on the rpc may be gone. Midnight, UTC. */
  readonly sunset: Date;
  /** What to use instead, as a sentence. */
  readonly instead: string;
}

/** Whether an rpc is deprecated, and how; undefined if it is not. */
export type Deprecations = (method: DescMethod) => Deprecation | undefined;

/** Headers, or metadata, of every response of a deprecated rpc. Names are in lower case. */
export type DeprecationHeaders = Readonly<Record<"deprecation" | "sunset" | "link", string>>;

/** Gives those headers when a response leaves; undefined for an rpc that is not deprecated. */
export type DeprecationHeadersOf = (method: DescMethod) => (() => DeprecationHeaders) | undefined;

/** The guide that says what is deprecated, below the service's own address. */
const guidePath = "/docs/deprecation";
const leastMonths = 12;
const dayPattern = /^\d{4}-\d\d-\d\d$/;

/**
 * What the protos say of an rpc. Throws if they contradict themselves: `deprecated`, which generated clients tell,
 * without `deprecation`, or the reverse; a day that is none; a time to leave that is too short; nothing to use instead.
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

/** The deprecated ones of some rpcs, by the names that metrics have, such as `SessionService/GetSession`. */
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

/** RFC 9745 for Deprecation, RFC 8594 for Sunset; both name the relation that leads to the guide. */
function headersOf({ since, sunset }: Deprecation, publicUrl: string): DeprecationHeaders {
  const guide = `<${publicUrl}${guidePath}>`;
  return {
    deprecation: `@${since.getTime() / 1000}`,
    sunset: sunset.toUTCString(),
    link: `${guide}; rel="deprecation"; type="text/html", ${guide}; rel="sunset"; type="text/html"`,
  };
}

/** Midnight of a day, UTC; undefined if there is no such day. */
function dayOf(text: string): Date | undefined {
  const day = new Date(text);
  const isDay = dayPattern.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
  return isDay ? day : undefined;
}

function monthsAfter(day: Date, months: number): Date {
  const later = new Date(day);
  later.setUTCMonth(day.getUTCMonth() + months);
  return later;
}
