// Computes norms: a run reads the sessions of a partner person by person, and publishes new numbers if enough people have
// changed. Nothing is counted between runs, and nothing about a person is stored.
import { setTimeout } from "node:timers/promises";
import { NIL } from "uuid";
import type { AnsweredSession } from "../../domain/sessions/session.ts";
import { dayMs } from "../../kernel/environment.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { isTestTwin } from "../../kernel/ids.ts";
import { type Instrument, minForReliability, minPeople, type NormKind, type NormSums } from "../../products/product.ts";
import type { NormChanges, NormKey, NormRun, NumbersSummary, PoolKey } from "../../store/norms/norm-store.ts";
import { readAllRows, readOneByOne } from "../all-rows.ts";
import type { Dependencies } from "../dependencies.ts";
import { unknownLanguage } from "./norms.ts";
import { findCountedPeople, maxSessionsOfPerson } from "./people.ts";
import { isWithinParticipation } from "./pool.ts";

/** The greatest share of the time that a run may take: calls must not wait for it. */
const maxBusyShare = 1 / 20;
/** The longest pause, however long the work took. */
const longestPauseMs = 10_000;
/** New numbers are published once this many people have changed, and this share of those in the published ones. */
const minChanged = 5;
const minShare = 1 / 100;
const minCounts = { sessions: minPeople, retests: minForReliability } as const;

