// The table of session states, from which use cases, SQL, the OpenAPI document and pages follow. CONTRIBUTING says how to
// add one.
import { details } from "../../kernel/errors/details.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";

export const sessionStates = ["in_progress", "completed", "cancelled", "expired"] as const;
export type SessionState = (typeof sessionStates)[number];

/**
 * The stored end states, each by its time. The first that a session has counts.
 */
export const ends = [
  { state: "completed", at: "completedAt" },
  { state: "cancelled", at: "cancelledAt" },
] as const satisfies readonly { readonly state: SessionState; readonly at: `${SessionState}At` }[];

/** When a session reached each end state; null: it did not. */
export type EndTimes = { readonly [End in (typeof ends)[number] as End["at"]]: Date | null };

/** The columns that the state follows from. */
export interface Lifecycle extends EndTimes {
  /** When it expires unless it has ended; null: never. */
  readonly expiresAt: Date | null;
}

/** States of a session that has not ended. */
export const noEndTimes: EndTimes = { completedAt: null, cancelledAt: null };

/**
 * The state of a stored session. A session past its time is expired at once, whether the job has run or not.
 * @param now milliseconds since 1970, by the database's clock
 */
export function computeState(session: Lifecycle, now: number): SessionState {
  for (const { state, at } of ends) if (session[at] !== null) return state;
  const { expiresAt } = session;
  return expiresAt !== null && expiresAt.getTime() <= now ? "expired" : "in_progress";
}

/** When a session ended; null: it has not, or has only expired by time. */
export function endedAt(session: EndTimes): Date | null {
  for (const { at } of ends) if (session[at] !== null) return session[at];
  return null;
}

/** Actions on a session. `answer`: answers that differ from the stored ones; `link`: a new link. */
export type SessionAction = "answer" | "complete" | "cancel" | "reopen" | "link";

/** The states that refuse an action, each with its error code. */
type RefusingState = Exclude<SessionState, "in_progress">;
type StateRefusal = `session_${RefusingState}`;

/** The one transition table: where each action leads from each state, or the detail of its refusal. */
const transitions: Readonly<Record<SessionState, Readonly<Record<SessionAction, SessionState | StateRefusalDetail>>>> =
  {
    in_progress: {
      answer: "in_progress",
      complete: "completed",
      cancel: "cancelled",
      reopen: "in_progress",
      link: "in_progress",
    },
    completed: {
      answer: refuseState("completed", details.session_completed),
      complete: refuseState("completed", details.session_completed),
      cancel: refuseState("completed", "A completed session cannot be cancelled. Its person can be erased."),
      reopen: refuseState("completed", "A completed session cannot be reopened. Create a new one."),
      link: refuseState(
        "completed",
        "A completed session gets no new link: it accepts no answers. `DELETE …/report-links` ends all access to its report.",
      ),
    },
    cancelled: {
      answer: refuseState("cancelled", "The session is cancelled and takes no answers."),
      complete: refuseState("cancelled", "The session is cancelled and cannot be completed."),
      cancel: "cancelled",
      reopen: refuseState("cancelled", "A cancelled session cannot be reopened. Create a new one."),
      link: refuseState("cancelled", "A cancelled session gets no new link. Create a new session."),
    },
    expired: {
      answer: refuseState("expired", "The session has expired: reopen it before you send answers."),
      complete: refuseState("expired", "The session has expired: reopen it before you complete it."),
      cancel: "cancelled",
      reopen: "in_progress",
      link: refuseState("expired", "The session has expired: reopen it before you create a link."),
    },
  };

interface StateRefusalDetail {
  readonly code: StateRefusal;
  readonly detail: string;
}

function refuseState(state: RefusingState, detail: string): StateRefusalDetail {
  return { code: `session_${state}`, detail };
}

/** The state that the action leads to. Throws its refusal. */
export function nextState(state: SessionState, action: SessionAction): SessionState {
  const next = transitions[state][action];
  if (typeof next === "string") return next;
  throw new Refusal(next.code, next.detail);
}

/** Whether a session in that state accepts answers that differ from the stored ones. */
export function takesAnswers(state: SessionState): boolean {
  return typeof transitions[state].answer === "string";
}
