// Sessions: one person's way through one assessment. A caller reaches those of its own partner only.

import type {
  Clock,
  Deadline,
  Measured,
  MonotonicClock,
  RandomBytes,
  ReportDefect,
  RollOut,
} from "../../kernel/environment.ts";
import {
  invalidRequest,
  notFound,
  notYetFound,
  partDeleted,
  type Refusal,
  refuseIfAny,
} from "../../kernel/errors/refusal.ts";
import type { Results } from "../../products/product.ts";
import type { AssessmentCatalogue } from "../assessments/catalogue.ts";
import type { PublishedAssessment } from "../assessments/published-assessment.ts";
import { compareAndSwap } from "../compare-and-swap.ts";
import { parseUuid } from "../identifiers.ts";
import { isLeftUnscored } from "../sandbox/test-data.ts";
import type { WriteQueue } from "../write-queue.ts";
import {
  type Answer,
  answerCountViolations,
  answerViolations,
  areStored,
  hasAnswer,
  mergeAnswers,
  recordingOf,
  requireAnswered,
} from "./answers.ts";
import { encodeResults, scoreSafely } from "./scoring.ts";
import type { SessionName, SessionStore, StoredOutcome, StoredSession } from "./session-port.ts";
import { nextState, stateOf } from "./session-state.ts";

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
  readonly measured: Measured;
}

/** Names a session of the caller's partner. */
export interface SessionAddress {
  readonly partnerId: string;
  readonly product: string;
  readonly sessionId: string;
}

export interface FoundSession {
  readonly session: StoredSession;
  readonly assessment: PublishedAssessment;
}

/** The session; throws `not_found` for all that the caller may not know of. */
export async function getSession(
  deps: Pick<SessionDeps, "sessions" | "catalogue">,
  address: SessionAddress,
  deadline: Deadline,
): Promise<FoundSession> {
  const session = await deps.sessions.findSession(nameOf(address), deadline.signal);
  if (session === undefined) throw notFound();
  const assessment = await deps.catalogue.byId(session.assessmentId);
  if (assessment.product !== address.product) throw notFound();
  return { session, assessment };
}

/**
 * Stores answers, all or none; the last answer to a question counts.
 * @param shownLanguage of the statements that the person answered, as a BCP 47 tag; null if it is not known
 * @returns the number of distinct questions answered by this call
 * Throws `invalid_request`, `not_found`, `conflict`, and `session_completed`, `session_cancelled` or `session_expired`
 * (unless all answers equal the stored ones).
 */
export function recordAnswers(
  deps: SessionDeps,
  address: SessionAddress,
  answers: readonly Answer[],
  deadline: Deadline,
  shownLanguage: string | null = null,
): Promise<number> {
  const sessionId = sessionIdOf(address);
  refuseIfAny(answerCountViolations(answers, 1));
  return deps.writes.run(sessionId, deadline.signal, () =>
    compareAndSwap(deps, deadline, async () => {
      const { session, assessment } = await getSession(deps, address, deadline);
      refuseIfAny(answerViolations(answers, assessment));
      const { sheet, recorded } = mergeAnswers(session.answers, answers, assessment);
      if (areStored(answers, session.answers, assessment)) return recorded;
      nextState(stateOf(session, deps.clock()), "answer");
      const recording = recordingOf(session, { sheet, recorded, shownLanguage }, deps.clock());
      const saved = await deps.sessions.saveAnswers(session, session.revision, recording, deadline.signal);
      return saved ? recorded : undefined;
    }),
  );
}

/** What completes a session. */
export interface CompleteCommand {
  /** Merged with the recorded ones. */
  readonly answers: readonly Answer[];
  /** Whether to refuse while a required question has no answer. */
  readonly requireAnswered: boolean;
}

/**
 * Merges the answers with the recorded ones, completes the session and scores it in one write.
 * @returns the results; null when scoring failed and is still to be done, or when they were deleted since
 * Throws `invalid_request` (also without any answer, or where one is missing that must not be), `not_found`, `session_completed`, `session_cancelled`,
 * `session_expired`, `conflict`.
 */
