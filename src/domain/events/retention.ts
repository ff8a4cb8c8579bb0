// Keeps the log as long as it is promised, and no longer.

import type { TrustedClock } from "../trusted-clock.ts";
import type { EventStore } from "./event-port.ts";

const batch = 1_000;

interface ExpiryDeps {
  readonly events: Pick<EventStore, "expireEvents">;
  readonly trustedClock: TrustedClock;
}

/**
 * Removes the events whose time is over, batch by batch, until none is left or the signal aborts. Throws `ClockDoubted`.
 */
export async function expireEvents(
  { events, trustedClock }: ExpiryDeps,
  retentionDays: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await events.expireEvents(retentionDays, batch, await trustedClock.read(signal), signal)));
}
