// Which calls are recorded in the audit log; the one source is the option `audit_rule` in the protos.
import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { audit_rule, required_scope } from "../../gen/assessment/v1/options_pb.ts";

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
