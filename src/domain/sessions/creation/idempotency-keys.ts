// The end of idempotency keys.

import type { Paging } from "../../../kernel/environment.ts";
import type { TrustedClock } from "../../trusted-clock.ts";
import type { IdempotencyKeyStore, KeyPosition } from "../idempotency-key-port.ts";

/** How long a key is kept unless it is set otherwise: longer than anybody repeats a request by itself. */
export const defaultKeyDays = 30;

/** Keys that one transaction removes or copies: few enough not to hold up those who write the sessions. */
const batch = 200;

export interface KeyDeps extends Paging {
  readonly idempotencyKeys: IdempotencyKeyStore;
  readonly trustedClock: TrustedClock;
}

/** Removes keys whose time is over, batch by batch, until none is left or the signal aborts. Throws `ClockDoubted`. */
export async function endKeys(
  { idempotencyKeys, trustedClock, mostAtOnce = batch }: KeyDeps,
  observe: (keys: number) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let found = mostAtOnce; found === mostAtOnce && !signal.aborted; ) {
    found = await idempotencyKeys.deleteExpiredKeys(mostAtOnce, await trustedClock.read(signal), signal);
    observe(found);
  }
}

/**
 * Gives keys an end that releases before have stored without one, page by page. Interrupted, it is begun again.
 * Throws `ClockDoubted`.
 * @param keptDays how long after the creation of their session
 * @returns how many got one, and how many were over already
 */
export async function copyKeys(
  { idempotencyKeys, trustedClock }: KeyDeps,
  keptDays: number,
  newSignal: () => AbortSignal,
): Promise<{ copied: number; ended: number }> {
  const count = { copied: 0, ended: 0 };
  const copy = async (after: KeyPosition | undefined, signal: AbortSignal) =>
    idempotencyKeys.copyKeys(after, keptDays, batch, await trustedClock.read(signal), signal);
  let page = await copy(undefined, newSignal());
  for (;;) {
    count.copied += page.copied;
    count.ended += page.ended;
    if (page.next === undefined) return count;
    page = await copy(page.next, newSignal());
  }
}
