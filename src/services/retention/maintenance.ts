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

/** Removes events whose retention is over. */
export async function expireEvents(
  { events, clock, batchSizes }: Needs<"clock" | "batchSizes"> & { readonly events: Pick<EventStore, "expireEvents"> },
  retentionDays: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await events.expireEvents(retentionDays, batchSizes.expired, new Date(clock()), signal)));
}
