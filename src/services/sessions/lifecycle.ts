// Ends a session before its completion, and reverts that: cancelling, expiry and reopening. Also scores those whose scoring failed.
import { findEndViolations } from "../../domain/sessions/expiry.ts";
import {
  beforeAllCompletions,
  type CompletionKey,
  computeState,
  requireAllowed,
  type SessionKey,
  type StoredSession,
} from "../../domain/sessions/session.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { throwIfInvalid } from "../../kernel/errors/refusal.ts";
import type { SessionCall } from "../../pipeline/call.ts";
import { readAllRows } from "../all-rows.ts";
import type { Dependencies } from "../dependencies.ts";
import { changeSession, type SessionRef, scoreSafely } from "./sessions.ts";

/** Cancels a session permanently, or erases the answers of a cancelled one. Throws as `changeSession`, and for other states. */
export function cancelSession(
  deps: Dependencies,
  ref: SessionRef,
  { eraseAnswers }: { readonly eraseAnswers: boolean },
  call: SessionCall,
): Promise<StoredSession> {
  return changeSession(deps, ref, "stored", call, ({ session }) => {
    const now = call.now();
    requireAllowed(computeState(session, now), "cancel");
    const erases = eraseAnswers && session.answers.length > 0;
    if (session.cancelledAt !== null && !erases) return { response: () => session };
    const cancelledAt = session.cancelledAt ?? new Date(now);
    return {
      write: () => deps.sessions.saveCancellation(session, cancelledAt, erases, call.signal),
      response: () => ({ ...session, cancelledAt }),
    };
  });
}

/**
 * Gives an open or an expired session another expiry.
 * @param expiresAt when it expires; null: never
 * @returns the open session
 * Throws `not_found`, `invalid_request`, `conflict`, and the errors of the session's state.
 */
export function reopenSession(deps: Dependencies, ref: SessionRef, expiresAt: Date | null, call: SessionCall) {
  const { sessions } = deps;
  return changeSession(deps, ref, "stored", call, ({ session }) => {
    const now = call.now();
    throwIfInvalid(findEndViolations("expiresAt", expiresAt, now));
    const state = computeState(session, now);
    requireAllowed(state, "reopen");
    return {
      async write() {
        // An expiry that was not marked yet is published as well. The session is read again then.
        if (state === "expired" && (await sessions.announceDue(session, new Date(now), call.signal))) return false;
        return sessions.saveReopening(session, expiresAt, call.signal);
      },
      response: () => ({ ...session, expiresAt }),
    };
  });
}

const unscoredBatchSize = 100;

/**
 * Scores the completed sessions whose scoring failed, unless their answers are deleted, even meanwhile. Scored sessions
 * are stored: after an interruption it continues from there.
 * @param newDeadline of one statement; there is none for the whole
 * @returns how many were scored and how many failed again
 */
export async function rescoreSessions(deps: Dependencies, newDeadline: () => Deadline) {
  const count = { scored: 0, failed: 0 };
  const read = (last: CompletionKey = beforeAllCompletions) =>
    deps.sessions.listUnscored(last, unscoredBatchSize, newDeadline().signal);
  for await (const session of readAllRows(unscoredBatchSize, read)) {
    const assessment = await deps.catalogue.getById(session.assessmentId);
    const results = scoreSafely(deps, assessment, session.answers);
    if (results === null) count.failed += 1;
    // Not saved if the session or its answers were deleted since they were read, or if another process was faster.
    else if (
      await deps.sessions.saveResults(session, deps.catalogue.product.results.encode(results), newDeadline().signal)
    ) {
      count.scored += 1;
    }
  }
  return count;
}

/**
 * Emits the events of sessions that have expired, and of days on which people want to look again. A session that fails is
 * left to the next run, and fails this one at its end. @returns how many were emitted
 */
export async function emitDueEvents(
  { sessions, clock, batchSizes }: Dependencies,
  signal: AbortSignal,
): Promise<number> {
  let [emittedCount, countBefore] = [0, 0];
  let failure: unknown;
  let due: readonly SessionKey[];
  do {
    const now = new Date(clock());
    countBefore = emittedCount;
    due = await sessions.listDue(batchSizes.expirations, now, signal);
    for (const session of due) {
      try {
        emittedCount += (await sessions.announceDue(session, now, signal)) ? 1 : 0;
      } catch (error) {
        failure ??= error;
      }
    }
  } while (due.length === batchSizes.expirations && emittedCount > countBefore && !signal.aborted);
  if (failure !== undefined) throw failure;
  return emittedCount;
}
