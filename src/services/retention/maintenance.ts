// Removes expired data, batch by batch, until none is left or the signal aborts.

import type { EventStore } from "../../store/events/event-store.ts";
import type { Needs } from "../dependencies.ts";

/**
 * Removes tokens, links and browser sessions that expired long ago, attempts of webhooks that can no longer be read, and
 * deliveries of events that are no longer kept.
 */
export async function removeExpired(
  { maintenance, deliveries, clock, batchSizes }: Needs<"maintenance" | "deliveries" | "clock" | "batchSizes">,
  signal: AbortSignal,
): Promise<void> {
  for (const remove of [maintenance.deleteExpired, deliveries.deleteExpiredDeliveries]) {
    while (!signal.aborted && (await remove(batchSizes.expired, new Date(clock()), signal)));
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
