// Norms of all partners: released four times a year, once each time; and whose people are included.

import { setImmediate as yieldToCalls } from "node:timers/promises";
import { NIL } from "uuid";
import { toSubject } from "../../domain/identifiers.ts";
import type { StoredSession } from "../../domain/sessions/session.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { isTestTwin } from "../../kernel/ids.ts";
import { maxReleases, type NormPool } from "../../products/product.ts";
import type { PoolKey } from "../../store/norms/norm-store.ts";
import type { Participant } from "../../store/norms/pool-store.ts";
import { readAllRows } from "../all-rows.ts";
import type { Dependencies } from "../dependencies.ts";
import { getPartner } from "../identity/partners.ts";

/** Quarters since the year 0: a release belongs to the quarter in which it is made. */
function toQuarter(time: Date): number {
  return 4 * time.getUTCFullYear() + Math.floor(time.getUTCMonth() / 3);
}

/**
 * Makes the releases of this quarter, unless that was done: at its beginning, or as soon as a process runs. Norms of too
 * few people by then wait for the next quarter, so that nobody can choose the time of a release by sending people.
 * @returns how many were made
 */
export async function releasePools(deps: Dependencies, signal: AbortSignal): Promise<number> {
  const { normPools, clock, random } = deps;
  const now = new Date(clock());
  const quarter = toQuarter(now);
  if (await normPools.isDecided(quarter, signal)) return 0;
  let releaseCount = 0;
  for (const { key, pool } of await sumPools(deps, signal)) {
    const number = ((await normPools.findRelease(key, signal))?.number ?? 0) + 1;
    if (number > maxReleases || !pool.hasEnoughPeople()) continue;
    // A draw that is not stored was never shown to anybody, so drawing again reveals nothing.
    const histograms = pool.draw(random);
    if (await normPools.saveRelease(key, { number, quarter, histograms }, now, signal)) releaseCount += 1;
  }
  await normPools.saveDecidedQuarter(quarter, now, signal);
  return releaseCount;
}

/** The sums of all partners' people by version and language: there are few of these. */
async function sumPools(
  { normPools, catalogue, batchSizes }: Dependencies,
  signal: AbortSignal,
): Promise<Iterable<{ readonly key: PoolKey; readonly pool: NormPool }>> {
  const pools = new Map<string, { key: PoolKey; pool: NormPool }>();
  const read = (last?: Participant) =>
    normPools.listParticipants(last?.partnerId ?? NIL, batchSizes.partnerRows, signal);
  for await (const { partnerId, since } of readAllRows(batchSizes.partnerRows, read)) {
    for (const { counts, ...key } of await normPools.listCounts(partnerId, signal)) {
      // Counts of an earlier participation do not count.
      if (key.since.getTime() !== since.getTime()) continue;
      const name = `${key.assessmentId} ${key.language}`;
      const entry = pools.get(name) ?? {
        key,
        pool: (await catalogue.getById(key.assessmentId)).getNorms().createPool(),
      };
      pools.set(name, entry);
      entry.pool.add(counts);
      await yieldToCalls();
    }
  }
  return pools.values();
}

/** Since when a partner takes part, changed if a value is given; null: it does not. Throws `not_found`. */
export async function setParticipation(
  deps: Dependencies,
  partnerId: string,
  takesPart: boolean | undefined,
  deadline: Deadline,
): Promise<Date | null> {
  const { normPools, clock } = deps;
  const { signal } = deadline;
  const { id } = await getPartner(deps, partnerId, deadline);
  const current = await normPools.findParticipation(id, signal);
  if (takesPart === undefined || takesPart === (current !== null)) return current;
  const since = takesPart ? new Date(clock()) : null;
  await normPools.saveParticipation(id, since, signal);
  return since;
}

/** Whether the answers of a session may be included in norms of all partners. */
export async function isAllowedInPool(
  { normPools }: Dependencies,
  session: StoredSession,
  signal: AbortSignal,
): Promise<boolean> {
  const { partnerId, externalId } = session;
  if (isTestTwin(partnerId) || toSubject(partnerId, externalId).anonymous) return false;
  return isWithinParticipation(session, await normPools.findParticipation(partnerId, signal));
}

/** Whether all ratings of a session are from when its partner took part. Ratings that it took over may be older. */
export function isWithinParticipation(
  { createdAt, continues }: Pick<StoredSession, "createdAt" | "continues">,
  since: Date | null,
) {
  return since !== null && createdAt >= since && continues === null;
}
