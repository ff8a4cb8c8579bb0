// Deletes sessions, or only their answers or results, when the retention set by their partner is over: in the
// same way as erasing a person does.

import { drawFraction } from "../../kernel/environment.ts";
import type { CheckedPolicy, Deletion, SessionPolicy } from "../../store/retention/session-policy-store.ts";
import { readAllRows } from "../all-rows.ts";
import type { Dependencies } from "../dependencies.ts";
import { findSessionTime } from "../sandbox/test-clock.ts";
import { deletionDays } from "./session-policies.ts";

const deletions: readonly Deletion[] = ["completed", "open", "answers", "results"];

/**
 * Deletes what is due, some sessions of each policy in turn, from a policy at random on: where a run ends early, it is not
 * always the same policies that got no turn. It ends soon after the signal aborts, and the next run continues where a policy
 * was.
 */
export async function applyRetention(deps: Dependencies, signal: AbortSignal): Promise<void> {
  const { sessionPolicies, batchSizes } = deps;
  const read = (last?: CheckedPolicy) => sessionPolicies.listPolicies(last, batchSizes.partnerRows, signal);
  const policies = await Array.fromAsync(readAllRows(batchSizes.partnerRows, read));
  const all = policies.filter((policy) => deletionDays.some((name) => policy[name] !== null));
  const first = Math.floor(all.length * drawFraction(deps.random));
  let turns = [...all.slice(first), ...all.slice(0, first)];
  do {
    const unfinishedTurns: CheckedPolicy[] = [];
    for (const turn of turns) {
      if (signal.aborted) return;
      const resumeAfter = await applyToNextBatch(deps, turn, signal);
      if (resumeAfter !== null) unfinishedTurns.push({ ...turn, resumeAfter });
    }
    turns = unfinishedTurns;
  } while (turns.length > 0);
}

/** Applies a policy to the next sessions. @returns the last of these; null if none after it can be due */
async function applyToNextBatch(
  deps: Dependencies,
  { resumeAfter, ...policy }: CheckedPolicy,
  signal: AbortSignal,
): Promise<string | null> {
  const { sessionPolicies, batchSizes } = deps;
  if (!(await isInForce(deps, policy, signal))) return null;
  const now = new Date((await findSessionTime(deps, policy.partnerId, signal)).now());
  const page = await sessionPolicies.listDeletable(policy, resumeAfter, batchSizes.retentionChecks, now, signal);
  for (const deletion of deletions) {
    const ids = page.due[deletion];
    for (let begin = 0; begin < ids.length; begin += batchSizes.erasures) {
      const batch = ids.slice(begin, begin + batchSizes.erasures);
      await deleteSessions(deps, policy, batch, { deletion, now }, signal);
    }
  }
  if (resumeAfter !== page.lastChecked) await sessionPolicies.saveProgress(policy, page.lastChecked, signal);
  return page.lastChecked;
}

/** Sessions that were completed meanwhile are no longer open, and stay. @param now the time of the partner's sessions */
function deleteSessions(
  deps: Dependencies,
  { partnerId }: SessionPolicy,
  ids: readonly string[],
  { deletion, now }: { readonly deletion: Deletion; readonly now: Date },
  signal: AbortSignal,
): Promise<number> {
  const { sessions, clock } = deps;
  if (deletion === "answers" || deletion === "results") {
    return sessions.eraseData(deletion, ids, { partnerId, deletedAt: now }, signal);
  }
  const erasure = { partnerId, erasedAt: new Date(clock()), onlyOpen: deletion === "open" };
  return sessions.eraseSessions(ids, erasure, signal);
}

/** Whether a policy is still as the run read it: a replaced or removed one must not delete anything more. */
async function isInForce({ sessionPolicies }: Dependencies, policy: SessionPolicy, signal: AbortSignal) {
  const current = await sessionPolicies.findPolicy(policy.partnerId, policy.mode, signal);
  return deletionDays.every((name) => policy[name] === null || policy[name] === current?.[name]);
}
