// A pool of connections for the test that runs.

import { onTestFinished } from "vitest";
import { Database, type DatabaseOptions } from "../../../src/database/database.ts";

/** @param options without `warn` nothing hears of its trouble */
export function poolOfTest(options: Omit<DatabaseOptions, "warn"> & Partial<Pick<DatabaseOptions, "warn">>): Database {
  const db = new Database({ warn: () => undefined, ...options });
  onTestFinished(() => db.destroy());
  return db;
}

/** Connections in use and idle, and callers that wait for one. */
export function poolState({ pool }: Database): { used: number; free: number; pending: number } {
  return { used: pool.numUsed(), free: pool.numFree(), pending: pool.numPendingAcquires() };
}
