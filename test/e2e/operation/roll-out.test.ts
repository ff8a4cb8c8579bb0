// Beside the release before, nothing is stored that it cannot read.
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { prepareDatabase } from "../../../src/cli/migrate.ts";
import { readConfig } from "../../../src/config.ts";
import { startApp } from "../../../src/process/app.ts";
import { createLogger } from "../../../src/telemetry/logs/logger.ts";
import { addCaller, startTestApp, type TestApp } from "../../support/app.ts";
import { countOf } from "../../support/databases/stores.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { answer, bodyOf } from "../cases/case.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

test("results are JSON until the roll-out has ended, and packed from then on; both are read alike", async () => {
  const { connection, address } = app.database;
  await connection.query("DELETE FROM knex_migrations WHERE name = '0005-packed-results'");
  const config = readConfig({ HTTP_PORT: "0", GRPC_PORT: "0", LOG_LEVEL: "silent" });
  const upgraded = await startApp({ config, role: "all", database: address, log: createLogger("silent") });
  onTestFinished(() => upgraded.stop());
  const { token } = await addCaller(app);
  const transport = restTransport(upgraded.httpUrl);
  const isJson = Buffer.from("[")[0];

  /** Completes a session. */
  async function complete() {
    const { sessionId } = bodyOf(await transport.createSession({ token }, {}));
    const completed = bodyOf(await transport.completeSession({ token }, sessionId, [answer(1001, 2)]));
    const read = bodyOf(await transport.getSessionResults({ token }, sessionId));
    const sql = "SELECT ORD(results) FROM sessions WHERE id = UNHEX(REPLACE(?, '-', ''))";
    const firstByte = await countOf(connection, sql, [sessionId]);
    return { completed, read, firstByte };
  }

  const before = await complete();
  expect(before.firstByte).toBe(isJson);
  expect(await prepareDatabase({ say: () => undefined }, address)).toMatchObject({ applied: [] });
  expect(await prepareDatabase({ say: () => undefined }, address, true)).toMatchObject({
    applied: ["0005-packed-results"],
  });
  const after = await vi.waitFor(async () => {
    const completed = await complete();
    expect(completed.firstByte).not.toBe(isJson);
    return completed;
  }, 100_000);
  expect(after.read.results).toEqual(before.read.results);
  expect(before.read.results).toEqual(before.completed.results);
});
