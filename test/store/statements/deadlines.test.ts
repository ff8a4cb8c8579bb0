// A call ends when its signal aborts, whatever the database is doing, and keeps no place in the pool.

import { connect, createServer } from "node:net";
import type { RowDataPacket } from "mysql2/promise";
import { expect, onTestFinished, test } from "vitest";
import { backgroundAcquireTimeoutMs } from "../../../src/database/database.ts";
import { sql } from "../../../src/database/statement.ts";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import { createStores } from "../../../src/store/stores.ts";
import { someErasure, someLink, someRecording, someSession } from "../../support/builders.ts";
import { lockRows, untilRunning } from "../../support/databases/locks.ts";
import { poolOfTest, poolState } from "../../support/databases/pool.ts";
import { proxyBefore } from "../../support/databases/proxied-database.ts";
import { newRows, storeCalls, storeRows } from "../../support/databases/store-calls.ts";
import { storeSession } from "../../support/databases/stored-sessions.ts";
import { otherConnections } from "../../support/databases/stores.ts";
import { signal } from "../../support/deadline.ts";
import { storesOfFile } from "../../support/of-file.ts";
import { listenOnLoopback } from "../../support/processes/loopback.ts";

const deadlineExceeded = { name: "Refusal", code: "deadline_exceeded" };

const database = await storesOfFile();

/** Stores over a pool of one connection: a call that does not give it back leaves nothing for the next one. */
function openSmallPool() {
  const { address } = database;
  const acquireTimeoutMs = backgroundAcquireTimeoutMs;
  const db = poolOfTest({ address, poolSize: 1, acquireTimeoutMs });
  return { db, ...createStores(db) };
}

/** Makes statements on sessions wait for good: unlike a wait for a row, this one has no limit of its own. */
async function lockTables(): Promise<void> {
  onTestFinished(async () => {
    await database.connection.query("UNLOCK TABLES");
  });
  await database.connection.query("LOCK TABLES sessions WRITE, hosted_links WRITE");
}

async function checksums(): Promise<RowDataPacket[]> {
  const { connection } = database;
  const [tables] = await connection.query<RowDataPacket[]>({ sql: "SHOW TABLES", rowsAsArray: true });
  const [rows] = await connection.query<RowDataPacket[]>(`CHECKSUM TABLE ${tables.flat().join(", ")}`);
  return rows;
}

test("a call whose signal aborted before it began ends with deadline_exceeded and changes nothing", async () => {
  const stores = createStores(database.db);
  const rows = newRows();
  await storeRows(stores, rows);
  const before = await checksums();
  for (const { name, call } of storeCalls(stores, rows)) {
    await expect(call(AbortSignal.abort()), name).rejects.toMatchObject(deadlineExceeded);
  }
  expect(await checksums()).toEqual(before);
});

test.each([
  ["read", "SELECT"],
  ["write", "UPDATE"],
  ["transaction", "FOR UPDATE"],
] as const)(
  "a %s that the database does not answer ends when its signal aborts, and the pool serves the next call",
  async (kind, statement) => {
    const { sessions, assessments } = openSmallPool();
    const session = await storeSession(database);
    const deadline = new AbortController();
    await lockTables();
    const call = {
      read: () => sessions.findSession(session, deadline.signal),
      write: () => sessions.saveAnswers(session, 0, someRecording([1]), deadline.signal),
      transaction: () => sessions.eraseSessions([session.id], someErasure(session.partnerId), deadline.signal),
    }
      [kind]()
      .catch((reason: unknown) => reason);
    await untilRunning(database, statement);
    deadline.abort();
    expect(await call).toMatchObject(deadlineExceeded);
    expect(await assessments.findGreatestAssessmentId(signal)).toBeTypeOf("number");
  },
);

test("a server that goes away after the signal aborted does not use up a place of the pool", async () => {
  const { db, sessions } = openSmallPool();
  const session = await storeSession(database);
  const unlock = await lockRows(database, "SELECT id FROM sessions FOR UPDATE");
  const deadline = new AbortController();
  const call = sessions.saveAnswers(session, 0, someRecording([1]), deadline.signal).catch((reason: unknown) => reason);
  await untilRunning(database, "UPDATE sessions");
  const connections = () => otherConnections(database.connection);
  const waiting = (await connections()).find(({ statement }) => statement.startsWith("UPDATE"));
  deadline.abort();
  // Its connection may be gone already, which is as well.
  await database.connection.query(`KILL ${waiting?.id}`).catch(() => undefined);
  expect(await call).toMatchObject(deadlineExceeded);
  // Until it is gone it could still get the row, and write.
  await expect.poll(async () => (await connections()).some(({ id }) => id === waiting?.id)).toBe(false);
  await unlock();
  expect(await sessions.findSession(session, signal)).toMatchObject({ revision: 0 });
  expect(poolState(db)).toEqual({ used: 0, free: 1, pending: 0 });
});

