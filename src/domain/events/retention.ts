// Keeps the log as long as it is promised, and no longer.
import type { EventStore } from "../ports/events.ts";

const batch = 1_000;

export interface RetentionDeps {
  readonly events: Pick<EventStore, "expireEvents">;
  readonly eventRetentionDays: number;
}

/** Removes the events whose time is over, batch by batch, until none is left or the signal aborts. */
export async function expireEvents({ events, eventRetentionDays }: RetentionDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await events.expireEvents(eventRetentionDays, batch, signal)));
}
