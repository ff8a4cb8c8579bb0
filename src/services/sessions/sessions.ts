// Sessions: status, answers, completion and results. A caller can access only those of its own partner.

import { chooseWording, type PublishedAssessment } from "../../domain/assessments/published-assessment.ts";
import { retryUntilStored } from "../../domain/concurrent-writes.ts";
import {
  type Answer,
  findAnswerViolations,
  hasAnswer,
  haveEqualRatings,
  mergeAnswers,
  requireAnswered,
  toRecording,
} from "../../domain/sessions/answers.ts";
import type {
  AnsweredSession,
  Ratings,
  SessionChange,
  SessionKey,
  StoredSession,
} from "../../domain/sessions/session.ts";
import { computeState, requireAllowed } from "../../domain/sessions/session.ts";
import type { CompleteSessionRequest } from "../../gen/assessment/v1/session_service_pb.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { invalidFieldError, notFoundError, Refusal, throwIfInvalid } from "../../kernel/errors/refusal.ts";
import { isTestTwin, parseUuid } from "../../kernel/ids.ts";
import type { PartnerCall, SessionCall } from "../../pipeline/call.ts";
import type { Results } from "../../products/product.ts";
import type { Dependencies } from "../dependencies.ts";

/** Names a session of the caller's partner. */
export interface SessionRef {
  readonly partnerId: string;
  /** Undefined: whichever it is of, for a person's own pages. */
  readonly product?: string;
  readonly sessionId: string;
}

/** The session that a request of the partner names. */
export function toSessionRef(
  { product, sessionId }: { readonly product: string; readonly sessionId: string },
  { partnerId }: PartnerCall,
): Required<SessionRef> {
  return { partnerId, product, sessionId: sessionId.toLowerCase() };
}

export interface SessionWithAssessment<S extends AnsweredSession = StoredSession> {
  readonly session: S;
  readonly assessment: PublishedAssessment;
}

/** The session; throws `not_found` if the caller may not know of it. */
export async function getSession(deps: Dependencies, ref: SessionRef, deadline: Deadline) {
  return requireAssessment(deps, await deps.sessions.findSession(parseSessionKey(ref), deadline.signal), ref);
}

/** Fields that all messages of a session have. @param now by the clock of the partner's sessions, in milliseconds since 1970 */
export function describeHead<S extends StoredSession>({ session, assessment }: SessionWithAssessment<S>, now: number) {
  const { version: assessmentVersion, form } = assessment;
  return { ...session, sessionId: session.id, status: computeState(session, now), assessmentVersion, form };
}

async function requireAssessment(deps: Dependencies, session: StoredSession | undefined, { product }: SessionRef) {
  if (session === undefined) throw notFoundError();
  const assessment = await deps.catalogue.getById(session.assessmentId);
  if (product !== undefined && assessment.product !== product) throw notFoundError();
  return { session, assessment };
}

/**
 * Stores answers, all or none; the last answer to a question counts.
 * @param shownLanguageTag language in which hosted pages showed the statements; unknown if the assessment does not have it
 * @returns the number of distinct questions answered by this call
 * Throws `invalid_request`, `not_found`, `conflict`, and `session_completed`, `session_cancelled` or `session_expired`
 * (unless all answers equal the stored ones).
 */
export function recordAnswers(
  deps: Dependencies,
  ref: SessionRef,
  answers: readonly Answer[],
  call: SessionCall,
  shownLanguageTag?: string,
): Promise<number> {
  return changeSession(deps, ref, "cached", call, ({ session, assessment }) => {
    throwIfInvalid(findAnswerViolations(answers, assessment));
    const { ratings, recordedCount } = mergeAnswers(session.answers, answers, assessment);
    if (haveEqualRatings(ratings, session.answers)) return { response: () => recordedCount };
    requireAllowed(computeState(session, call.now()), "answer");
    const wording = assessment.wordings.find(({ language }) => language === shownLanguageTag);
    const shownLanguage = wording?.language ?? findRequestedLanguage(session, assessment);
    const recording = toRecording(session, { ratings, recordedCount, shownLanguage }, call.now());
    return {
      write: () => deps.sessions.saveAnswers(session, session.revision, recording, call.signal),
      afterWrite: { ...session, ...recording, revision: session.revision + 1 },
      response: () => recordedCount,
    };
  });
}

/** Language of the statements that the partner requested; null if it requested none, and shows any it likes. */
function findRequestedLanguage({ mode, locale }: StoredSession, assessment: PublishedAssessment): string | null {
  return mode === "headless" && locale !== null ? chooseWording(assessment, [locale]).language : null;
}

/**
 * Merges the answers with the recorded ones, completes the session and scores it in one write.
 * @param requireAnswered whether to refuse if a required question has no answer
 * @returns the results; null if scoring failed and is still pending, or if they were deleted since
 * Throws `invalid_request` (also without any answer, or if a required one is missing), `not_found`, `conflict`, and
 * the errors of the session's state.
 */
