// Nothing acknowledged is ever lost: every fault, on every database.
import { afterAll, beforeAll, describe, test } from "vitest";
import { connectionsCut } from "./cases/connections-cut.ts";
import { databaseFrozen } from "./cases/database-frozen.ts";
import { databaseKilled } from "./cases/database-killed.ts";
import { readOnly } from "./cases/no-writes.ts";
import { serviceKilled } from "./cases/service-killed.ts";
import { stopUnderLoad } from "./cases/stop-under-load.ts";
import type { BreakableDatabase } from "./support/database.ts";
import { startMariadb } from "./support/mariadb.ts";
import { startMysql } from "./support/mysql.ts";

const cases = [serviceKilled, databaseKilled, databaseFrozen, connectionsCut, readOnly, stopUnderLoad];
const databases = [
  { name: "MariaDB", start: () => startMariadb() },
  { name: "MySQL 9.7", start: startMysql },
];

describe.each(databases)("on $name", ({ name, start }) => {
  let database: BreakableDatabase;
  beforeAll(async () => {
    database = await start();
  });
  afterAll(() => database.remove());

  for (const each of cases.filter(({ notOn = [] }) => !notOn.includes(name))) {
    test(each.name, () => each.run(database));
  }
});
