// The end of idempotency keys.

import type { TrustedClock } from "../../domain/trusted-clock.ts";
import type { Paging } from "../../kernel/environment.ts";
import type { IdempotencyKeyStore } from "../../store/sessions/idempotency-store.ts";

/** How long a key is kept unless it is set otherwise: longer than anybody repeats a request by itself. */
export const defaultKeyDays = 30;

/** Keys that one transaction removes: few enough not to hold up those who write the sessions. */
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
    found = await idempotencyKeys.deleteExpiredKeys(mostAtOnce, trustedClock.now(), signal);
    observe(found);
  }
}
