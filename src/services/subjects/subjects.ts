// Persons, as the partner names them.

import type { AssessmentCatalogue } from "../../domain/assessments/catalogue.ts";
import { newId } from "../../domain/identifiers.ts";
import type { Clock, Deadline, RandomBytes } from "../../kernel/environment.ts";
import { notFound } from "../../kernel/errors/refusal.ts";
import type { Results } from "../../products/product.ts";
import type { SessionStore } from "../../store/sessions/session-store.ts";
import { resultsOf } from "../sessions/sessions.ts";

export interface SubjectDeps {
  readonly sessions: SessionStore;
  readonly catalogue: AssessmentCatalogue;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** The outcome of a person's latest completed session. */
export interface LatestResults {
  readonly sessionId: string;
  readonly completedAt: Date;
  /** Null until scored. */
  readonly results: Results | null;
}

export interface ErasureSizes {
  /** Sessions found by one statement: many, since it has to pass those which were removed shortly before. */
  readonly page: number;
  /** Sessions removed by one transaction: enough to be quick, few enough not to hold locks for long. */
  readonly batch: number;
}

const erasureSizes: ErasureSizes = { page: 10_000, batch: 200 };

/**
 * The latest completed session of a person.
 * Throws `not_found` for an unknown person, for another partner's and without a completed session alike, and if the
 * results were deleted.
 */
export async function getLatestResults(
  deps: Pick<SubjectDeps, "sessions" | "catalogue">,
  { partnerId, product, externalId }: { partnerId: string; product: string; externalId: string },
  deadline: Deadline,
): Promise<LatestResults> {
  const outcome = await deps.sessions.findLatestOutcome(product, partnerId, externalId, deadline.signal);
  if (outcome === undefined) throw notFound();
  const { sessionId, completedAt, results, answersDeletedAt, resultsDeletedAt } = outcome;
  const isUnscored = results === null && answersDeletedAt === null && resultsDeletedAt === null;
  if (isUnscored) return { sessionId, completedAt, results };
  return { sessionId, completedAt, results: deps.catalogue.product.results.decode(resultsOf(outcome)) };
}

/**
 * Removes all that is held of a person at the partner, and leaves a record that says nothing of the person.
 * @returns the number of sessions removed, at least 1; throws `not_found` if nothing is held
 */
export async function eraseSubject(
  deps: SubjectDeps,
  { partnerId, clientId, externalId }: { partnerId: string; clientId: string; externalId: string },
  deadline: Deadline,
  sizes: ErasureSizes = erasureSizes,
): Promise<number> {
  const { sessions, clock, random } = deps;
  const { signal } = deadline;
  let sessionsErased = 0;
  let page: string[];
  let after: string | null = null;
  do {
    page = await sessions.listSessionIds(partnerId, externalId, after, sizes.page, signal);
    for (let begin = 0; begin < page.length; begin += sizes.batch) {
      const ids = page.slice(begin, begin + sizes.batch);
      const erasedAt = new Date(clock());
      const erasure = { id: newId(erasedAt, random), partnerId, clientId, erasedAt };
      sessionsErased += await sessions.eraseSessions(ids, erasure, signal);
    }
    after = page.at(-1) ?? null;
  } while (page.length === sizes.page);
  if (sessionsErased === 0) throw notFound();
  return sessionsErased;
}
