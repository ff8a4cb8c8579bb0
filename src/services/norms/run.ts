// Computing norms: a run reads the sessions of a partner person by person, and tells numbers anew where enough people have
// changed. Nothing is counted before, and nothing of a person is kept after it.

import type { StoredSession } from "../../domain/sessions/session.ts";
import type { MonotonicClock, Paging } from "../../kernel/environment.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { isTestTwin } from "../../kernel/test-tenant.ts";
import { dayMs } from "../../kernel/timers.ts";
import { leastForReliability, leastPeople, type NormKind, type NormSums } from "../../products/product.ts";
import type {
  NormChanges,
  NormKey,
  NormRun,
  NormStore,
  PoolCounts,
  PoolKey,
  ToldNumbers,
} from "../../store/norms/norm-store.ts";
import type { NormPoolStore } from "../../store/norms/pool-store.ts";
import { unknownLanguage } from "./norms.ts";
import { beforeAllIds, type CompletedSession, countedOf, mostOfPerson, type PeopleDeps } from "./people.ts";

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
interface Counted extends Record<NormKind, Tally>, PoolKey {
  readonly sums: NormSums;
  /** Those who count for norms of all partners. */
  readonly pool: NormSums;
}

/** How far a run over a partner's sessions has come. */
interface Scan {
  readonly before: NormRun;
  readonly until: Date;
  readonly told: ReadonlyMap<string, NormKey & ToldNumbers>;
  /** Null: the partner takes no part in norms of all partners. */
  readonly since: Date | null;
  readonly counted: Map<string, Counted>;
  after: { readonly externalId: string; readonly id: string };
  person: StoredSession[];
  sessions: number;
}

/** When the last night began: at that hour of the day in UTC. */
export function lastNight(now: Date, hour: number): Date {
  const hourMs = (hour * dayMs) / 24;
  return new Date(Math.floor((now.getTime() - hourMs) / dayMs) * dayMs + hourMs);
}

/** Runs over the sessions of every partner, which go on where they were interrupted. */
export class NormRuns {
  readonly #deps: RunDeps;
  #scan: Scan | undefined;
  #until = new Date(0);

  constructor(deps: RunDeps) {
    this.#deps = deps;
  }

  /**
   * Computes the norms of every partner whose last run ended before `until`, those with the fewest sessions first: nobody
   * waits for a partner with a million.
   * @param until sessions that are completed later are left to the next run
   * @returns how many partners that were
   */
  async compute(until: Date, signal: AbortSignal): Promise<{ readonly partners: number; readonly sessions: number }> {
    const done = { partners: 0, sessions: 0 };
    if (until <= this.#until) return done;
    const due = await this.#listDue(until, signal);
    for (const before of due) {
      try {
        const scan = await this.#scanAll(before, until, signal);
        await this.#save(scan, signal);
        done.partners += 1;
        done.sessions += scan.sessions;
      } catch (error) {
        // What keeps one partner's norms from being computed holds up nobody else's; a database that is away does.
        if (signal.aborted || error instanceof Refusal) throw error;
        this.#deps.reportDefect(error, "norms");
      }
    }
    if (done.partners === due.length) this.#until = until;
    return done;
  }

  async #listDue(until: Date, signal: AbortSignal): Promise<NormRun[]> {
    const { norms, mostAtOnce = runPage } = this.#deps;
    const runs = new Map<string, NormRun>();
    let last: string | undefined = beforeAllIds;
    while (last !== undefined) {
      const found: NormRun[] = await norms.listRuns(last, mostAtOnce, signal);
      for (const run of found) runs.set(run.partnerId, run);
      last = found.length < mostAtOnce ? undefined : found.at(-1)?.partnerId;
    }
    let next = await norms.findNextPartner(beforeAllIds, signal);
    while (next !== undefined) {
      if (!runs.has(next) && !isTestTwin(next)) {
        runs.set(next, { partnerId: next, countedUntil: null, sessions: 0 });
      }
      next = await norms.findNextPartner(next, signal);
    }
    return [...runs.values()]
      .filter(({ countedUntil }) => countedUntil === null || countedUntil < until)
      .toSorted((one, other) => one.sessions - other.sessions);
  }

