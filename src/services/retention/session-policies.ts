// What a partner decides of its sessions in general: when they expire, and when they are deleted.

import type { SessionMode } from "../../domain/sessions/session.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { refuseIfAny } from "../../kernel/errors/refusal.ts";
import type { Violation } from "../../kernel/errors/violation.ts";
import type { SessionPolicy, SessionPolicyStore } from "../../store/retention/session-policy-store.ts";
import { getPartner, type PartnerDeps } from "../identity/partners.ts";

export interface SessionPolicyDeps extends Pick<PartnerDeps, "identities"> {
  readonly sessionPolicies: SessionPolicyStore;
}

const modes: readonly SessionMode[] = ["headless", "hosted"];
/** What a policy deletes by. */
export const deletionDays = [
  "deleteCompletedAfterDays",
  "deleteOpenAfterDays",
  "deleteAnswersAfterDays",
  "deleteResultsAfterDays",
] as const;
const noDays = {
  expiresAfterDays: null,
  deleteCompletedAfterDays: null,
  deleteOpenAfterDays: null,
  deleteAnswersAfterDays: null,
  deleteResultsAfterDays: null,
};
/** Five years, as for the time of a single session. */
const maxExpiryDays = 1_826;
/** A hundred years: what is meant to stay for ever has no policy. */
const maxRetentionDays = 36_500;

/** The policies of a partner, one for each mode. Throws `not_found`. */
export async function getSessionPolicies(
  deps: SessionPolicyDeps,
  partnerId: string,
  deadline: Deadline,
): Promise<SessionPolicy[]> {
  const { id } = await getPartner(deps, partnerId, deadline);
  return Promise.all(
    modes.map(async (mode) => (await deps.sessionPolicies.findPolicy(id, mode, deadline.signal)) ?? noPolicy(id, mode)),
  );
}

/** Puts a policy in the place of the earlier one. @returns it as stored. Throws `not_found`, `invalid_request`. */
export async function updateSessionPolicy(
  deps: SessionPolicyDeps,
  policy: SessionPolicy,
  deadline: Deadline,
): Promise<SessionPolicy> {
  const { id } = await getPartner(deps, policy.partnerId, deadline);
  const { mode, partnerId: _, ...days } = policy;
  const { expiresAfterDays } = days;
  refuseIfAny([
    ...dayViolations("expiresAfterDays", expiresAfterDays, maxExpiryDays),
    ...deletionDays.flatMap((name) => dayViolations(name, days[name], maxRetentionDays)),
    ...(mode === "headless" && expiresAfterDays !== null ? [headlessViolation] : []),
  ]);
  const stored = { partnerId: id, mode, ...days };
  await deps.sessionPolicies.savePolicy(stored, deadline.signal);
  return stored;
}

const headlessViolation: Violation = {
  path: ["policy", "expiresAfterDays"],
  code: "not_applicable",
  detail: "Headless sessions expire only if their request says so.",
};

function dayViolations(name: string, days: number | null, most: number): Violation[] {
  if (days === null || (Number.isInteger(days) && days >= 1 && days <= most)) return [];
  return [{ path: ["policy", name], code: "out_of_range", detail: `Must be 1 to ${most} days, or absent.` }];
}

function noPolicy(partnerId: string, mode: SessionMode): SessionPolicy {
  return { partnerId, mode, ...noDays };
}
