// One pass of the background work of norms.
import type { Clock } from "../environment.ts";
import { countSessions, type NormDeps } from "./count.ts";
import { releaseNorms } from "./release.ts";

/** The share of the time that counting takes at most: completing must not wait for it. */
const share = 1 / 20;

export interface PassDeps extends NormDeps {
  readonly clock: Clock;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Resolves after so many milliseconds, or when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Counts what was completed, taking a twentieth of the time, then releases and withdraws what is due. */
export async function runNormPass(deps: PassDeps, signal: AbortSignal): Promise<void> {
  let begunAt = deps.now();
  await countSessions(deps, signal, async () => {
    await deps.sleep((deps.now() - begunAt) * (1 / share - 1), signal);
    begunAt = deps.now();
  });
  if (!signal.aborted) await releaseNorms(deps, signal);
}
