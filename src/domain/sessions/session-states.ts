// The states of a session, and which of them refuse an action. CONTRIBUTING says how to add one.
import { details } from "../../kernel/errors/details.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";

export const sessionStates = ["in_progress", "completed", "cancelled", "expired"] as const;
export type SessionState = (typeof sessionStates)[number];

/** When a session ended; null: it did not. */
export interface EndTimes {
  readonly completedAt: Date | null;
  readonly cancelledAt: Date | null;
}

/** The fields that the state follows from. */
export interface Lifecycle extends EndTimes {
  readonly expiresAt: Date | null;
}

/**
 * The state of a stored session. A session past its time is expired at once, whether the job has run or not.
 * @param now milliseconds since 1970, by the clock of the partner's sessions
 */
export function computeState({ completedAt, cancelledAt, expiresAt }: Lifecycle, now: number): SessionState {
  if (completedAt !== null) return "completed";
  if (cancelledAt !== null) return "cancelled";
  return expiresAt !== null && expiresAt.getTime() <= now ? "expired" : "in_progress";
}

/** When a session ended; null: it has not, or has only expired by time. */
export function findEndTime({ completedAt, cancelledAt }: EndTimes): Date | null {
  return completedAt ?? cancelledAt;
}

/** Actions on a session. `answer`: answers that differ from the stored ones; `link`: a new link. */
export type SessionAction = "answer" | "complete" | "cancel" | "reopen" | "link";

/** The details of the actions that a state refuses, each with the code of the state. */
const refusals: Readonly<
  Record<Exclude<SessionState, "in_progress">, Readonly<Partial<Record<SessionAction, string>>>>
> = {
  completed: {
    answer: details.session_completed,
    complete: details.session_completed,
    cancel: "A completed session cannot be cancelled. Its person can be erased.",
    reopen: "A completed session cannot be reopened. Create a new one.",
    link: "A completed session gets no new link: it accepts no answers. `DELETE …/report-links` ends all access to its report.",
  },
  cancelled: {
    answer: "The session is cancelled and takes no answers.",
    complete: "The session is cancelled and cannot be completed.",
    reopen: "A cancelled session cannot be reopened. Create a new one.",
    link: "A cancelled session gets no new link. Create a new session.",
  },
  expired: {
    answer: "The session has expired: reopen it before you send answers.",
    complete: "The session has expired: reopen it before you complete it.",
    link: "The session has expired: reopen it before you create a link.",
  },
};

/** Throws the refusal of an action in that state, if it is refused. */
export function requireAllowed(state: SessionState, action: SessionAction): void {
  const detail = state === "in_progress" ? undefined : refusals[state][action];
  if (state !== "in_progress" && detail !== undefined) throw new Refusal(`session_${state}`, detail);
}
