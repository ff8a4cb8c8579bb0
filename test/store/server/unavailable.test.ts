// A database that is away is `unavailable` to the caller, and nothing of it or of the caller's data is told.

import { once } from "node:events";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { ConnectionFailure } from "../../../src/database/database.ts";
import { toRefusalIfUnavailable } from "../../../src/database/database-errors.ts";
import { createStores } from "../../../src/store/stores.ts";
import { createLogger } from "../../../src/telemetry/logger.ts";
import { someRecording, someSession } from "../../support/builders.ts";
import { poolOfTest, poolState } from "../../support/databases/pool.ts";
import { newRows, storeCalls } from "../../support/databases/store-calls.ts";
import { storeSession } from "../../support/databases/stored-sessions.ts";
import { otherConnections } from "../../support/databases/stores.ts";
import { signal } from "../../support/deadline.ts";
import { storesOfFile } from "../../support/of-file.ts";
import { listenOnLoopback } from "../../support/processes/loopback.ts";

const unavailable = { name: "Refusal", code: "unavailable", retryAfterSeconds: 1 };

async function refusedPort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server);
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
  const troubles: ConnectionFailure[] = [];
  const url = `mysql://secret-user:secret-password@127.0.0.1:${port}/secret-database`;
  const db = poolOfTest({ address: { url }, poolSize: 2, warn: (trouble) => troubles.push(trouble) });
  const stores = createStores(db);
  const rows = newRows();
  const { id, externalId, idempotency } = rows.open;
  const values = [String(port), "127.0", id, externalId, idempotency.key, rows.client.name];
  const untold = new RegExp(`secret-|select .* from|insert into|update .* set|delete from|${values.join("|")}`, "i");
  for (const { name, call } of storeCalls(stores, rows)) {
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

/** A server that refuses every connection with this error, as MySQL does. */
async function startRefusing(errno: number): Promise<string> {
  const body = Buffer.concat([Buffer.from([0xff, errno & 0xff, errno >> 8]), Buffer.from("#08004secret-reason")]);
  const packet = Buffer.concat([Buffer.from([body.length, 0, 0, 0]), body]);
  const server = createServer((socket) => void socket.on("error", () => undefined).end(packet));
  const port = await listenOnLoopback(server);
  onTestFinished(() => void server.close());
  return `mysql://secret-user@127.0.0.1:${port}/assessments`;
}

test.each([
  ["the server is full", 1040, /`max_connections`/, false],
  ["the access is denied", 1045, /refuses the user, its password/, true],
  ["the database does not exist", 1049, /no database of the name/, true],
  ["the host is blocked", 1129, /FLUSH HOSTS/, true],
  ["the host may not connect", 1130, /from other hosts only/, true],
  ["the user has too many connections", 1203, /MAX_USER_CONNECTIONS there and DATABASE_POOL_SIZE/, false],
  ["the user has reached its limit", 1226, /MAX_USER_CONNECTIONS there and DATABASE_POOL_SIZE/, false],
  ["the statement is wrong", 1064, /its code is ER_PARSE_ERROR/, false],
])(
  "a connection that is refused since %s (%i) is unavailable, and the log says why",
  async (_, errno, fault, isMisconfigured) => {
    const troubles: ConnectionFailure[] = [];
    const url = await startRefusing(errno);
    const db = poolOfTest({ address: { url }, poolSize: 2, warn: (trouble) => troubles.push(trouble) });
    const error = await createStores(db)
      .sessions.findSession(someSession(), signal)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject(unavailable);
    expect(textsOf(error)).not.toContain("secret-");
    expect(troubles[0]).toMatchObject({ fault: expect.stringMatching(fault), isMisconfigured });
  },
);

const database = await storesOfFile();

/** A pool of one connection, with a session that a transaction elsewhere has locked. */
async function lockedSession() {
  const db = poolOfTest({ address: database.address, poolSize: 1 });
  const { sessions } = createStores(db);
  const session = await storeSession({ sessions });
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

test("a user who may have two connections is served by two, however large the pool is", async () => {
  const { connection } = database;
  const user = `few_${process.pid}_${Date.now()}`;
  await connection.query(`CREATE USER ${user}@'%' IDENTIFIED BY 'few' WITH MAX_USER_CONNECTIONS 2`);
  onTestFinished(async () => void (await connection.query(`DROP USER ${user}@'%'`)));
  await connection.query(`GRANT ALL ON *.* TO ${user}@'%'`);
  const url = new URL(database.address.url);
  Object.assign(url, { username: user, password: "few" });
  const codes = new Set<string>();
  const address = { url: url.href };
  const db = poolOfTest({ address, poolSize: 20, warn: ({ code }) => codes.add(code) });
  const { sessions } = createStores(db);
  const sessionsOfAll = Array.from({ length: 200 }, () => someSession());
  await Promise.all(sessionsOfAll.map((session) => sessions.insertSession(session, signal)));
  const sessionsFound = await Promise.all(sessionsOfAll.map((session) => sessions.findSession(session, signal)));
  expect(sessionsFound.map((session) => session?.id)).toEqual(sessionsOfAll.map(({ id }) => id));
  expect([...codes]).toEqual(["ER_USER_LIMIT_REACHED"]);
});

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

test.each([
  ["the name server", "EAI_AGAIN"],
  ["the name", "ENOTFOUND"],
  ["the host", "EHOSTUNREACH"],
  ["an answer to the connection", "ETIMEDOUT"],
  ["the connection", "ECONNRESET"],
  ["the connection", "EPIPE"],
  ["the connection", "PROTOCOL_CONNECTION_LOST"],
  ["the running server", "ER_SERVER_SHUTDOWN"],
  ["room for a prepared statement", "ER_MAX_PREPARED_STMT_COUNT_REACHED"],
  ["an operator's leave", "ER_QUERY_INTERRUPTED"],
  ["the lock", "ER_LOCK_WAIT_TIMEOUT"],
  ["the lock", "ER_LOCK_DEADLOCK"],
  ["the right to write", "ER_OPTION_PREVENTS_STATEMENT"],
  ["room on the disk", "ER_RECORD_FILE_FULL"],
])("a statement that fails for lack of %s (%s) is unavailable", (_, code) => {
  expect(toRefusalIfUnavailable(Object.assign(new Error("driver"), { code }))).toMatchObject(unavailable);
});

test.each([
  "query SELECT 1 failed after retries: target: assess.-80.primary: no healthy tablet available",
  "VT13001: [BUG] unexpected 'autocommitted' state in transaction",
])("a statement that fails in vtgate while a shard is divided is unavailable: %s", (message) => {
  const error = Object.assign(new Error(message), { code: "ER_INTERNAL_ERROR" });
  expect(toRefusalIfUnavailable(error)).toMatchObject(unavailable);
});

test.each(["ER_PARSE_ERROR", "ER_INTERNAL_ERROR", "ER_NO_SUCH_TABLE", "ER_DATA_TOO_LONG", "ER_DUP_ENTRY", undefined])(
  "a statement that fails by our own mistake (%s) is not reported as unavailable",
  (code) => {
    const error = Object.assign(new Error("driver"), code === undefined ? {} : { code });
    expect(toRefusalIfUnavailable(error)).toBe(error);
  },
);
