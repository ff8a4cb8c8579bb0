// A pool of connections for the test that runs.
import type { Knex } from "knex";
import { onTestFinished } from "vitest";
import { openDatabase } from "../../../src/database/database.ts";

type Options = Parameters<typeof openDatabase>[0];

/** @param options without `warn` nothing hears of its trouble */
export function poolOfTest(options: Omit<Options, "warn"> & Partial<Pick<Options, "warn">>): Knex {
  const db = openDatabase({ warn: () => undefined, ...options });
  onTestFinished(() => db.destroy());
  return db;
}
