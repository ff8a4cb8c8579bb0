// Faults on each database that can be had here, which no other file has meanwhile.
import { afterAll, beforeAll, describe, test } from "vitest";
import type { BreakableDatabase } from "../support/database/database.ts";
import { startMariadb } from "../support/database/mariadb.ts";
import { startMysql } from "../support/database/mysql.ts";
import { means } from "../support/run/means.ts";
import { isShort } from "../support/run/rounds.ts";
import type { FaultCase } from "./fault-case.ts";

const databases = [
  { name: "MariaDB", start: () => startMariadb() },
  ...(means("FAULTS_MYSQL_ROOT") === "" ? [] : [{ name: "MySQL 9.7", start: startMysql }]),
];

/** A test of each case on each database; in a short run where the case says so. */
export function proveOnDatabases(cases: readonly FaultCase[]): void {
  for (const { name, start } of databases) {
    const chosen = isShort ? cases.filter(({ shortOn = [name] }) => shortOn.includes(name)) : cases;
    if (chosen.length === 0) continue;
    describe(`on ${name}`, () => {
      let database: BreakableDatabase;
      beforeAll(async () => {
        database = await start();
      });
      afterAll(() => database.remove());

      for (const each of chosen) test(each.name, () => each.run(database));
    });
  }
}
