// Change: what two completed sessions of one person tell about what changed between them.
import { compareSessions } from "../../values-bridge/quality/change/compare.ts";
import type { SessionComparison } from "../../values-bridge/quality/change/comparison.ts";
import type { PublishedAssessment } from "../assessments/published-assessment.ts";
import type { Deadline } from "../environment.ts";
import { invalidRequest, notFound } from "../errors.ts";
import type { StoredSession } from "../ports/sessions.ts";
import { wholeSheet } from "./quality.ts";
import { knownArrivals } from "./recording.ts";
import { getSession, type SessionDeps } from "./sessions.ts";

/** Names a person of the caller's partner, and two of their sessions. */
export interface ChangeQuery {
  readonly partnerId: string;
  readonly product: string;
  readonly externalId: string;
  /** Undefined: the session completed last before the other one. */
  readonly from: string | undefined;
  /** Undefined: the session completed last. */
  readonly to: string | undefined;
}

/** A completed session with its assessment version. */
export interface CompletedSession {
  readonly session: StoredSession & { readonly completedAt: Date };
  readonly assessment: PublishedAssessment;
}

export interface PersonChange {
  readonly from: CompletedSession;
  readonly to: CompletedSession;
  readonly comparison: SessionComparison;
}

type ChangeDeps = Pick<SessionDeps, "sessions" | "catalogue">;

/**
 * What changed from one completed session of a person to a later one.
 * Throws `not_found` where either is none of the person's, and `invalid_request` if the first is not the earlier one.
 */
export async function getChange(deps: ChangeDeps, query: ChangeQuery, deadline: Deadline): Promise<PersonChange> {
  const to = await findCompleted(deps, query, query.to ?? (await latestId(deps, query, deadline)), deadline);
  const from = await findCompleted(deps, query, query.from ?? (await idBefore(deps, query, to, deadline)), deadline);
  if (!isEarlier(from, to)) {
    const detail = "The first session must be completed before the second.";
    throw invalidRequest([{ path: ["from"], code: "not_earlier", detail }]);
  }
  return { from, to, comparison: compareSessions(comparedOf(from), comparedOf(to)) };
}

function comparedOf({ session, assessment }: CompletedSession) {
  return {
    assessor: assessment.quality(),
    answers: wholeSheet(session, assessment),
    times: knownArrivals(session),
  };
}

async function latestId(deps: ChangeDeps, query: ChangeQuery, { signal }: Deadline): Promise<string> {
  const { product, partnerId, externalId } = query;
  const outcome = await deps.sessions.findLatestOutcome(product, partnerId, externalId, signal);
  if (outcome === undefined) throw notFound();
  return outcome.sessionId;
}

async function idBefore(
  deps: ChangeDeps,
  query: ChangeQuery,
  { session }: CompletedSession,
  { signal }: Deadline,
): Promise<string> {
  const { product, partnerId, externalId } = query;
  const outcome = await deps.sessions.findOutcomeBefore(product, partnerId, externalId, session, signal);
  if (outcome === undefined) throw notFound();
  return outcome.sessionId;
}

async function findCompleted(
  deps: ChangeDeps,
  { partnerId, product, externalId }: ChangeQuery,
  sessionId: string,
  deadline: Deadline,
): Promise<CompletedSession> {
  const { session, assessment } = await getSession(deps, { partnerId, product, sessionId }, deadline);
  const { completedAt } = session;
  if (session.externalId !== externalId || completedAt === null) throw notFound();
  return { session: { ...session, completedAt }, assessment };
}

function isEarlier({ session: one }: CompletedSession, { session: other }: CompletedSession): boolean {
  const difference = one.completedAt.getTime() - other.completedAt.getTime();
  return difference < 0 || (difference === 0 && one.id < other.id);
}
