// How much of a session is answered, and when something last happened to it.
import { type EndTimes, endedAt } from "../../kernel/session-states.ts";
import type { PublishedAssessment } from "../assessments/published-assessment.ts";
import type { StoredSession } from "./session.ts";

/** How much of a session is answered, in words. */
export const answerProgresses = ["not_started", "partly_answered", "all_answered"] as const;
export type AnswerProgress = (typeof answerProgresses)[number];

export interface SessionProgress {
  /** Questions with an answer; null once the answers are deleted. */
  readonly answered: number | null;
  /** Questions of the session's version. */
  readonly total: number;
  readonly lastActivityAt: Date;
}

/** What the progress of a session follows from. */
export type ProgressSource = EndTimes & Pick<StoredSession, "answers" | "answersDeletedAt" | "arrivals" | "createdAt">;

/** The progress of a session, from what is read of it anyhow. */
export function progressOf(
  session: ProgressSource,
  { questions }: Pick<PublishedAssessment, "questions">,
): SessionProgress {
  const { answers, answersDeletedAt } = session;
  const answered = answersDeletedAt === null ? answers.filter((rating) => rating !== null).length : null;
  return { answered, total: questions.length, lastActivityAt: lastActivityOf(session) };
}

/** How much that is; undefined once the answers are deleted. */
export function answerProgressOf({ answered, total }: SessionProgress): AnswerProgress | undefined {
  if (answered === null) return undefined;
  if (answered === 0) return "not_started";
  return answered < total ? "partly_answered" : "all_answered";
}

function lastActivityOf(session: ProgressSource): Date {
  return endedAt(session) ?? session.arrivals?.lastAnswerAt ?? session.createdAt;
}
