// The maintenance part of the Store port.
import type { TrustedTime } from "../trusted-clock.ts";

/** What keeps the database small. */
export interface MaintenanceStore {
  /**
   * Removes at most `limit` tokens, and as many links and browser sessions, that expired a day ago or earlier; tells
   * whether there may be more.
   */
  deleteExpired(limit: number, now: TrustedTime, signal: AbortSignal): Promise<boolean>;
}
