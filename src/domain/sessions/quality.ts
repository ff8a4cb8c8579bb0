// Quality: what the results of a session are worth, from its stored answers and its own assessment version.
import type { Quality } from "../../values-bridge/quality/quality.ts";
import type { PublishedAssessment } from "../assessments/published-assessment.ts";
import type { Deadline } from "../environment.ts";
import type { AnswerSheet, StoredSession } from "../ports/sessions.ts";
import { knownArrivals } from "./recording.ts";
import { getSession, type SessionAddress, type SessionDeps } from "./sessions.ts";

/** Quality and error of a session; throws `not_found` for all that the caller may not know of. */
export async function getSessionQuality(
  deps: Pick<SessionDeps, "sessions" | "catalogue">,
  address: SessionAddress,
  deadline: Deadline,
): Promise<Quality> {
  const { session, assessment } = await getSession(deps, address, deadline);
  return assessment.quality().assess(wholeSheet(session, assessment), knownArrivals(session));
}

/** One entry for each question of the version, in its order; null where unanswered. */
export function wholeSheet({ answers }: StoredSession, { questions }: PublishedAssessment): AnswerSheet {
  return answers.length === questions.length ? answers : questions.map((_, index) => answers[index] ?? null);
}
