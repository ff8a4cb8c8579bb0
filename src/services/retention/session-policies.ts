// A partner's policies for its sessions: when they expire, and when they are deleted.

import type { SessionMode } from "../../domain/sessions/session.ts";
import type { SessionPolicy as PolicyMessage } from "../../gen/assessment/v1/partner_service_pb.ts";
import { SessionMode as ModeMessage } from "../../gen/assessment/v1/session_service_pb.ts";
import { byWord } from "../../json/members.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { invalidRequest } from "../../kernel/errors/refusal.ts";
import type { Violation } from "../../kernel/errors/violation.ts";
import type { SessionPolicy } from "../../store/retention/session-policy-store.ts";
import type { Needs } from "../dependencies.ts";
import { getPartner } from "../identity/partners.ts";
export type SessionPolicyDeps = Needs<"identities" | "sessionPolicies">;

const modes: readonly SessionMode[] = ["headless", "hosted"];
const modeNumbers = byWord(ModeMessage);
/** What a policy's deletion goes by. */
export const deletionDays = [
  "deleteCompletedAfterDays",
  "deleteOpenAfterDays",
  "deleteAnswersAfterDays",
  "deleteResultsAfterDays",
] as const;

/** The policies of a partner, one for each mode. Throws `not_found`. */
export async function getSessionPolicies(
  deps: SessionPolicyDeps,
  partnerId: string,
  deadline: Deadline,
): Promise<SessionPolicy[]> {
  const { id } = await getPartner(deps, partnerId, deadline);
  return Promise.all(
    modes.map(
      async (mode) =>
        (await deps.sessionPolicies.findPolicy(id, mode, deadline.signal)) ?? { partnerId: id, mode, ...daysOf() },
    ),
  );
}

/** Replaces the policy. @returns it as stored. Throws `not_found`, `invalid_request`. */
export async function updateSessionPolicy(
  deps: SessionPolicyDeps,
  policy: SessionPolicy,
  deadline: Deadline,
): Promise<SessionPolicy> {
  const { id } = await getPartner(deps, policy.partnerId, deadline);
  const { mode, partnerId: _, ...days } = policy;
  if (mode === "headless" && days.expiresAfterDays !== null) throw invalidRequest([headlessViolation]);
  const stored = { partnerId: id, mode, ...days };
  await deps.sessionPolicies.savePolicy(stored, deadline.signal);
  return stored;
}

const headlessViolation: Violation = {
  path: ["policy", "expiresAfterDays"],
  code: "not_applicable",
  detail: "Headless sessions expire only if their request says so.",
};

/** The policy in a message. Throws `invalid_request` unless it names a mode. */
export function fromPolicyMessage(partnerId: string, message: PolicyMessage | undefined): SessionPolicy {
  const mode = modes.find((each) => modeNumbers[each] === message?.mode);
  if (mode !== undefined) return { partnerId, mode, ...daysOf(message) };
  const detail = "Must be one of: headless, hosted.";
  throw invalidRequest([{ path: ["policy", "mode"], code: "unknown_value", detail }]);
}

/** The policy in a message. No message sets nothing. */
function daysOf(message?: PolicyMessage) {
  return {
    expiresAfterDays: message?.expiresAfterDays ?? null,
    deleteCompletedAfterDays: message?.deleteCompletedAfterDays ?? null,
    deleteOpenAfterDays: message?.deleteOpenAfterDays ?? null,
    deleteAnswersAfterDays: message?.deleteAnswersAfterDays ?? null,
    deleteResultsAfterDays: message?.deleteResultsAfterDays ?? null,
  };
}
