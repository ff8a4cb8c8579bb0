// How much of a session is answered, and when something last happened to it.

import type { PublishedAssessment } from "../assessments/published-assessment.ts";
import type { StoredSession } from "./session.ts";
import { type EndTimes, endedAt } from "./session-states.ts";

export interface SessionProgress {
  /** Questions with an answer; null once the answers are deleted. */
  readonly answered: number | null;
  /** Questions of the session's version. */
  readonly total: number;
  readonly lastActivityAt: Date;
}

/** The fields that the progress of a session is computed from. */
export type ProgressSource = EndTimes & Pick<StoredSession, "answers" | "answersDeletedAt" | "arrivals" | "createdAt">;

/** The progress of a session, from fields that are read anyway. */
export function computeProgress(
  session: ProgressSource,
  { questions }: Pick<PublishedAssessment, "questions">,
): SessionProgress {
  const { answers, answersDeletedAt } = session;
  const answerCount = answersDeletedAt === null ? answers.filter((rating) => rating !== null).length : null;
  return { answered: answerCount, total: questions.length, lastActivityAt: findLastActivity(session) };
}

function findLastActivity(session: ProgressSource): Date {
  return endedAt(session) ?? session.arrivals?.lastAnswerAt ?? session.createdAt;
}
