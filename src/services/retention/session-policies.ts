// A partner's policies for its sessions: when they expire, and when they are deleted.

import type { SessionMode } from "../../domain/sessions/session.ts";
import type {
  GetSessionPoliciesRequest,
  SessionPolicy as PolicyMessage,
  UpdateSessionPolicyRequest,
} from "../../gen/assessment/v1/partner_service_pb.ts";
import { SessionMode as ModeMessage } from "../../gen/assessment/v1/session_service_pb.ts";
import { findWord, mapEnumWords } from "../../json/members.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { invalidRequest } from "../../kernel/errors/refusal.ts";
import type { Violation } from "../../kernel/errors/violation.ts";
import { type PolicyDays, policyFields, type SessionPolicy } from "../../store/retention/session-policy-store.ts";
import type { Needs } from "../dependencies.ts";
import { getPartner } from "../identity/partners.ts";

const modeNumbers = mapEnumWords(ModeMessage);
const modes = ["headless", "hosted"] as const;
/** The times that a policy's deletion depends on. */
export const deletionDays = policyFields.filter((name) => name !== "expiresAfterDays");

/** The policies of a partner, one for each mode. Throws `not_found`. */
export async function getSessionPolicies(
  deps: Needs<"identities" | "sessionPolicies">,
  { partnerId }: Pick<GetSessionPoliciesRequest, "partnerId">,
  deadline: Deadline,
) {
  const { id } = await getPartner(deps, partnerId, deadline);
  const find = async (mode: SessionMode) =>
    (await deps.sessionPolicies.findPolicy(id, mode, deadline.signal)) ?? { mode };
  return { policies: await Promise.all(modes.map(find)) };
}

/** Replaces the policy. @returns it as stored. Throws `not_found`, `invalid_request`. */
export async function updateSessionPolicy(
  deps: Needs<"identities" | "sessionPolicies">,
  { partnerId, policy }: Pick<UpdateSessionPolicyRequest, "partnerId" | "policy">,
  deadline: Deadline,
) {
  const newPolicy = fromPolicyMessage(policy);
  const { id } = await getPartner(deps, partnerId, deadline);
  if (newPolicy.mode === "headless" && newPolicy.expiresAfterDays !== null) throw invalidRequest([headlessViolation]);
  await deps.sessionPolicies.savePolicy({ partnerId: id, ...newPolicy }, deadline.signal);
  return { policy: newPolicy };
}

const headlessViolation: Violation = {
  path: ["policy", "expiresAfterDays"],
  code: "not_applicable",
  detail: "Headless sessions expire only if their request says so.",
};

/** The policy in a message; none sets nothing. Throws `invalid_request` unless it names a mode. */
export function fromPolicyMessage(message: PolicyMessage | undefined): Omit<SessionPolicy, "partnerId"> {
  const mode = findWord(modeNumbers, message?.mode);
  if (mode === undefined) {
    const detail = "Must be one of: headless, hosted.";
    throw invalidRequest([{ path: ["policy", "mode"], code: "unknown_value", detail }]);
  }
  const days = Object.fromEntries(policyFields.map((name) => [name, message?.[name] ?? null]));
  return { mode, ...(days as PolicyDays) };
}
