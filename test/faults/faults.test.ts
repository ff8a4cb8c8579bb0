// Nothing acknowledged is ever lost: every fault, on every database.
import { afterAll, beforeAll, describe, test } from "vitest";
import { allCases } from "./cases/all.ts";
import type { BreakableDatabase } from "./support/database/database.ts";
import { startMariadb } from "./support/database/mariadb.ts";
import { startMysql } from "./support/database/mysql.ts";
import { means } from "./support/run/means.ts";
import { isShort } from "./support/run/rounds.ts";

const databases = [
  { name: "MariaDB", start: () => startMariadb() },
  ...(means("FAULTS_MYSQL_ROOT") === "" ? [] : [{ name: "MySQL 9.7", start: startMysql }]),
];

describe.each(databases)("on $name", ({ name, start }) => {
  let database: BreakableDatabase;
  beforeAll(async () => {
    database = await start();
  });
  afterAll(() => database.remove());

  const cases = isShort ? allCases.filter(({ shortOn = [name] }) => shortOn.includes(name)) : allCases;
  for (const each of cases) test(each.name, () => each.run(database));
});
