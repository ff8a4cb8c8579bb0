// How much of a session is answered, and when something last happened to it.
import type { PublishedAssessment } from "../assessments/published-assessment.ts";
import { hasAnswer } from "./answers.ts";
import type { StoredSession } from "./session-port.ts";

export interface SessionProgress {
  /** Questions with an answer; null once the answers are deleted. */
  readonly answered: number | null;
  /** Questions of the session's version. */
  readonly total: number;
  /** Null if a release that does not note arrivals has taken some answers. */
  readonly lastActivityAt: Date | null;
}

/** The progress of a session, from what is read of it anyhow. */
export function progressOf(
  session: Pick<
    StoredSession,
    "answers" | "answersDeletedAt" | "arrivals" | "createdAt" | "completedAt" | "cancelledAt"
  >,
  { questions }: Pick<PublishedAssessment, "questions">,
): SessionProgress {
  const { answers, answersDeletedAt } = session;
  const answered = answersDeletedAt === null ? answers.filter((rating) => rating !== null).length : null;
  return { answered, total: questions.length, lastActivityAt: lastActivityOf(session) };
}

function lastActivityOf({
  answers,
  arrivals,
  createdAt,
  completedAt,
  cancelledAt,
}: Pick<StoredSession, "answers" | "arrivals" | "createdAt" | "completedAt" | "cancelledAt">): Date | null {
  const end = completedAt ?? cancelledAt;
  if (end !== null) return end;
  return arrivals?.lastAnswerAt ?? (hasAnswer(answers) ? null : createdAt);
}
