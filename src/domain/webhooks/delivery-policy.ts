// When a failed delivery is retried, when an endpoint is paused, and how long attempts are kept. The times are
// those of docs/webhooks.md.
import { dayMs } from "../../kernel/timers.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Failures in a row after which an endpoint is down. */
export const downAfter = 3;

/** Pauses before the second attempt, the third, and so on; after the last one an event is dead. */
const pausesMs = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const;
/** Jitter of the pauses, so that deliveries which failed together are not retried together. */
const jitterShare = 0.2;
/** Longer than any of them. */
export const longestPauseMs = 2 * dayMs;

const firstProbeMs = 10 * second;
const maxProbeMs = 10 * minute;

const failingMs = 5 * dayMs;
const failingAfter = 10;

/** The pause of an endpoint whose secrets cannot be decrypted. */
export const unreadableRestMs = minute;

/** How long a process may take for a claimed delivery: after that, another one sends it. */
export const claimMs = 20_000;

/** The pause after the given number of attempts; undefined: there is no further one. @param fraction from 0 up to 1, at random */
export function retryPauseMs(attempts: number, fraction: number): number | undefined {
  const pause = pausesMs[attempts - 1];
  return pause === undefined ? undefined : Math.round(pause * (1 + jitterShare * (2 * fraction - 1)));
}

/** The pause before an endpoint that is down is probed again. @param failures in a row */
export function probePauseMs(failures: number): number {
  return Math.min(maxProbeMs, firstProbeMs * 2 ** Math.min(failures - downAfter, 20));
}

/** Whether an endpoint has accepted nothing for so long that it is disabled. @param now milliseconds since 1970 */
export function isFailing(failures: number, failingSince: Date | null, now: number): boolean {
  return failures >= failingAfter && failingSince !== null && now - failingSince.getTime() >= failingMs;
}

/** How long an attempt is kept. */
export function attemptRetentionMs(isSuccess: boolean): number {
  return (isSuccess ? 3 : 30) * dayMs;
}
