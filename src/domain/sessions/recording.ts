// What is kept of a call that changes answers, besides the answers: when it arrived, and which language was shown.

import { hasAnswer } from "./answers.ts";
import type { AnswerSheet, Arrivals, Recording, StoredSession } from "./session-port.ts";

/** The answers that a call leaves. */
export interface RecordedCall {
  readonly sheet: AnswerSheet;
  /** Number of distinct questions that the call answered, 1 or more. */
  readonly recorded: number;
  /** Language of the statements that the person answered; null if it is not known. */
  readonly shownLanguage: string | null;
}

/** The session's answers after a call that changed one. @param now milliseconds since 1970, when the call arrived */
export function recordingOf(
  session: StoredSession,
  { sheet, recorded, shownLanguage }: RecordedCall,
  now: number,
): Recording {
  const isFirst = !hasAnswer(session.answers);
  return {
    answers: sheet,
    arrivals: isFirst ? firstArrival(now, recorded) : laterArrival(session, now),
    shownLanguage: isFirst || shownLanguage === session.shownLanguage ? shownLanguage : null,
  };
}

function firstArrival(now: number, recorded: number): Arrivals {
  const at = new Date(now);
  return { firstAnswerAt: at, lastAnswerAt: at, answerCalls: 1, firstCallAnswers: recorded };
}

function laterArrival(session: StoredSession, now: number): Arrivals | null {
  const known = knownArrivals(session);
  return known && { ...known, lastAnswerAt: new Date(now), answerCalls: known.answerCalls + 1 };
}

/**
 * When the answers of a session arrived; null if a release that does not note it has written some of them. Every write
 * raises the revision. So of writes that may have changed answers an open session has as many as there were calls, a
 * completed one at most one more.
 */
export function knownArrivals(session: StoredSession): Arrivals | null {
  const { arrivals, revision, lifecycleWrites, completedAt } = session;
  if (arrivals === null) return null;
  const answerWrites = revision - lifecycleWrites;
  return answerWrites - arrivals.answerCalls > (completedAt === null ? 0 : 1) ? null : arrivals;
}
