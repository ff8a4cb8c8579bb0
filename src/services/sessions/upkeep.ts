// What jobs and operators do with the sessions of all partners: marking expired ones, and scoring those whose scoring
// failed.

import { beforeAllCompletions } from "../../domain/sessions/session.ts";
import type { Deadline } from "../../kernel/environment.ts";
import type { Needs } from "../dependencies.ts";
import { scoreSafely } from "./sessions.ts";

type ScoringDeps = Needs<"sessions" | "catalogue" | "reportDefect">;

/**
 * Scores the completed sessions whose scoring failed, unless their answers are deleted, even meanwhile. Scored sessions
 * are stored: after an interruption it continues from there.
 * @param newDeadline of one batch; there is none for the whole
 * @returns how many were scored and how many failed again
 */
export async function rescoreSessions(deps: ScoringDeps, newDeadline: () => Deadline) {
  const batch = 100;
  const count = { scored: 0, failed: 0 };
  let after = beforeAllCompletions;
  for (;;) {
    const { signal } = newDeadline();
    const unscored = await deps.sessions.listUnscored(after, batch, signal);
    for (const key of unscored) {
      const session = await deps.sessions.findSession(key, signal);
      if (session === undefined || session.answersDeletedAt !== null) continue;
      const assessment = await deps.catalogue.byId(session.assessmentId);
      const results = scoreSafely(deps, assessment, session.answers);
      if (results === null) count.failed += 1;
      // Not saved if the session or its answers were deleted since they were read, or if another process was faster.
      else if (await deps.sessions.saveResults(session, deps.catalogue.product.results.encode(results), signal)) {
        count.scored += 1;
      }
    }
    const last = unscored.at(-1);
    if (last === undefined) return count;
    after = last;
  }
}

/** Marks sessions that have expired, so that their expiry is published. @returns how many were expired */
export async function expireSessions(
  { sessions, clock, batchSizes }: Needs<"sessions" | "clock" | "batchSizes">,
  signal: AbortSignal,
): Promise<number> {
  let expired = 0;
  while (!signal.aborted) {
    const now = new Date(clock());
    const due = await sessions.listExpiryDue(batchSizes.expirations, now, signal);
    let failure: unknown;
    for (const session of due) {
      try {
        expired += (await sessions.saveExpiry(session, now, signal)) ? 1 : 0;
      } catch (error) {
        // One that cannot be marked holds back no other.
        failure ??= error;
      }
    }
    if (failure !== undefined) throw failure;
    if (due.length < batchSizes.expirations) break;
  }
  return expired;
}
