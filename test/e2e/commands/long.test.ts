// Commands whose work grows with the database take as long as it takes: the ten minutes of a command are not theirs.
import type { Connection } from "mysql2/promise";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { CommandContext } from "../../../src/cli/command.ts";
import { migrateAndPublish } from "../../../src/cli/migrate.ts";
import { computeNormsNow, verifyLog } from "../../../src/cli/upkeep.ts";
import { readConfig } from "../../../src/config.ts";
import { createEmptyDatabase } from "../../support/databases/database.ts";
import type { TestDatabase } from "../../support/databases/servers/server.ts";
import { runningStatements } from "../../support/databases/stores.ts";
import { until } from "../../support/until.ts";

let database: TestDatabase;
let printed: unknown[];
let commandContext: CommandContext;
/** Ends the ten minutes of everything that was given them so far. */
let tenMinutesLater: () => void;
beforeEach(async () => {
  const created = await createEmptyDatabase();
  database = created;
  printed = [];
  const ignore = () => undefined;
  const config = readConfig({ DATABASE_URL: created.url });
  commandContext = { config, say: ignore, print: (result) => printed.push(result), write: ignore };
  const timers: AbortController[] = [];
  vi.spyOn(AbortSignal, "timeout").mockImplementation(() => {
    const timer = new AbortController();
    timers.push(timer);
    return timer.signal;
  });
  tenMinutesLater = () => {
    for (const timer of timers) timer.abort();
  };
  return () => created.drop();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** A connection that keeps a command waiting, until the test ends. */
async function blocker(): Promise<Connection> {
  const connection = await database.openConnection();
  onTestFinished(() => connection.end());
  return connection;
}

const isRunning = async (part: RegExp) => (await runningStatements(database.connection)).some((sql) => part.test(sql));

test("pas migrate is not stopped after ten minutes", async () => {
  const other = await blocker();
  await other.query("DO GET_LOCK('partner-assessment-service.migrate', 600)");
  const ended = migrateAndPublish(commandContext);
  await until(() => isRunning(/GET_LOCK/));
  tenMinutesLater();
  await other.query("DO RELEASE_LOCK('partner-assessment-service.migrate')");
  await ended;
  expect(printed).toMatchObject([{ instrument: "published" }]);
});

test.each([
  ["norms compute", "norm_runs", computeNormsNow, { partners: 0, sessions: 0 }],
  ["audit verify", "audit_anchors", (context: CommandContext) => verifyLog(context, {}), { faults: 0 }],
])("pas %s is not stopped after ten minutes", async (_name, table, command, expected) => {
  await migrateAndPublish(commandContext);
  const other = await blocker();
  await other.query(`LOCK TABLES ${table} WRITE`);
  const ended = command(commandContext);
  await until(() => isRunning(new RegExp(table)));
  tenMinutesLater();
  await other.query("UNLOCK TABLES");
  await ended;
  expect(printed.at(-1)).toMatchObject(expected);
});
