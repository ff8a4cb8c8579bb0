// A vtgate leaves some settings of its servers as they are, and says nothing: a connection that would have one is refused.

import { createConnection } from "mysql2/promise";
import { expect, onTestFinished, test } from "vitest";
import { type ConnectionFailure, Database } from "../../src/database/database.ts";
import { startMysql97 } from "../support/databases/servers/mysql97.ts";
import { startVtcombo } from "./vtcombo.ts";

test("a setting that cannot be set through a vtgate is reported by its name", async () => {
  const mysql = await startMysql97({ log: () => undefined, isAnother: true });
  onTestFinished(() => mysql.stop());
  const server = await createConnection(mysql.url);
  onTestFinished(() => server.destroy());
  // Before the tablets connect.
  await server.query("SET GLOBAL completion_type = 'CHAIN'");
  const vtcombo = await startVtcombo(mysql);
  onTestFinished(() => vtcombo.stop());
  const troubles: ConnectionFailure[] = [];
  const address = { url: `${vtcombo.url}/main` };
  const db = new Database({ address, poolSize: 1, warn: (trouble) => troubles.push(trouble) });
  onTestFinished(() => db.destroy());
  const work = db.useConnection(new AbortController().signal, async () => undefined);
  await expect(work).rejects.toMatchObject({ code: "unavailable" });
  const fault = "The database has completion_type CHAIN, and lets no session set it to NO_CHAIN; set it at the server.";
  expect(troubles).toMatchObject([{ fault, isMisconfigured: true }]);
});
