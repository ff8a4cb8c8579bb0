// The states of a session, and what a session in each of them takes.
import type { StoredSession } from "../ports/sessions.ts";

/** Every state, in the order in which a session may pass them. */
export const sessionStates = ["in_progress", "completed"] as const;

export type SessionState = (typeof sessionStates)[number];

/** The state that a stored session is in. */
export function stateOf({ completedAt }: Pick<StoredSession, "completedAt">): SessionState {
  return completedAt === null ? "in_progress" : "completed";
}

/** Whether a session in that state takes answers that differ from those stored. */
export const takesAnswers: Readonly<Record<SessionState, boolean>> = { in_progress: true, completed: false };
