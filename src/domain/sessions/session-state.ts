// The states of a session, and what becomes of it in each of them.
import { details } from "../../kernel/errors/details.ts";
import type { ErrorCode } from "../../kernel/errors/error-table.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import type { StoredSession } from "./session-port.ts";

export const sessionStates = ["in_progress", "completed", "cancelled", "expired"] as const;
export type SessionState = (typeof sessionStates)[number];

/** What is done to a session. `answer`: answers that differ from the stored ones; `link`: it gets a new link. */
export type SessionAction = "answer" | "complete" | "cancel" | "reopen" | "link";

/** What a state follows from. */
export type Lifecycle = Pick<StoredSession, "completedAt" | "cancelledAt" | "expiresAt">;

/**
 * The state that a stored session is in. A session past its time is expired at once, whether a job has noticed or not.
 * What is completed stays so: a release that knew nothing of other ends may have completed a cancelled session.
 * @param now milliseconds since 1970, by the database's clock
 */
export function stateOf({ completedAt, cancelledAt, expiresAt }: Lifecycle, now: number): SessionState {
  if (completedAt !== null) return "completed";
  if (cancelledAt !== null) return "cancelled";
  return expiresAt !== null && expiresAt.getTime() <= now ? "expired" : "in_progress";
}

/** Where each action leads from each state, or the refusal that it meets. The one place that says so. */
const transitions: Readonly<Record<SessionState, Readonly<Record<SessionAction, SessionState | Refused>>>> = {
  in_progress: {
    answer: "in_progress",
    complete: "completed",
    cancel: "cancelled",
    reopen: "in_progress",
    link: "in_progress",
  },
  completed: {
    answer: refused("session_completed", details.session_completed),
    complete: refused("session_completed", details.session_completed),
    cancel: refused("session_completed", "A completed session cannot be cancelled. Its person can be erased."),
    reopen: refused("session_completed", "A completed session cannot be reopened. Create a new one."),
    link: refused(
      "session_completed",
      "A completed session gets no new link: it takes no answers. `DELETE …/report-links` ends what shows its report.",
    ),
  },
  cancelled: {
    answer: refused("session_cancelled", "The session is cancelled and takes no answers."),
    complete: refused("session_cancelled", "The session is cancelled and cannot be completed."),
    cancel: "cancelled",
    reopen: refused("session_cancelled", "A cancelled session cannot be reopened. Create a new one."),
    link: refused("session_cancelled", "A cancelled session gets no new link. Create a new session."),
  },
  expired: {
    answer: refused("session_expired", "The time of the session is over: it takes no answers unless it is reopened."),
    complete: refused(
      "session_expired",
      "The time of the session is over: it cannot be completed unless it is reopened.",
    ),
    cancel: "cancelled",
    reopen: "in_progress",
    link: refused("session_expired", "The time of the session is over: it gets no new link unless it is reopened."),
  },
};

interface Refused {
  readonly code: ErrorCode;
  readonly detail: string;
}

function refused(code: ErrorCode, detail: string): Refused {
  return { code, detail };
}

/** The state that the action leads to. Throws `session_completed`, `session_cancelled` or `session_expired`. */
export function nextState(state: SessionState, action: SessionAction): SessionState {
  const next = transitions[state][action];
  if (typeof next === "string") return next;
  throw new Refusal(next.code, next.detail);
}

/** Whether a session in that state takes answers that differ from those stored. */
export function takesAnswers(state: SessionState): boolean {
  return typeof transitions[state].answer === "string";
}