test("a transaction that is cut off in the middle leaves all data as it was, once the server has finished with it", async () => {
  const { sessions } = openSmallPool();
  const first = await storeSession(database, { mode: "hosted" });
  const person = { partnerId: first.partnerId, externalId: first.externalId };
  const last = await storeSession(database, { ...person, mode: "hosted" });
  for (const session of [first, last]) await database.hosted.addLink(someLink(session), 10, signal);
  const before = await checksums();
  // Erasing goes by id, so the first session is deleted already when the last one's link has to be waited for.
  const links = "SELECT hash FROM hosted_links WHERE session_id = ? FOR UPDATE";
  const unlock = await lockRows(database, links, [uuidToBytes(last.id)]);
  const deadline = new AbortController();
  const erasure = someErasure(person.partnerId);
  const call = sessions.eraseSessions([first.id, last.id], erasure, deadline.signal).catch((reason) => reason);
  await untilRunning(database, "hosted_links");
  const [connection] = (await otherConnections(database.connection)).filter(({ statement }) => statement !== "");
  deadline.abort();
  await unlock();
  expect(await call).toMatchObject(deadlineExceeded);
  const isThere = async () => (await otherConnections(database.connection)).some(({ id }) => id === connection?.id);
  await expect.poll(isThere).toBe(false);
  expect(await checksums()).toEqual(before);
});

test("a call whose signal aborts while it waits for a connection ends then, and sends nothing later", async () => {
  const { db, sessions } = openSmallPool();
  const locked = await storeSession(database);
  const unlock = await lockRows(database, "SELECT id FROM sessions FOR UPDATE");
  const running = sessions.saveAnswers(locked, 0, someRecording([1]), signal);
  await untilRunning(database, "UPDATE sessions");
  const deadline = new AbortController();
  const session = someSession();
  // It waits longer already, so the pool would give it up first.
  const patient = sessions.findSession(locked, signal);
  const call = sessions.insertSession(session, deadline.signal).catch((reason: unknown) => reason);
  await expect.poll(() => poolState(db).pending).toBe(2);
  deadline.abort();
  expect(await call).toMatchObject(deadlineExceeded);
  await unlock();
  expect(await running).toBe(true);
  expect(await patient).toMatchObject({ revision: 1 });
  expect(await sessions.findSession(session, signal)).toBeUndefined();
});

test("a signal that aborts after its call has ended leaves the connection alone", async () => {
  const { sessions, db } = openSmallPool();
  const connectionId = async () => (await db.findOne(sql`SELECT CONNECTION_ID() AS id`, {}, signal))?.id;
  const before = await connectionId();
  const deadline = new AbortController();
  await sessions.findSession(someSession(), deadline.signal);
  deadline.abort();
  expect(await connectionId()).toBe(before);
});

test("a connection that is given up is closed on both sides at once, so that a frozen server does not keep the process alive", async () => {
  const { proxy, url } = await proxyBefore(database.address);
  const refusal = Promise.withResolvers<string | undefined>();
  // Of a server that is frozen, the system goes on taking what comes, and nobody closes the connection.
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect(proxy.port, "127.0.0.1").on("error", () => undefined);
    client.pipe(upstream, { end: false });
    upstream.pipe(client, { end: false });
    client.on("error", (error: NodeJS.ErrnoException) => refusal.resolve(error.code));
    client.once("end", () => {
      const probe = setInterval(() => client.write("x"), 10);
      client.once("close", () => clearInterval(probe));
      onTestFinished(() => void upstream.destroy());
      onTestFinished(() => void client.destroy());
    });
  });
  const port = await listenOnLoopback(server);
  onTestFinished(() => void server.close());
  const direct = new URL(url);
  direct.port = String(port);
  const db = poolOfTest({ address: { url: direct.href }, poolSize: 1 });
  const call = new AbortController();
  const sleeping = db.useConnection(call.signal, (connection) => connection.driver.promise().query("SELECT SLEEP(20)"));
  const ended = expect(sleeping).rejects.toMatchObject(deadlineExceeded);
  await untilRunning(database, "SLEEP(20)");
  call.abort();
  await ended;
  expect(await refusal.promise).toMatch(/^(EPIPE|ECONNRESET)$/);
});
