// Ends a session before its completion, and reverts that: cancelling and reopening.

import { compareAndSwap } from "../../domain/concurrent-writes.ts";
import { expiryViolations } from "../../domain/sessions/expiry.ts";
import type { StoredSession } from "../../domain/sessions/session.ts";
import { timeIfTrusted } from "../../domain/trusted-clock.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { refuseIfAny } from "../../kernel/errors/refusal.ts";
import { nextState, stateOf } from "../../kernel/session-states.ts";
import type { Needs } from "../dependencies.ts";
import { getSession, type SessionRef, sessionIdOf } from "./sessions.ts";

export type LifecycleDeps = Needs<
  "sessions" | "catalogue" | "writes" | "clock" | "monotonic" | "random" | "trustedClock"
>;

/**
 * Cancels a session permanently. A cancelled one does not change, except for answers that are to be erased now.
 * @returns the cancelled session
 * Throws `not_found`, `conflict`, and the errors of the session's state.
 */
export function cancelSession(
  deps: LifecycleDeps,
  ref: SessionRef,
  { eraseAnswers }: { readonly eraseAnswers: boolean },
  deadline: Deadline,
): Promise<StoredSession> {
  return change(deps, ref, deadline, async (session) => {
    const now = deps.clock();
    nextState(stateOf(session, now), "cancel");
    const { cancelledAt } = session;
    const erases = eraseAnswers && session.answers.length > 0;
    if (cancelledAt !== null && !erases) return session;
    const ended = { ...session, cancelledAt: cancelledAt ?? new Date(now) };
    const saved = await deps.sessions.saveCancellation(session, ended.cancelledAt, erases, deadline.signal);
    return saved ? ended : undefined;
  });
}

/**
 * Gives an open or an expired session another expiry.
 * @param expiresAt when it expires; null: never
 * @returns the open session
 * Throws `not_found`, `invalid_request`, `conflict`, and the errors of the session's state.
 */
export function reopenSession(
  deps: LifecycleDeps,
  ref: SessionRef,
  expiresAt: Date | null,
  deadline: Deadline,
): Promise<StoredSession> {
  return change(deps, ref, deadline, async (session) => {
    const now = deps.clock();
    refuseIfAny(expiryViolations(expiresAt, now));
    const state = stateOf(session, now);
    nextState(state, "reopen");
    const trusted = state === "expired" ? timeIfTrusted(deps.trustedClock) : null;
    // An expiry that was not marked yet is published as well. The session is read again then.
    if (trusted !== null && (await deps.sessions.saveExpiry(session, trusted, deadline.signal))) return undefined;
    const saved = await deps.sessions.saveReopening(session, expiresAt, deadline.signal);
    return saved ? { ...session, expiresAt } : undefined;
  });
}

/** @param attempt returns undefined if another write came in between */
function change(
  deps: LifecycleDeps,
  ref: SessionRef,
  deadline: Deadline,
  attempt: (session: StoredSession) => Promise<StoredSession | undefined>,
): Promise<StoredSession> {
  return deps.writes.run(sessionIdOf(ref), deadline.signal, () =>
    compareAndSwap(deps, deadline, async () => attempt((await getSession(deps, ref, deadline)).session)),
  );
}