  async #scanAll(before: NormRun, until: Date, signal: AbortSignal): Promise<Scan> {
    const { norms, monotonic, pause, mostAtOnce = page } = this.#deps;
    const { partnerId } = before;
    const scan = await this.#takeScan(before, until, signal);
    for (;;) {
      const begunAt = monotonic();
      // What ends the run outside of a page, the next run goes on from.
      this.#scan = scan;
      const sessions = await norms.listSessions(partnerId, scan.after, mostAtOnce, signal);
      this.#scan = undefined;
      for (const session of sessions) {
        if (session.externalId !== scan.person[0]?.externalId) await this.#addPerson(scan);
        if (scan.person.length < mostOfPerson) scan.person.push(session);
      }
      scan.sessions += sessions.length;
      const last = sessions.at(-1);
      if (last === undefined || sessions.length < mostAtOnce) break;
      scan.after = last;
      this.#scan = scan;
      await pause(Math.min(longestPauseMs, (monotonic() - begunAt) * (1 / share - 1)), signal);
    }
    await this.#addPerson(scan);
    return scan;
  }

  async #takeScan(before: NormRun, until: Date, signal: AbortSignal): Promise<Scan> {
    const { norms, normPools } = this.#deps;
    const { partnerId } = before;
    const begun = this.#scan;
    this.#scan = undefined;
    if (begun?.before.partnerId === partnerId && begun.until.getTime() === until.getTime()) return begun;
    const told = await norms.listTold(partnerId, signal);
    const participation = await normPools.findParticipation(partnerId, signal);
    const scan: Scan = {
      before,
      until,
      told: new Map(told.map((each) => [nameOf(each, each.kind), each])),
      since: participation?.since ?? null,
      counted: new Map(),
      after: { externalId: "", id: beforeAllIds },
      person: [],
      sessions: 0,
    };
    // What is told of people who are all gone is to go as well.
    for (const { assessmentId, language } of told) await this.#countedIn(scan, { assessmentId, language });
    return scan;
  }

  async #addPerson(scan: Scan): Promise<void> {
    const sessions = scan.person;
    scan.person = [];
    for (const { first, retest } of await countedOf(this.#deps, sessions, scan.until)) {
      const { assessmentId, shownLanguage } = first;
      const counted = await this.#countedIn(scan, { assessmentId, language: shownLanguage ?? unknownLanguage });
      const { answers, completedAt, createdAt, mode } = first;
      const countable = { answers, completedAt, isHosted: mode === "hosted" };
      counted.sums.add(countable);
      tally(scan, counted, "sessions", first);
      if (scan.since !== null && createdAt >= scan.since) counted.pool.add(countable);
      if (retest === undefined) continue;
      counted.sums.addPair(answers, retest.answers);
      tally(scan, counted, "retests", retest);
    }
  }

  async #countedIn({ counted }: Scan, key: PoolKey): Promise<Counted> {
    const known = counted.get(nameOf(key));
    if (known !== undefined) return known;
    const norms = (await this.#deps.catalogue.byId(key.assessmentId)).norms();
    const nobody = () => ({ people: 0, came: 0 });
    const made = { ...key, sessions: nobody(), retests: nobody(), sums: norms.newSums(), pool: norms.newSums() };
    counted.set(nameOf(key), made);
    return made;
  }

  async #save({ before, until, told, since, counted, sessions }: Scan, signal: AbortSignal): Promise<void> {
    const changes = {
      told: [] as NormChanges["told"][number][],
      withdrawn: [] as NormKey[],
      counts: [] as PoolCounts[],
    };
    for (const { assessmentId, language, sums, pool, ...tallies } of counted.values()) {
      for (const kind of ["sessions", "retests"] as const) {
        const key = { assessmentId, language, kind };
        const { people, came } = tallies[kind];
        const last = told.get(nameOf(key, kind));
        if (last !== undefined && !mayTellAnew(last, { people, came }, until)) continue;
        if (people >= least[kind]) {
          changes.told.push({ ...key, computedAt: until, people, numbers: sums.numbersOf(kind) });
        } else if (last !== undefined) changes.withdrawn.push(key);
      }
      if (since !== null) changes.counts.push({ assessmentId, language, since, counts: pool.poolCounts() });
    }
    const run = { ...before, countedUntil: until, sessions };
    await this.#deps.norms.saveRun(run, before.countedUntil, changes, signal);
  }
}

function nameOf({ assessmentId, language }: PoolKey, kind: NormKind | "" = ""): string {
  return `${assessmentId} ${language} ${kind}`;
}

function tally({ told }: Scan, counted: Counted, kind: NormKind, { completedAt }: CompletedSession): void {
  const last = told.get(nameOf(counted, kind));
  counted[kind].people += 1;
  if (last !== undefined && completedAt > last.computedAt) counted[kind].came += 1;
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
