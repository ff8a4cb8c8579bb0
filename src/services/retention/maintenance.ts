// Removes what has expired.

import type { TrustedClock } from "../../domain/trusted-clock.ts";
import type { Paging } from "../../kernel/environment.ts";
import type { MaintenanceStore } from "../../store/retention/maintenance-store.ts";

const batch = 1000;

export interface MaintenanceDeps extends Paging {
  readonly maintenance: MaintenanceStore;
  readonly trustedClock: TrustedClock;
}

/**
 * Removes tokens, links and browser sessions that expired long ago, batch by batch, until none is left or the signal
 * aborts. Throws `ClockDoubted`.
 */
export async function removeExpired(
  { maintenance, trustedClock, mostAtOnce = batch }: MaintenanceDeps,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await maintenance.deleteExpired(mostAtOnce, trustedClock.now(), signal)));
}
