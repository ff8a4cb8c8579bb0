// Scoring a session, at its completion and, where that failed, later.

import type { AssessmentCatalogue } from "../../domain/assessments/catalogue.ts";
import type { PublishedAssessment } from "../../domain/assessments/published-assessment.ts";
import { type AnswerSheet, beforeAllCompletions } from "../../domain/sessions/session.ts";
import type { Deadline, Measured, ReportDefect } from "../../kernel/environment.ts";
import type { Results } from "../../products/product.ts";
import type { SessionStore } from "../../store/sessions/session-store.ts";

interface ScoringDeps {
  readonly sessions: SessionStore;
  readonly catalogue: AssessmentCatalogue;
  readonly reportDefect: ReportDefect;
  readonly measured: Measured;
}

/**
 * Scores the completed sessions whose scoring failed, unless their answers are deleted, be it meanwhile. What is scored
 * stays so: interrupted, it goes on from there.
 * @param newDeadline of one batch; there is none for the whole
 * @returns how many were scored and how many failed again
 */
export async function rescoreSessions(
  deps: ScoringDeps,
  newDeadline: () => Deadline,
): Promise<{ scored: number; failed: number }> {
  const batch = 100;
  const count = { scored: 0, failed: 0 };
  let after = beforeAllCompletions;
  for (;;) {
    const { signal } = newDeadline();
    const unscored = await deps.sessions.listUnscored(after, batch, signal);
    for (const key of unscored) {
      const session = await deps.sessions.findSession(key, signal);
      if (session === undefined || session.answersDeletedAt !== null) continue;
      const assessment = await deps.catalogue.byId(session.assessmentId);
      const results = scoreSafely(deps, assessment, session.answers);
      if (results === null) count.failed += 1;
      // Not saved if the session or its answers were deleted since they were read, or if another process was faster.
      else if (await deps.sessions.saveResults(session, deps.catalogue.product.results.encode(results), signal)) {
        count.scored += 1;
      }
    }
    const last = unscored.at(-1);
    if (last === undefined) return count;
    after = last;
  }
}

/** The results of the sheet; null, and a defect is reported, if scoring fails. */
export function scoreSafely(
  { reportDefect, measured }: Pick<ScoringDeps, "reportDefect" | "measured">,
  assessment: PublishedAssessment,
  sheet: AnswerSheet,
): Results | null {
  try {
    return measured("score", () => assessment.scorer.score(sheet));
  } catch (error) {
    reportDefect(error, "scoring");
    return null;
  }
}
