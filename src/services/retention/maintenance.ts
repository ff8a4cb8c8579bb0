// Removes expired data, batch by batch, until none is left or the signal aborts.

import { NIL } from "uuid";
import type { EventStore } from "../../store/events/event-store.ts";
import type { Dependencies } from "../dependencies.ts";

/**
 * Removes tokens, links and browser sessions that expired long ago, attempts of webhooks that can no longer be read, and
 * deliveries of events that are no longer kept. The parts run at the same time, so that none waits for the backlog of another;
 * what fails is left to the next run, and fails this one when the others have ended.
 */
export async function removeExpired(
  { maintenance, deliveries, clock, batchSizes }: Dependencies,
  signal: AbortSignal,
): Promise<void> {
  const { removals: size } = batchSizes;
  let endpoint: string | undefined = NIL;
  /** Each removes a batch, and returns whether there may be more. */
  const removals = [
    () => maintenance.deleteExpired(size, new Date(clock()), signal),
    () => deliveries.deleteExpiredAttempts(size, new Date(clock()), signal),
    async () => {
      endpoint = await deliveries.deleteUnkeptDeliveries(endpoint ?? NIL, size, signal);
      return endpoint !== undefined;
    },
  ];
  const ends = removals.map(async (remove) => {
    while (!signal.aborted && (await remove()));
  });
  await Promise.allSettled(ends);
  await Promise.all(ends);
}

/** Removes events whose retention is over. */
export async function expireEvents(
  {
    events,
    clock,
    batchSizes,
  }: Pick<Dependencies, "clock" | "batchSizes"> & { readonly events: Pick<EventStore, "expireEvents"> },
  retentionDays: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await events.expireEvents(retentionDays, batchSizes.removals, new Date(clock()), signal)));
}
