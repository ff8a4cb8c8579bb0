// Releasing norms of all partners: four times a year, each time once.

import type { Paging, RandomBytes } from "../../kernel/environment.ts";
import { mostReleases, type NormPool } from "../../products/product.ts";
import type { Shards } from "../shards.ts";
import type { TrustedClock, TrustedTime } from "../trusted-clock.ts";
import type { LoadedArithmetic } from "./arithmetic.ts";
import type { NormStore } from "./norm-port.ts";
import type { NormPoolStore, PoolKey } from "./pool-port.ts";

export interface PoolReleaseDeps extends Paging {
  readonly normPools: NormPoolStore;
  readonly shards: Shards<{ readonly norms: Pick<NormStore, "findNextPool"> }>;
  readonly arithmetic: LoadedArithmetic;
  readonly trustedClock: TrustedClock;
  readonly random: RandomBytes;
  /** Lets everything else that waits go first. */
  readonly yieldToCalls: () => Promise<void>;
}

/** Partners whose sums are read by one statement. */
const page = 20;
const beforeAllIds = "00000000-0000-0000-0000-000000000000";

/** The quarters since the year 0: a release is of the one that it is made in. */
export function quarterOf(time: Date): number {
  return 4 * time.getUTCFullYear() + Math.floor(time.getUTCMonth() / 3);
}

/**
 * Makes the releases of this quarter, unless that was done: at its beginning, or as soon as a process runs. What is not
 * enough by then waits for the next quarter, so that nobody chooses the time of a release by sending people. Throws
 * `ClockDoubted`.
 * @returns how many were made
 */
export async function releasePools(deps: PoolReleaseDeps, signal: AbortSignal): Promise<number> {
  const { normPools, trustedClock } = deps;
  const now = await trustedClock.read(signal);
  const quarter = quarterOf(now);
  if (await normPools.isDecided(quarter, signal)) return 0;
  let made = 0;
  let pool = await findNextPool(deps, undefined, signal);
  while (pool !== undefined) {
    if (await release(deps, pool, now, signal)) made += 1;
    pool = await findNextPool(deps, pool, signal);
  }
  await normPools.saveDecidedQuarter(quarter, now, signal);
  return made;
}

/** The first pool of all shards, or the next one after another. */
async function findNextPool(
  { shards }: PoolReleaseDeps,
  after: PoolKey | undefined,
  signal: AbortSignal,
): Promise<PoolKey | undefined> {
  const found = await Promise.all(shards().map(({ norms }) => norms.findNextPool(after, signal)));
  const inOrder = found
    .filter((pool) => pool !== undefined)
    .toSorted((one, other) => one.assessmentId - other.assessmentId || (one.language < other.language ? -1 : 1));
  return inOrder[0];
}

async function release(
  deps: PoolReleaseDeps,
  key: PoolKey,
  releasedAt: TrustedTime,
  signal: AbortSignal,
): Promise<boolean> {
  const { normPools, random } = deps;
  const number = ((await normPools.findRelease(key, signal))?.number ?? 0) + 1;
  if (number > mostReleases) return false;
  const pool = await addUp(deps, key, signal);
  if (!pool.isEnough()) return false;
  // Whatever is drawn and not kept was shown to nobody.
  const histograms = pool.draw(random);
  return normPools.saveRelease(key, { number, quarter: quarterOf(releasedAt), histograms }, releasedAt, signal);
}

async function addUp(
  { normPools, arithmetic, yieldToCalls, mostAtOnce = page }: PoolReleaseDeps,
  key: PoolKey,
  signal: AbortSignal,
): Promise<NormPool> {
  await arithmetic.load(key.assessmentId);
  const pool = arithmetic.normsOf(key.assessmentId).newPool();
  let after = beforeAllIds;
  for (;;) {
    const partnerIds = await normPools.listParticipants(after, mostAtOnce, signal);
    for (const sums of await normPools.listSums(key, partnerIds, signal)) {
      pool.add(arithmetic.read(key.assessmentId, "sessions", sums));
      await yieldToCalls();
    }
    const last = partnerIds.at(-1);
    if (last === undefined || partnerIds.length < mostAtOnce) return pool;
    after = last;
  }
}