export function completeSession(
  deps: Dependencies,
  ref: SessionRef,
  {
    answers,
    requireAnswered: mustBeComplete,
  }: Pick<CompleteSessionRequest, "requireAnswered"> & { answers: readonly Answer[] },
  call: SessionCall,
): Promise<Results | null> {
  return changeSession(deps, ref, "cached", call, ({ session, assessment }) => {
    throwIfInvalid(findAnswerViolations(answers, assessment));
    const state = computeState(session, call.now());
    const { ratings, recordedCount } = mergeAnswers(session.answers, answers, assessment);
    const isUnchanged = haveEqualRatings(ratings, session.answers);
    if (state === "completed" && isUnchanged) {
      return { response: () => session.results && deps.catalogue.product.results.decode(session.results) };
    }
    requireAllowed(state, "complete");
    if (mustBeComplete) requireAnswered(ratings, assessment);
    if (!hasAnswer(ratings)) {
      const detail = "No answer is recorded or supplied, so there is nothing to score.";
      throw invalidFieldError(["answers"], "too_few_items", detail);
    }
    const results = skipsScoring(session) ? null : scoreSafely(deps, assessment, ratings);
    const completedAt = new Date(Math.max(call.now(), session.createdAt.getTime()));
    const recording = isUnchanged
      ? { answers: ratings, arrivals: session.arrivals, shownLanguage: session.shownLanguage }
      : toRecording(
          session,
          { ratings, recordedCount, shownLanguage: findRequestedLanguage(session, assessment) },
          completedAt.getTime(),
        );
    const completion = {
      ...recording,
      completedAt,
      results: results && deps.catalogue.product.results.encode(results),
    };
    return {
      write: () => deps.sessions.saveCompletion(session, session.revision, completion, call.signal),
      response: () => results,
    };
  });
}

/**
 * Changes a session: calls are queued, and retried if another process was faster.
 * @param source `stored`: the session is read even if it is cached, so that it is as an operator may have left it
 */
export function changeSession<T>(
  deps: Dependencies,
  ref: SessionRef,
  source: "cached" | "stored",
  deadline: Deadline,
  change: (record: SessionWithAssessment) => SessionChange<T>,
): Promise<T> {
  const { signal } = deadline;
  const key = parseSessionKey(ref);
  const changeStored = async (session: StoredSession | undefined) =>
    change(await requireAssessment(deps, session, ref));
  return deps.writes.run(key.id, signal, () =>
    retryUntilStored(deps, deadline, () => deps.sessions.attemptChange(key, changeStored, source === "stored", signal)),
  );
}

/** The results of a session, which the caller may see. Throws `not_found` until it is scored, and once they are deleted. */
export function requireResults({ catalogue }: Pick<Dependencies, "catalogue">, session: StoredSession): Results {
  const { completedAt, results, answersDeletedAt, resultsDeletedAt } = session;
  if (completedAt === null) {
    throw notReadyError("session_not_completed", "The session is not completed, so it has no results.");
  }
  if (resultsDeletedAt !== null) throw dataDeletedError("results");
  if (results !== null) return catalogue.product.results.decode(results);
  // Without answers it will never be scored.
  if (answersDeletedAt !== null) throw dataDeletedError("answers");
  throw notReadyError("session_not_scored", "The session is completed and not scored yet. Its results come later.");
}

function notReadyError(reason: "session_not_completed" | "session_not_scored", detail: string): Refusal {
  return new Refusal("not_found", detail, { metadata: { reason } });
}

/** The refusal for a part of a session that its partner's policy has deleted. */
function dataDeletedError(part: "answers" | "results"): Refusal {
  const detail = `A retention policy has deleted the ${part} that this is made of.`;
  return new Refusal("not_found", detail, { metadata: { deleted: part } });
}

/** Throws `not_found` if the answers of a session were deleted, for everything derived from them. */
export function requireAnswers({ answersDeletedAt }: Pick<StoredSession, "answersDeletedAt">): void {
  if (answersDeletedAt !== null) throw dataDeletedError("answers");
}

/** With the id in its canonical form. Throws `not_found` for an invalid one. */
function parseSessionKey({ partnerId, sessionId }: SessionRef): SessionKey {
  const id = parseUuid(sessionId);
  if (id === undefined) throw notFoundError();
  return { partnerId, id };
}

/** External id of that person at every test twin. */
const unscoredPerson = "test-unscored";

/** Whether the session is completed without being scored, as if scoring had failed. */
function skipsScoring({ partnerId, externalId }: Pick<StoredSession, "partnerId" | "externalId">): boolean {
  return isTestTwin(partnerId) && externalId === unscoredPerson;
}

/** The results of the ratings; null, and a defect is reported, if scoring fails. */
export function scoreSafely(
  { reportDefect }: Dependencies,
  assessment: PublishedAssessment,
  ratings: Ratings,
): Results | null {
  try {
    return assessment.scorer.score(ratings);
  } catch (error) {
    reportDefect(error, "scoring");
    return null;
  }
}
