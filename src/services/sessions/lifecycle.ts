// Ends a session before its completion, and reverts that: cancelling and reopening.

import { expiryViolations } from "../../domain/sessions/expiry.ts";
import type { StoredSession } from "../../domain/sessions/session.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { refuseIfAny } from "../../kernel/errors/refusal.ts";
import { nextState, stateOf } from "../../kernel/session-states.ts";
import { changeSession, type SessionDeps, type SessionRef } from "./sessions.ts";

/**
 * Cancels a session permanently. A cancelled one does not change, except for answers that are to be erased now.
 * @returns the cancelled session
 * Throws `not_found`, `conflict`, and the errors of the session's state.
 */
export function cancelSession(
  deps: SessionDeps,
  ref: SessionRef,
  { eraseAnswers }: { readonly eraseAnswers: boolean },
  deadline: Deadline,
): Promise<StoredSession> {
  return changeSession(deps, ref, "stored", deadline, ({ session }) => {
    const now = deps.clock();
    nextState(stateOf(session, now), "cancel");
    const erases = eraseAnswers && session.answers.length > 0;
    if (session.cancelledAt !== null && !erases) return { result: () => session };
    const cancelledAt = session.cancelledAt ?? new Date(now);
    return {
      save: () => deps.sessions.saveCancellation(session, cancelledAt, erases, deadline.signal),
      result: () => ({ ...session, cancelledAt }),
    };
  });
}

/**
 * Gives an open or an expired session another expiry.
 * @param expiresAt when it expires; null: never
 * @returns the open session
 * Throws `not_found`, `invalid_request`, `conflict`, and the errors of the session's state.
 */
export function reopenSession(deps: SessionDeps, ref: SessionRef, expiresAt: Date | null, deadline: Deadline) {
  const { sessions } = deps;
  return changeSession(deps, ref, "stored", deadline, ({ session }) => {
    const now = deps.clock();
    refuseIfAny(expiryViolations(expiresAt, now));
    const state = stateOf(session, now);
    nextState(state, "reopen");
    return {
      async save() {
        // An expiry that was not marked yet is published as well. The session is read again then.
        if (state === "expired" && (await sessions.saveExpiry(session, new Date(now), deadline.signal))) return false;
        return sessions.saveReopening(session, expiresAt, deadline.signal);
      },
      result: () => ({ ...session, expiresAt }),
    };
  });
}
