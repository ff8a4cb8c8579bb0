// Keeps the log as long as it is promised, and no longer.
import type { EventStore } from "./event-port.ts";

const batch = 1_000;

/** Removes the events whose time is over, batch by batch, until none is left or the signal aborts. */
export async function expireEvents(
  events: Pick<EventStore, "expireEvents">,
  retentionDays: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await events.expireEvents(retentionDays, batch, signal)));
}
