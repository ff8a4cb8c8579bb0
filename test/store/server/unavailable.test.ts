// A database that is away is `unavailable` to the caller, and nothing of it or of the caller's data is told.
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type ConnectionTrouble, openDatabase } from "../../../src/database/database.ts";
import { asRefusal } from "../../../src/database/database-errors.ts";
import { createStores, poolState } from "../../../src/store/stores.ts";
import { createLogger } from "../../../src/telemetry/logs/logger.ts";
import { someRecording, someSession } from "../../support/builders.ts";
import { methodNames, newRows, storeCalls } from "../../support/databases/store-calls.ts";
import { openTestStores, otherConnections, type TestStores } from "../../support/databases/stores.ts";

const { signal } = new AbortController();
const unavailable = { name: "Refusal", code: "unavailable", retryAfterSeconds: 1 };

async function refusedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** What may be read of an error by people and in logs. */
function textsOf(error: unknown): string {
  const texts = error instanceof Error ? [error.message, error.stack, JSON.stringify(error)] : [];
  const logger = createLogger("trace", { write: (line) => void texts.push(line) });
  for (let cause = error; cause instanceof Error; cause = cause.cause) logger.error({ err: cause }, "call");
  return texts.join("\n");
}

test("every call without a database is unavailable, and no error names a statement, a value, an address or a password", async () => {
  const port = await refusedPort();
  const troubles: ConnectionTrouble[] = [];
  const url = `mysql://secret-user:secret-password@127.0.0.1:${port}/secret-database`;
  const db = openDatabase({ address: { url }, poolSize: 2, warn: (trouble) => troubles.push(trouble) });
  onTestFinished(() => db.destroy());
  const stores = createStores(db);
  const rows = newRows();
  const { id, externalId, idempotency } = rows.open;
  const values = [String(port), "127.0", id, externalId, idempotency.key, rows.client.name];
  const untold = new RegExp(`secret-|select .* from|insert into|update .* set|delete from|${values.join("|")}`, "i");
  const calls = storeCalls(stores, rows);
  expect(calls.map(({ name }) => name).toSorted()).toEqual(methodNames(stores).toSorted());
  for (const { name, call } of calls) {
    const error = await call(signal).catch((reason: unknown) => reason);
    expect(error, name).toMatchObject(unavailable);
    expect(textsOf(error), name).not.toMatch(untold);
  }
  // Operators are told where it is, and neither the user nor the name of the database.
  const { code, host, fault } = troubles[0] ?? {};
  expect({ code, host, fault }).toEqual({
    code: "ECONNREFUSED",
    host: "127.0.0.1",
    fault: "The database cannot be reached.",
  });
  expect(troubles.map((trouble) => trouble.port)).toEqual(troubles.map(() => port));
  expect(JSON.stringify(troubles)).not.toContain("secret-");
});

describe("a database that is there", () => {
  let database: TestStores;
  beforeAll(async () => {
    database = await openTestStores();
  });
  afterAll(() => database.close());

  /** A pool of one connection, with a session that a transaction elsewhere has locked. */
  async function lockedSession() {
    const db = openDatabase({ address: database.address, poolSize: 1, warn: () => undefined });
    onTestFinished(() => db.destroy());
    const { sessions } = createStores(db);
    const session = someSession();
    await sessions.insertSession(session, signal);
    await database.connection.beginTransaction();
    onTestFinished(() => database.connection.rollback());
    await database.connection.query("SELECT id FROM sessions FOR UPDATE");
    return { db, sessions, session };
  }

  test.each(["KILL", "KILL QUERY"])(
    "after %s of a running statement its call is unavailable, and the next one is served",
    async (kill) => {
      const { sessions, session } = await lockedSession();
      const [saved] = await Promise.all([
        sessions.saveAnswers(session, 0, someRecording([1]), signal).catch((reason: unknown) => reason),
        (async () => {
          const running = async () =>
            (await otherConnections(database.connection)).find(
              ({ statement, isRunning }) => isRunning && statement.startsWith("UPDATE"),
            );
          await expect.poll(running, { interval: 10 }).toBeDefined();
          await database.connection.query(`${kill} ${(await running())?.id}`);
        })(),
      ]);
      expect(saved).toMatchObject(unavailable);
      expect(await sessions.findSession(session, signal)).toMatchObject({ revision: 0, answers: [] });
    },
  );

  test("a pool that stays full makes the call unavailable, and serves again when there is room", async () => {
    const { db, sessions, session } = await lockedSession();
    const saved = sessions.saveAnswers(session, 0, someRecording([1]), signal);
    await expect(sessions.findSession(session, signal)).rejects.toMatchObject(unavailable);
    expect(poolState(db)).toEqual({ used: 1, free: 0, pending: 0 });
    await database.connection.rollback();
    expect(await saved).toBe(true);
    expect(await sessions.findSession(session, signal)).toMatchObject({ revision: 1 });
    expect(poolState(db)).toEqual({ used: 0, free: 1, pending: 0 });
  });
});

test.each([
  ["the name server", "EAI_AGAIN"],
  ["the name", "ENOTFOUND"],
  ["the host", "EHOSTUNREACH"],
  ["an answer to the connection", "ETIMEDOUT"],
  ["the connection", "ECONNRESET"],
  ["the connection", "EPIPE"],
  ["the connection", "PROTOCOL_CONNECTION_LOST"],
  ["room for a connection", "ER_CON_COUNT_ERROR"],
  ["the right password", "ER_ACCESS_DENIED_ERROR"],
  ["leave to use the database", "ER_DBACCESS_DENIED_ERROR"],
  ["the database of that name", "ER_BAD_DB_ERROR"],
  ["the running server", "ER_SERVER_SHUTDOWN"],
  ["room for a prepared statement", "ER_MAX_PREPARED_STMT_COUNT_REACHED"],
  ["an operator's leave", "ER_QUERY_INTERRUPTED"],
  ["the lock", "ER_LOCK_WAIT_TIMEOUT"],
  ["the lock", "ER_LOCK_DEADLOCK"],
  ["the right to write", "ER_OPTION_PREVENTS_STATEMENT"],
  ["room on the disk", "ER_RECORD_FILE_FULL"],
])("a statement that fails for lack of %s (%s) is unavailable", (_, code) => {
  expect(asRefusal(Object.assign(new Error("driver"), { code }))).toMatchObject(unavailable);
});

test.each([
  "query SELECT 1 failed after retries: target: assess.-80.primary: no healthy tablet available",
  "VT13001: [BUG] unexpected 'autocommitted' state in transaction",
])("a statement that fails in vtgate while a shard is divided is unavailable: %s", (message) => {
  const error = Object.assign(new Error(message), { code: "ER_INTERNAL_ERROR" });
  expect(asRefusal(error)).toMatchObject(unavailable);
});

test.each(["ER_PARSE_ERROR", "ER_INTERNAL_ERROR", "ER_NO_SUCH_TABLE", "ER_DATA_TOO_LONG", "ER_DUP_ENTRY", undefined])(
  "a statement that fails by our own mistake (%s) is not reported as unavailable",
  (code) => {
    const error = Object.assign(new Error("driver"), code === undefined ? {} : { code });
    expect(asRefusal(error)).toBe(error);
  },
);
