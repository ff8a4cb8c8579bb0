// Removes expired data, batch by batch, until none is left or the signal aborts. Every function throws `ClockDoubted`.

import type { EventStore } from "../../store/events/event-store.ts";
import type { Needs } from "../dependencies.ts";

const batch = 1_000;
/** Few enough not to delay writers of sessions. */
const keyBatch = 200;

/** Removes tokens, links and browser sessions that expired long ago. */
export async function removeExpired(
  { maintenance, trustedClock, mostAtOnce = batch }: Needs<"maintenance" | "trustedClock" | "mostAtOnce">,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await maintenance.deleteExpired(mostAtOnce, trustedClock.now(), signal)));
}

/** The default lifetime of an idempotency key: longer than any client retries automatically. */
export const defaultKeyDays = 30;

/** Removes expired idempotency keys. @param observe called with the number in each batch */
export async function endKeys(
  { idempotencyKeys, trustedClock, mostAtOnce = keyBatch }: Needs<"idempotencyKeys" | "trustedClock" | "mostAtOnce">,
  observe: (keys: number) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let removedCount = mostAtOnce; removedCount === mostAtOnce && !signal.aborted; ) {
    removedCount = await idempotencyKeys.deleteExpiredKeys(mostAtOnce, trustedClock.now(), signal);
    observe(removedCount);
  }
}

/** Removes events whose retention is over. */
export async function expireEvents(
  {
    events,
    trustedClock,
    mostAtOnce = batch,
  }: Needs<"trustedClock" | "mostAtOnce"> & { readonly events: Pick<EventStore, "expireEvents"> },
  retentionDays: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await events.expireEvents(retentionDays, mostAtOnce, trustedClock.now(), signal)));
}
