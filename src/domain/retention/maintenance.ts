// Removes what has expired.
import type { MaintenanceStore } from "./maintenance-port.ts";

const batch = 1000;

export interface MaintenanceDeps {
  readonly maintenance: MaintenanceStore;
}

/** Removes tokens, links and visits that expired long ago, batch by batch, until none is left or the signal aborts. */
export async function removeExpired({ maintenance }: MaintenanceDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await maintenance.deleteExpired(batch, signal)));
}
