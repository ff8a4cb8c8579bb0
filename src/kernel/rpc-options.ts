// Reads the options of rpcs in the protos: scope, audit record, deprecation.
import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { audit_rule, deprecation, required_scope } from "../gen/assessment/v1/options_pb.ts";

/** The audit record of an rpc's calls. */
export interface AuditRule {
  /** The action, as noun and verb. */
  readonly action: string;
  /** Whether a call is also recorded before it begins, as `begun`. */
  readonly recordBefore: boolean;
}

/** Noun and verb, in at most 48 characters. */
const auditActionPattern = /^(?=.{1,48}$)[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/;

/** The audit record of an rpc's calls; undefined if they are not recorded. Throws if the proto does not say. */
export function readAuditRule(method: DescMethod): AuditRule | undefined {
  const { action, recordBefore } = hasOption(method, audit_rule) ? getOption(method, audit_rule) : noRule;
  if (action === "none") return undefined;
  if (!auditActionPattern.test(action)) {
    throw new Error(`${method.parent.typeName}.${method.name} states no audit_rule: an action, or none`);
  }
  return { action, recordBefore };
}

/** Actions that exist on the command line only. Everything else there is a call of an rpc, and is recorded as one. */
export const operatorActions = ["norm_pool.update"] as const;
export type OperatorAction = (typeof operatorActions)[number];

const noRule = { action: "", recordBefore: false };

/** The scope that an rpc requires, or `none`. Throws if the proto does not state one. */
export function readRequiredScope(method: DescMethod): string {
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

/** Makes headers, or metadata, of a response of a deprecated rpc. Names are in lower case. */
export type DeprecationHeaders = () => Readonly<Record<"deprecation" | "sunset" | "link", string>>;

/** The path of the guide on deprecated rpcs. */
const guidePath = "/docs/deprecation";

/** The deprecation in the proto of an rpc; tools/releases refuses an inconsistent one. */
export function readDeprecation(method: DescMethod): Deprecation | undefined {
  if (!hasOption(method, deprecation)) return undefined;
  const { since, sunset, instead } = getOption(method, deprecation);
  return { since: new Date(since), sunset: new Date(sunset), instead };
}

/**
 * The headers of every response of an rpc; undefined if it is not deprecated. RFC 9745 for Deprecation, RFC 8594 for Sunset;
 * both define the link relation to the guide.
 * @param publicUrl address of the service as callers see it
 */
export function createDeprecationHeaders(method: DescMethod, publicUrl: () => string): DeprecationHeaders | undefined {
  const stages = readDeprecation(method);
  if (stages === undefined) return undefined;
  return () => {
    const guide = `<${publicUrl()}${guidePath}>`;
    return {
      deprecation: `@${stages.since.getTime() / 1000}`,
      sunset: stages.sunset.toUTCString(),
      link: `${guide}; rel="deprecation"; type="text/html", ${guide}; rel="sunset"; type="text/html"`,
    };
  };
}
