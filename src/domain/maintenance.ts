// Removes what has expired.
import type { Clock } from "./environment.ts";
import type { MaintenanceStore } from "./ports/maintenance.ts";

const batch = 1000;

/** Removes expired tokens, links and visits, batch by batch, until none is left or the signal aborts. */
export async function removeExpired(
  deps: { readonly maintenance: MaintenanceStore; readonly clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  const before = new Date(deps.clock());
  while (!signal.aborted && (await deps.maintenance.deleteExpired(before, batch, signal)));
}
