// A partner's policies for its sessions: when they expire, and when they are deleted.

import type { SessionMode } from "../../domain/sessions/session.ts";
import type { PartnerService, SessionPolicy as PolicyMessage } from "../../gen/assessment/v1/partner_service_pb.ts";
import { SessionMode as ModeMessage } from "../../gen/assessment/v1/session_service_pb.ts";
import { findWord, mapEnumWords } from "../../json/members.ts";
import { invalidFieldError, invalidRequestError } from "../../kernel/errors/refusal.ts";
import type { Violation } from "../../kernel/errors/violation.ts";
import type { ServiceImpl } from "../../pipeline/call.ts";
import { type PolicyDays, policyFields, type SessionPolicy } from "../../store/retention/session-policy-store.ts";
import type { Dependencies } from "../dependencies.ts";
import { getPartner } from "../identity/partners.ts";

const modeNumbers = mapEnumWords(ModeMessage);
const modes = ["headless", "hosted"] as const;
/** The times that a policy's deletion depends on. */
export const deletionDays = policyFields.filter((name) => name !== "expiresAfterDays");

export function createSessionPolicyRpcs(deps: Dependencies) {
  const { sessionPolicies } = deps;
  return {
    /** One policy for each mode. */
    async getSessionPolicies({ partnerId }, call) {
      const { id } = await getPartner(deps, partnerId, call);
      const find = async (mode: SessionMode) => (await sessionPolicies.findPolicy(id, mode, call.signal)) ?? { mode };
      return { policies: await Promise.all(modes.map(find)) };
    },

    /** Replaces the policy of a mode. */
    async updateSessionPolicy({ partnerId, policy: message }, call) {
      const policy = readPolicyMessage(message);
      const { id } = await getPartner(deps, partnerId, call);
      if (policy.mode === "headless" && policy.expiresAfterDays !== null)
        throw invalidRequestError([headlessViolation]);
      await sessionPolicies.savePolicy({ partnerId: id, ...policy }, call.signal);
      return { policy };
    },
  } satisfies Partial<ServiceImpl<typeof PartnerService>>;
}

const headlessViolation: Violation = {
  path: ["policy", "expiresAfterDays"],
  code: "not_applicable",
  detail: "Headless sessions expire only if their request says so.",
};

/** The policy in a message; none sets nothing. Throws `invalid_request` unless it names a mode. */
export function readPolicyMessage(message: PolicyMessage | undefined): Omit<SessionPolicy, "partnerId"> {
  const mode = findWord(modeNumbers, message?.mode);
  if (mode === undefined) {
    const detail = "Must be one of: headless, hosted.";
    throw invalidFieldError(["policy", "mode"], "unknown_value", detail);
  }
  const days = Object.fromEntries(policyFields.map((name) => [name, message?.[name] ?? null]));
  return { mode, ...(days as PolicyDays) };
}
