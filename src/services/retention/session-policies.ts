// A partner's policies for its sessions: when they expire, and when they are deleted.
import type { SessionPolicy as PolicyMessage } from "../../gen/assessment/v1/partner_service_pb.ts";
import { SessionMode } from "../../gen/assessment/v1/session_service_pb.ts";
import { findEnumWord } from "../../json/members.ts";
import { invalidFieldError } from "../../kernel/errors/refusal.ts";
import { type PolicyDays, policyFields, type SessionPolicy } from "../../store/retention/session-policy-store.ts";

export const policyModes = ["headless", "hosted"] as const;
/** The times that a policy's deletion depends on. */
export const deletionDays = policyFields.filter((name) => name !== "expiresAfterDays");

/** The policy in a message; none sets nothing. Throws `invalid_request` unless it names a mode. */
export function readPolicyMessage(message: PolicyMessage | undefined): Omit<SessionPolicy, "partnerId"> {
  const mode = findEnumWord(SessionMode, message?.mode);
  if (mode === undefined) {
    const detail = "Must be one of: headless, hosted.";
    throw invalidFieldError(["policy", "mode"], "unknown_value", detail);
  }
  const days = Object.fromEntries(policyFields.map((name) => [name, message?.[name] ?? null]));
  return { mode, ...(days as PolicyDays) };
}
