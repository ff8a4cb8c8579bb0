// The role of a person's sessions in norms: the first of a version counts, and may form a retest pair with a later one.

import { toSubject } from "../../domain/identifiers.ts";
import { listRatingsByPosition } from "../../domain/sessions/answers.ts";
import { type AnsweredSession, type CompletedSession, compareCompletions } from "../../domain/sessions/session.ts";
import { dayMs } from "../../kernel/environment.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { isTestTwin } from "../../kernel/ids.ts";
import type { Dependencies } from "../dependencies.ts";

/** Most sessions of a person that are read, in the order of creation. */
export const maxSessionsOfPerson = 100;
/** The soonest that a later session forms a retest pair with the first one. */
const retestFromMs = 7 * dayMs;
/** The latest one that does. */
const retestToMs = 90 * dayMs;

/** A person's part in the norms of a version. */
interface CountedPerson {
  readonly first: CompletedSession;
  /** The later session of the retest pair. */
  readonly retest: CompletedSession | undefined;
}

/**
 * A person's part in norms, one entry for each version: their first completed session, if its quality is good
 * enough. Sessions without an external id may all be of one person, and are not counted.
 * @param until sessions that were completed later are left out
 */
export async function findCountedPeople(deps: Dependencies, sessions: readonly AnsweredSession[], until: Date) {
  const completedSessions = sessions
    .filter((session): session is CompletedSession => session.completedAt !== null && session.completedAt <= until)
    .filter(({ partnerId, externalId }) => !isTestTwin(partnerId) && !toSubject(partnerId, externalId).anonymous)
    .toSorted(compareCompletions);
  const people: CountedPerson[] = [];
  for (const [first, ...later] of Map.groupBy(completedSessions, ({ assessmentId }) => assessmentId).values()) {
    if (first === undefined || !(await isEligible(deps, first))) continue;
    let retest: CompletedSession | undefined;
    for (const second of later) {
      if (retest === undefined && isRetest(first, second) && (await isEligible(deps, second))) retest = second;
    }
    people.push({ first, retest });
  }
  return people;
}

/** A session that took over ratings may share them with the first one. */
function isRetest(first: CompletedSession, second: CompletedSession): boolean {
  if (second.continues !== null) return false;
  const ms = second.completedAt.getTime() - first.completedAt.getTime();
  return first.shownLanguage === second.shownLanguage && ms >= retestFromMs && ms <= retestToMs;
}

/** A session that cannot be read is a defect, and adds nothing; an unavailable database is not such a defect. */
async function isEligible({ catalogue, reportDefect }: Dependencies, session: AnsweredSession): Promise<boolean> {
  try {
    const assessment = await catalogue.getById(session.assessmentId);
    return assessment.getNorms().isEligible(listRatingsByPosition(session, assessment), session.arrivals);
  } catch (error) {
    if (error instanceof Refusal && error.code !== "not_found") throw error;
    reportDefect(error, "norms");
    return false;
  }
}
