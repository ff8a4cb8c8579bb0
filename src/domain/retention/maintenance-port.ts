// The maintenance part of the Store port.

/** What keeps the database small. */
export interface MaintenanceStore {
  /**
   * Removes at most `limit` tokens, and as many links and visits, that expired a day ago or earlier by the database's
   * clock; tells whether there may be more.
   */
  deleteExpired(limit: number, signal: AbortSignal): Promise<boolean>;
}
