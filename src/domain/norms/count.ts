// Counting completed sessions for norms, after their completion.

import type { Clock, Paging, ReportDefect } from "../../kernel/environment.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { isTestTwin } from "../../kernel/test-tenant.ts";
import { dayMs } from "../../kernel/timers.ts";
import type { AssessmentCatalogue } from "../assessments/catalogue.ts";
import { subjectOf } from "../identifiers.ts";
import { wholeSheet } from "../sessions/answers.ts";
import type { SessionName } from "../sessions/session.ts";
import { beforeAllCompletions, type StoredSession } from "../sessions/session.ts";
import type { LoadedArithmetic } from "./arithmetic.ts";
import { addsToSet, type CountedSession, type FirstSession, type NormRole, type NormStore } from "./norm-port.ts";

export interface NormDeps extends Paging {
  readonly norms: NormStore;
  readonly sessions: { findSession(session: SessionName, signal: AbortSignal): Promise<StoredSession | undefined> };
  readonly catalogue: AssessmentCatalogue;
  readonly arithmetic: LoadedArithmetic;
  readonly clock: Clock;
  readonly reportDefect: ReportDefect;
}

/** Sessions counted by one transaction. */
const batch = 50;
/** How long after the first session a second one makes a retest pair with it. */
const retestFromMs = 7 * dayMs;
const retestToMs = 90 * dayMs;
const none: NormRole = { name: "none" };

/**
 * Counts the sessions that were completed since, oldest first, until none is left.
 * @param mayGoOn asked after each batch, before the next
 * @returns how many were looked at
 */
export async function countSessions(
  deps: NormDeps,
  signal: AbortSignal,
  mayGoOn: () => Promise<boolean>,
): Promise<number> {
  const { arithmetic, mostAtOnce = batch } = deps;
  let after = beforeAllCompletions;
  let looked = 0;
  for (;;) {
    const sessions = await deps.norms.listUncounted(after, mostAtOnce, signal);
    const last = sessions.at(-1);
    if (last === undefined || last.completedAt === null) return looked;
    const counted = await judge(deps, sessions, signal);
    for (const { session, role } of counted) if (addsToSet(role)) await arithmetic.load(session.assessmentId);
    await deps.norms.count(counted, arithmetic, signal);
    looked += sessions.length;
    after = { completedAt: last.completedAt, id: last.id };
    if (!(await mayGoOn())) return looked;
  }
}

async function judge(
  deps: NormDeps,
  sessions: readonly StoredSession[],
  signal: AbortSignal,
): Promise<CountedSession[]> {
  const subjects = sessions.map(({ partnerId, externalId }) => subjectOf(partnerId, externalId));
  const people = subjects.map(({ id }) => id);
  const firsts = new Map<string, FirstSession>();
  const keyOf = (subjectId: string, assessmentId: number) => `${subjectId} ${assessmentId}`;
  const named = sessions.map(({ partnerId }, place) => ({ partnerId, subjectId: people[place] ?? "" }));
  for (const first of await deps.norms.findFirstSessions(named, signal)) {
    firsts.set(keyOf(first.subjectId, first.assessmentId), first);
  }
  const counted: CountedSession[] = [];
  for (const [place, session] of sessions.entries()) {
    const subjectId = people[place] ?? "";
    const key = keyOf(subjectId, session.assessmentId);
    const first = firsts.get(key);
    // Anonymous sessions may all be of one person.
    const isNobody = isTestTwin(session.partnerId) || subjects[place]?.anonymous !== false;
    const role = isNobody ? none : await roleOf(deps, session, first, signal);
    counted.push({ session, subjectId, role });
    if (role.name === "first") {
      const { assessmentId, id } = session;
      firsts.set(key, { subjectId, assessmentId, sessionId: id, contributes: role.contributes, hasRetest: false });
    }
    if (role.name === "retest" && first !== undefined) firsts.set(key, { ...first, hasRetest: true });
  }
  return counted;
}

function roleOf(
  deps: NormDeps,
  session: StoredSession,
  first: FirstSession | undefined,
  signal: AbortSignal,
): Promise<NormRole> {
  return first === undefined ? roleOfFirst(deps, session) : roleOfLater(deps, session, first, signal);
}

async function roleOfFirst(deps: NormDeps, session: StoredSession): Promise<NormRole> {
  return { name: "first", contributes: await mayContribute(deps, session) };
}

async function roleOfLater(
  deps: NormDeps,
  session: StoredSession,
  { sessionId, contributes, hasRetest }: FirstSession,
  signal: AbortSignal,
): Promise<NormRole> {
  if (!contributes || hasRetest) return none;
  const first = await deps.sessions.findSession({ partnerId: session.partnerId, id: sessionId }, signal);
  if (first === undefined || !isRetest(first, session) || !(await mayContribute(deps, session))) return none;
  return { name: "retest", first };
}

function isRetest(first: StoredSession, second: StoredSession): boolean {
  if (first.completedAt === null || second.completedAt === null) return false;
  const ms = second.completedAt.getTime() - first.completedAt.getTime();
  return first.shownLanguage === second.shownLanguage && ms >= retestFromMs && ms <= retestToMs;
}

/** A session that cannot be read is a defect, and adds nothing; a database that is away is none. */
async function mayContribute({ catalogue, reportDefect }: NormDeps, session: StoredSession): Promise<boolean> {
  try {
    const assessment = await catalogue.byId(session.assessmentId);
    return assessment.norms().isEligible(wholeSheet(session, assessment), session.arrivals);
  } catch (error) {
    if (error instanceof Refusal && error.code !== "not_found") throw error;
    reportDefect(error, "norms");
    return false;
  }
}
