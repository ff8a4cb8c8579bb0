// Sessions: one person's way through one assessment. A caller reaches those of its own partner only.
import type { Results } from "../../values-bridge/scoring/results.ts";
import type { AssessmentCatalogue } from "../assessments/catalogue.ts";
import type { PublishedAssessment } from "../assessments/published-assessment.ts";
import { compareAndSwap } from "../compare-and-swap.ts";
import type { Clock, Deadline, MonotonicClock, RandomBytes, ReportDefect, RollOut } from "../environment.ts";
import { DomainError, invalidRequest, notFound, refuseIfAny } from "../errors.ts";
import { parseUuid } from "../identifiers.ts";
import { type AnswerSheet, beforeAllCompletions, type SessionStore, type StoredSession } from "../ports/sessions.ts";
import type { WriteQueue } from "../write-queue.ts";
import { type Answer, answerCountFaults, answerFaults, areStored, hasAnswer, mergeAnswers } from "./answers.ts";
import { recordingOf } from "./recording.ts";
import { stateOf, takesAnswers } from "./session-state.ts";

export interface SessionDeps {
  readonly sessions: SessionStore;
  readonly catalogue: AssessmentCatalogue;
  /** Writes of one session in this process, one after the other. */
  readonly writes: WriteQueue;
  readonly clock: Clock;
  readonly monotonic: MonotonicClock;
  readonly random: RandomBytes;
  readonly reportDefect: ReportDefect;
  readonly isRolledOut: RollOut;
}

/** Names a session of the caller's partner. */
export interface SessionAddress {
  readonly partnerId: string;
  readonly product: string;
  readonly sessionId: string;
}

/** The session; throws `not_found` for all that the caller may not know of. */
export async function getSession(
  deps: Pick<SessionDeps, "sessions" | "catalogue">,
  address: SessionAddress,
  deadline: Deadline,
): Promise<{ session: StoredSession; assessment: PublishedAssessment }> {
  const session = await deps.sessions.findSession(sessionIdOf(address), deadline.signal);
  if (session === undefined || session.partnerId !== address.partnerId) throw notFound();
  const assessment = await deps.catalogue.byId(session.assessmentId);
  if (assessment.product !== address.product) throw notFound();
  return { session, assessment };
}

/**
 * Stores answers, all or none; the last answer to a question counts.
 * @param shownLanguage of the statements that the person answered, as a BCP 47 tag; null if it is not known
 * @returns the number of distinct questions answered by this call
 * Throws `invalid_request`, `not_found`, `session_completed` (unless all answers equal the stored ones), `conflict`.
 */
export function recordAnswers(
  deps: SessionDeps,
  address: SessionAddress,
  answers: readonly Answer[],
  deadline: Deadline,
  shownLanguage: string | null = null,
): Promise<number> {
  const sessionId = sessionIdOf(address);
  refuseIfAny(answerCountFaults(answers, 1));
  return deps.writes.run(sessionId, deadline.signal, () =>
    compareAndSwap(deps, deadline, async () => {
      const { session, assessment } = await getSession(deps, address, deadline);
      refuseIfAny(answerFaults(answers, assessment));
      const { sheet, recorded } = mergeAnswers(session.answers, answers, assessment);
      if (areStored(answers, session.answers, assessment)) return recorded;
      if (!takesAnswers[stateOf(session)]) throw alreadyCompleted();
      const recording = recordingOf(session, { sheet, recorded, shownLanguage }, deps.clock());
      const saved = await deps.sessions.saveAnswers(sessionId, session.revision, recording, deadline.signal);
      return saved ? recorded : undefined;
    }),
  );
}

/**
 * Merges the answers with the recorded ones, completes the session and scores it in one write.
 * @returns the results; null when scoring failed and is still to be done
 * Throws `invalid_request` (also without any answer), `not_found`, `session_completed`, `conflict`.
 */