export function completeSession(
  deps: SessionDeps,
  address: SessionAddress,
  { answers, ...command }: CompleteCommand,
  deadline: Deadline,
): Promise<Results | null> {
  const sessionId = sessionIdOf(address);
  refuseIfAny(answerCountViolations(answers, 0));
  return deps.writes.run(sessionId, deadline.signal, () =>
    compareAndSwap(deps, deadline, async () => {
      const { session, assessment } = await getSession(deps, address, deadline);
      refuseIfAny(answerViolations(answers, assessment));
      const state = stateOf(session, deps.clock());
      const isRepeated = state === "completed" && areStored(answers, session.answers, assessment);
      if (!isRepeated) nextState(state, "complete");
      else {
        const stored = (await deps.sessions.findOutcome(session, deadline.signal))?.results ?? null;
        return stored === null ? null : assessment.resultsCodec.decode(stored);
      }
      const { sheet, recorded } = mergeAnswers(session.answers, answers, assessment);
      if (command.requireAnswered) requireAnswered(sheet, assessment);
      if (!hasAnswer(sheet)) throw nothingToScore();
      const results = isLeftUnscored(session) ? null : scoreSafely(deps, assessment, sheet);
      const completedAt = new Date(Math.max(deps.clock(), session.createdAt.getTime()));
      const recording = areStored(answers, session.answers, assessment)
        ? { answers: sheet, arrivals: session.arrivals, shownLanguage: session.shownLanguage }
        : recordingOf(session, { sheet, recorded, shownLanguage: null }, completedAt.getTime());
      const encoded = results && encodeResults(deps, assessment, results);
      const completion = { ...recording, completedAt, results: encoded, isPacked: deps.isRolledOut() };
      const saved = await deps.sessions.saveCompletion(session, session.revision, completion, deadline.signal);
      return saved ? results : undefined;
    }),
  );
}

/** The results of a session; throws `not_found` until it is scored, and once they are deleted. */
export async function getSessionResults(
  deps: Pick<SessionDeps, "sessions" | "catalogue">,
  address: SessionAddress,
  deadline: Deadline,
): Promise<Results> {
  const outcome = await deps.sessions.findOutcome(nameOf(address), deadline.signal);
  if (outcome === undefined) {
    await getSession(deps, address, deadline);
    throw notYetFound("notCompleted");
  }
  const assessment = await deps.catalogue.byId(outcome.assessmentId);
  if (assessment.product !== address.product) throw notFound();
  return assessment.resultsCodec.decode(resultsOf(outcome));
}

/** The stored results of a completed session that the caller may see. Throws `not_found` if there are none. */
export function resultsOf({ results, answersDeletedAt, resultsDeletedAt }: StoredOutcome): Uint8Array {
  if (resultsDeletedAt !== null) throw partDeleted("results");
  if (results !== null) return results;
  // Without answers it will never be scored.
  throw answersDeletedAt === null ? notYetFound("notScored") : partDeleted("answers");
}

/** Throws `not_found` if the answers of a session were deleted, for whatever is made of them. */
export function requireAnswers({ answersDeletedAt }: Pick<StoredSession, "answersDeletedAt">): void {
  if (answersDeletedAt !== null) throw partDeleted("answers");
}

/** The id in its canonical form. Throws `not_found` for what is none. */
export function sessionIdOf(address: SessionAddress): string {
  const id = parseUuid(address.sessionId);
  if (id === undefined) throw notFound();
  return id;
}

function nameOf(address: SessionAddress): SessionName {
  return { partnerId: address.partnerId, id: sessionIdOf(address) };
}

function nothingToScore(): Refusal {
  const detail = "No answer is recorded or supplied, so there is nothing to score.";
  return invalidRequest([{ path: ["answers"], code: "too_few_items", detail }]);
}
