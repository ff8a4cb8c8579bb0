// Removes what has expired.
import type { Clock } from "./environment.ts";
import type { MaintenanceStore } from "./ports/maintenance.ts";

const batch = 1000;

export interface MaintenanceDeps {
  readonly maintenance: MaintenanceStore;
  readonly clock: Clock;
}

/** Removes expired tokens, links and visits, batch by batch, until none is left or the signal aborts. */
export async function removeExpired({ maintenance, clock }: MaintenanceDeps, signal: AbortSignal): Promise<void> {
  const before = new Date(clock());
  while (!signal.aborted && (await maintenance.deleteExpired(before, batch, signal)));
}
