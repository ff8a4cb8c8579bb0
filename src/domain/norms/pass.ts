// One pass of the background work of norms.
import type { MonotonicClock } from "../../kernel/environment.ts";
import { withVersions } from "./arithmetic.ts";
import { countSessions, type NormDeps } from "./count.ts";
import type { NormSetKey, StoredNumbers } from "./norm-port.ts";

/** The share of the time that counting takes at most: completing must not wait for it. */
const share = 1 / 20;
/** A pass begins no further batch after this time; the next pass goes on. */
const countingMs = 30_000;
/** A pause is no longer than this, however long the batch took. */
const longestPauseMs = 10_000;

export interface PassDeps extends NormDeps {
  readonly monotonic: MonotonicClock;
  /** Resolves after so many milliseconds; rejects if the pass is to end. */
  readonly pause: (ms: number) => Promise<void>;
}

/** Counts what was completed, taking a twentieth of the time, then computes the numbers that have changed. */
export async function runNormPass(deps: PassDeps, signal: AbortSignal): Promise<void> {
  const { monotonic, pause } = deps;
  const endAt = monotonic() + countingMs;
  let begunAt = monotonic();
  await countSessions(deps, signal, async () => {
    await pause(Math.min(longestPauseMs, (monotonic() - begunAt) * (1 / share - 1)));
    begunAt = monotonic();
    return begunAt < endAt;
  });
  await computeNorms(deps, signal);
}

/** Sets that are listed by one statement. */
const page = 100;

/** Computes the numbers of every set that has changed enough; one that lost a person always has. */
export async function computeNorms(
  { norms, arithmetic, clock, mostAtOnce = page }: Pick<NormDeps, "norms" | "arithmetic" | "clock" | "mostAtOnce">,
  signal: AbortSignal,
): Promise<void> {
  const make = (key: NormSetKey, sums: Uint8Array | null): StoredNumbers | null => {
    const { assessmentId, kind } = key;
    const found = arithmetic.normsOf(assessmentId).numbersOf(kind, arithmetic.read(assessmentId, kind, sums));
    return found && { computedAt: new Date(clock()), ...found };
  };
  for (;;) {
    const stale = await norms.listStale(mostAtOnce, signal);
    for (const set of stale) await withVersions(arithmetic, () => norms.saveNumbers(set, make, signal));
    if (stale.length < mostAtOnce) return;
  }
}
