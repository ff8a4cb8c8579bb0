// How much of a session is answered, and when something last happened to it.

import type { PublishedAssessment } from "../assessments/published-assessment.ts";
import type { StoredSession } from "./session.ts";
import { type EndTimes, findEndTime } from "./session.ts";

/** The fields that the progress of a session is computed from. */
export type ProgressSource = EndTimes & Pick<StoredSession, "answers" | "answersDeletedAt" | "arrivals" | "createdAt">;

/** The progress of a session, from fields that are read anyway; `answered` is null once the answers are deleted. */
export function computeProgress(session: ProgressSource, { questions }: Pick<PublishedAssessment, "questions">) {
  const { answers, answersDeletedAt, arrivals, createdAt } = session;
  const answerCount = answersDeletedAt === null ? answers.filter((rating) => rating !== null).length : null;
  const lastActivityAt = findEndTime(session) ?? arrivals?.lastAnswerAt ?? createdAt;
  return { answered: answerCount, total: questions.length, lastActivityAt };
}
