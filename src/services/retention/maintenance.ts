// Removes expired data, batch by batch, until none is left or the signal aborts.

import type { EventStore } from "../../store/events/event-store.ts";
import type { Needs } from "../dependencies.ts";

const batch = 1_000;
/** Few enough not to delay writers of sessions. */
const keyBatch = 200;

/** Removes tokens, links and browser sessions that expired long ago. */
export async function removeExpired(
  { maintenance, clock, mostAtOnce = batch }: Needs<"maintenance" | "clock" | "mostAtOnce">,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await maintenance.deleteExpired(mostAtOnce, new Date(clock()), signal)));
}

/** The default lifetime of an idempotency key: longer than any client retries automatically. */
export const defaultKeyDays = 30;

/** Removes expired idempotency keys. @param observe called with the number in each batch */
export async function endKeys(
  { idempotencyKeys, clock, mostAtOnce = keyBatch }: Needs<"idempotencyKeys" | "clock" | "mostAtOnce">,
  observe: (keys: number) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let removedCount = mostAtOnce; removedCount === mostAtOnce && !signal.aborted; ) {
    removedCount = await idempotencyKeys.deleteExpiredKeys(mostAtOnce, new Date(clock()), signal);
    observe(removedCount);
  }
}

/** Removes events whose retention is over. */
export async function expireEvents(
  {
    events,
    clock,
    mostAtOnce = batch,
  }: Needs<"clock" | "mostAtOnce"> & { readonly events: Pick<EventStore, "expireEvents"> },
  retentionDays: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await events.expireEvents(retentionDays, mostAtOnce, new Date(clock()), signal)));
}
