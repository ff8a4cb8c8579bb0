// Computing norms: a run reads the sessions of a partner person by person, and tells numbers anew where enough people have
// changed. Nothing is counted before, and nothing of a person is kept after it.

import type { StoredSession } from "../../domain/sessions/session.ts";
import type { MonotonicClock, Paging } from "../../kernel/environment.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { isTestTwin } from "../../kernel/test-tenant.ts";
import { dayMs } from "../../kernel/timers.ts";
import { leastForReliability, leastPeople, type NormKind, type NormSums } from "../../products/product.ts";
import type { NormChanges, NormKey, NormRun, NormStore, PoolKey, ToldNumbers } from "../../store/norms/norm-store.ts";
import type { NormPoolStore } from "../../store/norms/pool-store.ts";
import { unknownLanguage } from "./norms.ts";
import { beforeAllIds, countedOf, mostOfPerson, type PeopleDeps } from "./people.ts";

/** Sessions that one statement reads: some milliseconds of work. */
const page = 50;
/** Runs that one statement lists. */
const runPage = 1000;
/** The share of the time that a run takes at most: calls must not wait for it. */
const share = 1 / 20;
/** A pause is no longer than this, however long the work took. */
const longestPauseMs = 10_000;
/** Other numbers are told when so many people have changed, and so large a share of those who are told of. */
const leastChanged = 5;
const leastShare = 1 / 100;
const least = { sessions: leastPeople, retests: leastForReliability } as const;

