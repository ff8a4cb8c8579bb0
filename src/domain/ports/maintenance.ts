// The maintenance part of the Store port.

/** What keeps the database small. */
export interface MaintenanceStore {
  /**
   * Removes at most `limit` tokens, and as many links and visits, that expired before the time; tells whether there may
   * be more.
   */
  deleteExpired(before: Date, limit: number, signal: AbortSignal): Promise<boolean>;
}