export function completeSession(
  deps: SessionDeps,
  address: SessionAddress,
  answers: readonly Answer[],
  deadline: Deadline,
): Promise<Results | null> {
  const sessionId = sessionIdOf(address);
  refuseIfAny(answerCountFaults(answers, 0));
  return deps.writes.run(sessionId, deadline.signal, () =>
    compareAndSwap(deps, deadline, async () => {
      const { session, assessment } = await getSession(deps, address, deadline);
      refuseIfAny(answerFaults(answers, assessment));
      if (!takesAnswers[stateOf(session)]) {
        if (!areStored(answers, session.answers, assessment)) throw alreadyCompleted();
        const stored = (await deps.sessions.findOutcome(sessionId, deadline.signal))?.results ?? null;
        return stored === null ? null : assessment.resultsCodec.decode(stored);
      }
      const { sheet, recorded } = mergeAnswers(session.answers, answers, assessment);
      if (!hasAnswer(sheet)) throw nothingToScore();
      const results = scoreSafely(deps, assessment, sheet);
      const completedAt = new Date(Math.max(deps.clock(), session.createdAt.getTime()));
      const recording = areStored(answers, session.answers, assessment)
        ? { answers: sheet, arrivals: session.arrivals, shownLanguage: session.shownLanguage }
        : recordingOf(session, { sheet, recorded, shownLanguage: null }, completedAt.getTime());
      const completion = { ...recording, completedAt, results: results && encodeResults(deps, assessment, results) };
      const saved = await deps.sessions.saveCompletion(sessionId, session.revision, completion, deadline.signal);
      return saved ? results : undefined;
    }),
  );
}

/** The results of a session; throws `not_found` until it is scored. */
export async function getSessionResults(
  deps: Pick<SessionDeps, "sessions" | "catalogue">,
  address: SessionAddress,
  deadline: Deadline,
): Promise<Results> {
  const outcome = await deps.sessions.findOutcome(sessionIdOf(address), deadline.signal);
  if (outcome === undefined || outcome.partnerId !== address.partnerId) throw notFound();
  const assessment = await deps.catalogue.byId(outcome.assessmentId);
  if (assessment.product !== address.product || outcome.results === null) throw notFound();
  return assessment.resultsCodec.decode(outcome.results);
}

/**
 * Scores the completed sessions whose scoring failed. What is scored stays so: interrupted, it goes on from there.
 * @param newDeadline of one batch; there is none for the whole
 * @returns how many were scored and how many failed again
 */
export async function rescoreSessions(
  deps: Pick<SessionDeps, "sessions" | "catalogue" | "reportDefect" | "isRolledOut">,
  newDeadline: () => Deadline,
): Promise<{ scored: number; failed: number }> {
  const batch = 100;
  const count = { scored: 0, failed: 0 };
  let after = beforeAllCompletions;
  for (;;) {
    const { signal } = newDeadline();
    const keys = await deps.sessions.listUnscored(after, batch, signal);
    for (const { id } of keys) {
      const session = await deps.sessions.findSession(id, signal);
      if (session === undefined) continue;
      const assessment = await deps.catalogue.byId(session.assessmentId);
      const results = scoreSafely(deps, assessment, session.answers);
      if (results === null) count.failed += 1;
      else {
        await deps.sessions.saveResults(id, encodeResults(deps, assessment, results), signal);
        count.scored += 1;
      }
    }
    const last = keys.at(-1);
    if (last === undefined) return count;
    after = last;
  }
}

function sessionIdOf(address: SessionAddress): string {
  const id = parseUuid(address.sessionId);
  if (id === undefined) throw notFound();
  return id;
}

function scoreSafely(
  deps: Pick<SessionDeps, "reportDefect">,
  assessment: PublishedAssessment,
  sheet: AnswerSheet,
): Results | null {
  try {
    return assessment.scorer.score(sheet);
  } catch (error) {
    deps.reportDefect(error, "scoring");
    return null;
  }
}

function alreadyCompleted(): DomainError {
  return new DomainError("session_completed", "The session is completed and takes no other answers.");
}

function nothingToScore(): DomainError {
  const detail = "No answer is recorded or supplied, so there is nothing to score.";
  return invalidRequest([{ path: ["answers"], code: "too_few_items", detail }]);
}

function encodeResults(
  { isRolledOut }: Pick<SessionDeps, "isRolledOut">,
  { resultsCodec }: PublishedAssessment,
  results: Results,
): Uint8Array {
  return isRolledOut() ? resultsCodec.encode(results) : resultsCodec.encodeForEarlierReleases(results);
}
