// Keeps the log as long as it is promised, and no longer.

import type { Paging } from "../../kernel/environment.ts";
import type { TrustedClock } from "../trusted-clock.ts";
import type { EventStore } from "./event-port.ts";

const batch = 1_000;

interface ExpiryDeps extends Paging {
  readonly events: Pick<EventStore, "expireEvents">;
  readonly trustedClock: TrustedClock;
}

/**
 * Removes the events whose time is over, batch by batch, until none is left or the signal aborts. Throws `ClockDoubted`.
 */
export async function expireEvents(
  { events, trustedClock, mostAtOnce = batch }: ExpiryDeps,
  retentionDays: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await events.expireEvents(retentionDays, mostAtOnce, trustedClock.now(), signal)));
}