export interface RunDeps extends PeopleDeps, Paging {
  readonly norms: NormStore;
  readonly normPools: Pick<NormPoolStore, "findParticipation">;
  readonly monotonic: MonotonicClock;
  /** Resolves after so many milliseconds; rejects when the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** How many people, or pairs, count, and how many of them came since the numbers that are told. */
export interface Tally {
  people: number;
  came: number;
}

/** What a partner's people add up to in one version and language. */
interface Counted extends PoolKey {
  readonly sums: NormSums;
  /** Those who count for norms of all partners. */
  readonly pool: NormSums;
  readonly tallies: Record<NormKind, Tally & { readonly last: ToldNumbers | undefined }>;
}

/** When the last night began: at that hour of the day in UTC. */
export function lastNight(now: Date, hour: number): Date {
  const hourMs = (hour * dayMs) / 24;
  return new Date(Math.floor((now.getTime() - hourMs) / dayMs) * dayMs + hourMs);
}

/**
 * Computes the norms of every partner whose last run ended before `until`, those with the fewest sessions first: nobody
 * waits for a partner with a million. Throws at its end if the norms of some could not be computed.
 * @param until sessions that are completed later are left to the next run
 * @returns how many partners and sessions that were
 */
export async function computeNorms(deps: RunDeps, until: Date, signal: AbortSignal) {
  const done = { partners: 0, sessions: 0 };
  const due = await listDue(deps, until, signal);
  for (const before of due) {
    try {
      done.sessions += await computeOf(deps, before, until, signal);
      done.partners += 1;
    } catch (error) {
      // What keeps one partner's norms from being computed holds up nobody else's; a database that is away does.
      if (signal.aborted || error instanceof Refusal) throw error;
      deps.reportDefect(error, "norms");
    }
  }
  if (done.partners < due.length) throw new Error(`no norms of ${due.length - done.partners} partners: see the log`);
  return done;
}

async function listDue({ norms, mostAtOnce = runPage }: RunDeps, until: Date, signal: AbortSignal): Promise<NormRun[]> {
  const runs = new Map<string, NormRun>();
  let last: string | undefined = beforeAllIds;
  while (last !== undefined) {
    const found: NormRun[] = await norms.listRuns(last, mostAtOnce, signal);
    for (const run of found) runs.set(run.partnerId, run);
    last = found.length < mostAtOnce ? undefined : found.at(-1)?.partnerId;
  }
  let next = await norms.findNextPartner(beforeAllIds, signal);
  while (next !== undefined) {
    if (!runs.has(next) && !isTestTwin(next)) runs.set(next, { partnerId: next, countedUntil: null, sessions: 0 });
    next = await norms.findNextPartner(next, signal);
  }
  return [...runs.values()]
    .filter(({ countedUntil }) => countedUntil === null || countedUntil < until)
    .toSorted((one, other) => one.sessions - other.sessions);
}

/** @returns how many sessions it looked at */
async function computeOf(deps: RunDeps, before: NormRun, until: Date, signal: AbortSignal): Promise<number> {
  const { norms, normPools, catalogue } = deps;
  const { partnerId } = before;
  const told = await norms.listTold(partnerId, signal);
  const since = (await normPools.findParticipation(partnerId, signal))?.since ?? null;
  const all = new Map<string, Counted>();
  const countedIn = async ({ assessmentId, language }: PoolKey): Promise<Counted> => {
    const name = `${assessmentId} ${language}`;
    const known = all.get(name);
    if (known !== undefined) return known;
    const { newSums } = (await catalogue.byId(assessmentId)).norms();
    const tally = (kind: NormKind) => {
      const isOf = (each: (typeof told)[number]) =>
        each.assessmentId === assessmentId && each.language === language && each.kind === kind;
      return { people: 0, came: 0, last: told.find(isOf) };
    };
    const tallies = { sessions: tally("sessions"), retests: tally("retests") };
    const made = { assessmentId, language, sums: newSums(), pool: newSums(), tallies };
    all.set(name, made);
    return made;
  };
  // What is told of people who are all gone is to go as well.
  for (const key of told) await countedIn(key);
  let sessions = 0;
  for await (const person of peopleOf(deps, partnerId, signal)) {
    sessions += person.length;
    for (const { first, retest } of await countedOf(deps, person, until)) {
      const { assessmentId, shownLanguage, answers, completedAt, createdAt, mode } = first;
      const counted = await countedIn({ assessmentId, language: shownLanguage ?? unknownLanguage });
      const countable = { answers, completedAt, isHosted: mode === "hosted" };
      counted.sums.add(countable);
      addTo(counted.tallies.sessions, completedAt);
      if (since !== null && createdAt >= since) counted.pool.add(countable);
      if (retest === undefined) continue;
      counted.sums.addPair(answers, retest.answers);
      addTo(counted.tallies.retests, retest.completedAt);
    }
  }
  const run = { partnerId, countedUntil: until, sessions };
  await norms.saveRun(run, before.countedUntil, changesOf([...all.values()], since, until), signal);
  return sessions;
}

/** The sessions of each person, the first created first; with pauses, in which calls are served. */
async function* peopleOf(
  { norms, monotonic, pause, mostAtOnce = page }: RunDeps,
  partnerId: string,
  signal: AbortSignal,
): AsyncGenerator<readonly StoredSession[]> {
  let after = { externalId: "", id: beforeAllIds };
  let person: StoredSession[] = [];
  for (;;) {
    const begunAt = monotonic();
    const sessions = await norms.listSessions(partnerId, after, mostAtOnce, signal);
    for (const session of sessions) {
      if (session.externalId !== person[0]?.externalId) {
        yield person;
        person = [];
      }
      if (person.length < mostOfPerson) person.push(session);
    }
    const last = sessions.at(-1);
    if (last === undefined || sessions.length < mostAtOnce) break;
    after = last;
    await pause(Math.min(longestPauseMs, (monotonic() - begunAt) * (1 / share - 1)), signal);
  }
  yield person;
}

function addTo(tally: Counted["tallies"][NormKind], completedAt: Date): void {
  tally.people += 1;
  if (tally.last !== undefined && completedAt > tally.last.computedAt) tally.came += 1;
}

function changesOf(all: readonly Counted[], since: Date | null, until: Date): NormChanges {
  const told: NormChanges["told"][number][] = [];
  const withdrawn: NormKey[] = [];
  for (const { assessmentId, language, sums, tallies } of all) {
    for (const kind of ["sessions", "retests"] as const) {
      const key = { assessmentId, language, kind };
      const { people, last } = tallies[kind];
      if (last !== undefined && !mayTellAnew(last, tallies[kind], until)) continue;
      if (people >= least[kind]) told.push({ ...key, computedAt: until, people, numbers: sums.numbersOf(kind) });
      else if (last !== undefined) withdrawn.push(key);
    }
  }
  const counts = all.flatMap(({ assessmentId, language, pool }) =>
    since === null ? [] : [{ assessmentId, language, since, counts: pool.poolCounts() }],
  );
  return { told, withdrawn, counts };
}

/**
 * Whether other numbers may be told in the place of those that are: one day later at the soonest, and of enough people who
 * have come or gone that the difference tells nobody's answers.
 */
export function mayTellAnew(last: ToldNumbers, { people, came }: Tally, until: Date): boolean {
  const gone = Math.max(0, last.people - (people - came));
  const isDayLater = until.getTime() - last.computedAt.getTime() >= dayMs;
  return isDayLater && came + gone >= Math.max(leastChanged, leastShare * last.people);
}