export type RunDeps = Dependencies & {
  /** Resolves after the given milliseconds; rejects when the signal aborts. Real time unless given. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
};

/** Numbers of people, or pairs, that count, and of those that were added after the published numbers. */
interface Tally {
  people: number;
  added: number;
}

/** The sums over a partner's people in one version and language. */
interface NormEntry extends PoolKey {
  readonly instrument: Instrument;
  readonly sums: NormSums;
  /** The people who are included in norms of all partners. */
  readonly pool: NormSums;
  readonly tallies: Record<NormKind, Tally & { readonly last: NumbersSummary | undefined }>;
}

/** The last time that it was this hour of the day in UTC. */
export function findLatestRunTime(now: Date, hour: number): Date {
  const hourMs = (hour * dayMs) / 24;
  return new Date(Math.floor((now.getTime() - hourMs) / dayMs) * dayMs + hourMs);
}

/**
 * Computes the norms of every partner whose last run ended before `until`, those with the fewest sessions first, so that
 * no partner waits for one with a million. Throws at its end if the norms of some could not be computed.
 * @param until sessions that are completed later are left to the next run
 * @returns the number of partners and of sessions
 */
export async function computeNorms(deps: RunDeps, until: Date, signal: AbortSignal) {
  const totals = { partners: 0, sessions: 0 };
  const due = await listDue(deps, until, signal);
  for (const previousRun of due) {
    try {
      totals.sessions += await computePartnerNorms(deps, previousRun, until, signal);
      totals.partners += 1;
    } catch (error) {
      // A fault in one partner's norms does not stop the others'; an unavailable database does.
      if (signal.aborted || error instanceof Refusal) throw error;
      deps.reportDefect(error, "norms");
    }
  }
  if (totals.partners < due.length)
    throw new Error(`no norms of ${due.length - totals.partners} partners: see the log`);
  return totals;
}

async function listDue({ norms, batchSizes }: RunDeps, until: Date, signal: AbortSignal): Promise<NormRun[]> {
  const runs = new Map<string, NormRun>();
  const read = (last?: NormRun) => norms.listRuns(last?.partnerId ?? NIL, batchSizes.normRuns, signal);
  for await (const run of readAllRows(batchSizes.normRuns, read)) runs.set(run.partnerId, run);
  for await (const partnerId of readOneByOne((last: string = NIL) => norms.findNextPartner(last, signal))) {
    if (!runs.has(partnerId) && !isTestTwin(partnerId))
      runs.set(partnerId, { partnerId, countedUntil: null, sessions: 0 });
  }
  return [...runs.values()]
    .filter(({ countedUntil }) => countedUntil === null || countedUntil < until)
    .toSorted((one, other) => one.sessions - other.sessions);
}

/** @returns how many sessions it read */
async function computePartnerNorms(
  deps: RunDeps,
  previousRun: NormRun,
  until: Date,
  signal: AbortSignal,
): Promise<number> {
  const { norms, normPools, catalogue } = deps;
  const { partnerId } = previousRun;
  const publications = await norms.listPublished(partnerId, signal);
  const since = await normPools.findParticipation(partnerId, signal);
  const entries = new Map<string, NormEntry>();
  const getEntry = async ({ assessmentId, language }: PoolKey): Promise<NormEntry> => {
    const name = `${assessmentId} ${language}`;
    const cachedEntry = entries.get(name);
    if (cachedEntry !== undefined) return cachedEntry;
    const instrument = await catalogue.getById(assessmentId);
    const { createSums } = instrument.getNorms();
    const createTally = (kind: NormKind) => {
      const hasKey = (each: (typeof publications)[number]) =>
        each.assessmentId === assessmentId && each.language === language && each.kind === kind;
      return { people: 0, added: 0, last: publications.find(hasKey) };
    };
    const tallies = { sessions: createTally("sessions"), retests: createTally("retests") };
    const entry = { assessmentId, language, instrument, sums: createSums(), pool: createSums(), tallies };
    entries.set(name, entry);
    return entry;
  };
  // Numbers are also withdrawn if all of their people are erased.
  for (const key of publications) await getEntry(key);
  let sessions = 0;
  for await (const person of listPeople(deps, partnerId, signal)) {
    sessions += person.length;
    for (const { first, retest } of await findCountedPeople(deps, person, until)) {
      const { assessmentId, shownLanguage, answers, completedAt, mode } = first;
      const counts = await getEntry({ assessmentId, language: shownLanguage ?? unknownLanguage });
      const countable = { answers, completedAt, isHosted: mode === "hosted" };
      counts.sums.add(countable);
      addTo(counts.tallies.sessions, completedAt);
      if (isWithinParticipation(first, since)) counts.pool.add(countable);
      if (retest === undefined) continue;
      counts.sums.addPair(answers, retest.answers);
      addTo(counts.tallies.retests, retest.completedAt);
    }
  }
  const run = { partnerId, countedUntil: until, sessions };
  await norms.saveRun(run, previousRun.countedUntil, toChanges([...entries.values()], since, until), signal);
  return sessions;
}

/** The sessions of each person in the order of creation; pauses in between, in which calls are served. */
async function* listPeople(
  { norms, monotonic, pause = pauseFor, batchSizes }: RunDeps,
  partnerId: string,
  signal: AbortSignal,
): AsyncGenerator<readonly AnsweredSession[]> {
  let after: Pick<AnsweredSession, "externalId" | "id"> = { externalId: "", id: NIL };
  let person: AnsweredSession[] = [];
  for (;;) {
    const begunAt = monotonic();
    const sessions = await norms.listSessions(partnerId, after, batchSizes.normSessions, signal);
    for (const session of sessions) {
      if (session.externalId !== person[0]?.externalId) {
        yield person;
        person = [];
      }
      if (person.length < maxSessionsOfPerson) person.push(session);
    }
    const last = sessions.at(-1);
    if (last === undefined || sessions.length < batchSizes.normSessions) break;
    after = last;
    await pause(Math.min(longestPauseMs, (monotonic() - begunAt) * (1 / maxBusyShare - 1)), signal);
  }
  yield person;
}

function pauseFor(ms: number, signal: AbortSignal): Promise<unknown> {
  return setTimeout(ms, undefined, { signal });
}

function addTo(tally: NormEntry["tallies"][NormKind], completedAt: Date): void {
  tally.people += 1;
  if (tally.last !== undefined && completedAt > tally.last.computedAt) tally.added += 1;
}

function toChanges(entries: readonly NormEntry[], since: Date | null, until: Date): NormChanges {
  const publications: NormChanges["published"][number][] = [];
  const withdrawn: NormKey[] = [];
  for (const { assessmentId, language, instrument, sums, tallies } of entries) {
    for (const kind of ["sessions", "retests"] as const) {
      const key = { assessmentId, language, kind };
      const { people, last } = tallies[kind];
      if (last !== undefined && !mayPublish(last, tallies[kind], until)) continue;
      if (people >= minCounts[kind]) {
        const numbers = instrument.getNorms().computeNumbers(sums, kind);
        publications.push({ ...key, computedAt: until, people, numbers });
      } else if (last !== undefined) withdrawn.push(key);
    }
  }
  const counts = entries.flatMap(({ assessmentId, language, instrument, pool }) =>
    since === null ? [] : [{ assessmentId, language, since, counts: instrument.getNorms().encodeCounts(pool) }],
  );
  return { published: publications, withdrawn, counts };
}

/**
 * Whether new numbers may replace the published ones: at least a day later, and with so many people added or removed
 * that the difference reveals nobody's answers. Readers may know who was added, so removed people must be many enough on
 * their own.
 */
export function mayPublish(last: NumbersSummary, { people, added }: Tally, until: Date): boolean {
  const removedCount = Math.max(0, last.people - (people - added));
  const isDayLater = until.getTime() - last.computedAt.getTime() >= dayMs;
  const hidesRemoved = removedCount === 0 || removedCount >= minChanged;
  return isDayLater && hidesRemoved && added + removedCount >= Math.max(minChanged, minShare * last.people);
}
