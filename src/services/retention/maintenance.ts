// Removes expired data, batch by batch, until none is left or the signal aborts.

import type { EventStore } from "../../store/events/event-store.ts";
import type { Needs } from "../dependencies.ts";

/** Removes tokens, links and browser sessions that expired long ago. */
export async function removeExpired(
  { maintenance, clock, batchSizes }: Needs<"maintenance" | "clock" | "batchSizes">,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await maintenance.deleteExpired(batchSizes.expired, new Date(clock()), signal)));
}

/** The default lifetime of an idempotency key: longer than any client retries automatically. */
export const defaultKeyDays = 30;

/** Removes expired idempotency keys. @param observe called with the number in each batch */
export async function endKeys(
  { idempotencyKeys, clock, batchSizes }: Needs<"idempotencyKeys" | "clock" | "batchSizes">,
  observe: (keys: number) => void,
  signal: AbortSignal,
): Promise<void> {
  for (
    let removedCount = batchSizes.idempotencyKeys;
    removedCount === batchSizes.idempotencyKeys && !signal.aborted;
  ) {
    removedCount = await idempotencyKeys.deleteExpiredKeys(batchSizes.idempotencyKeys, new Date(clock()), signal);
    observe(removedCount);
  }
}

/** Removes events whose retention is over. */
export async function expireEvents(
  { events, clock, batchSizes }: Needs<"clock" | "batchSizes"> & { readonly events: Pick<EventStore, "expireEvents"> },
  retentionDays: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await events.expireEvents(retentionDays, batchSizes.expired, new Date(clock()), signal)));
}
