// What a lost connection or a lost lock does to a statement: it is done again where that is safe, and counts once.

import type { RowDataPacket } from "mysql2/promise";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Connection } from "../../../src/database/connection.ts";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import { createStores } from "../../../src/store/stores.ts";
import {
  at,
  someClient,
  someErasure,
  someLink,
  someRecording,
  someResults,
  someSecret,
  someSession,
  someToken,
} from "../../support/builders.ts";
import type { Cut } from "../../support/databases/database-proxy.ts";
import { untilRunning } from "../../support/databases/locks.ts";
import { poolOfTest, poolState } from "../../support/databases/pool.ts";
import { proxyBefore } from "../../support/databases/proxied-database.ts";
import { storeSession } from "../../support/databases/stored-sessions.ts";
import { countOf } from "../../support/databases/stores.ts";
import { signal } from "../../support/deadline.ts";
import { storesOfFile } from "../../support/of-file.ts";

const unavailable = { name: "Refusal", code: "unavailable", retryAfterSeconds: 1 };

const database = await storesOfFile();

/** Stores over one connection through a proxy. */
async function openProxied() {
  const { proxy, url } = await proxyBefore(database.address);
  const db = poolOfTest({ address: { url }, poolSize: 1 });
  /** Cuts the connections of the next statements that match, so many of them. */
  const cutNext = (pattern: RegExp, cut: Cut, times = 1) => {
    let rest = times;
    proxy.choose = (statement) => {
      if (rest === 0 || !pattern.test(statement)) return undefined;
      rest -= 1;
      return cut;
    };
  };
  return { db, proxy, cutNext, ...createStores(db) };
}

const cuts = ["request", "half", "answer"] as const;

describe.each(cuts)("where the connection is cut at the %s", (cut) => {
  test("a repeated read returns what is stored", async () => {
    const { sessions, cutNext, proxy } = await openProxied();
    const session = await storeSession({ sessions });
    cutNext(/^select/i, cut);
    expect(await sessions.findSession(session, signal)).toMatchObject({ id: session.id });
    expect(proxy.cuts).toBe(1);
  });

  test.each([null, { key: "key", requestHash: Buffer.alloc(32, cut) }])(
    "a repeated creation creates one session (%o)",
    async (idempotency) => {
      const { sessions, cutNext } = await openProxied();
      const session = someSession({ idempotency });
      cutNext(/^insert/i, cut);
      const outcome = await sessions.insertSession(session, signal);
      // Whose key it is, the reader of the key finds out.
      if (outcome === "key_taken") {
        const sameKeySession = await sessions.findSessionByKey(session.partnerId, "key", signal);
        expect(sameKeySession).toMatchObject({ id: session.id });
      }
      const count = "SELECT COUNT(*) FROM sessions WHERE partner_id = ?";
      expect(await countOf(database.connection, count, [uuidToBytes(session.partnerId)])).toBe(1);
    },
  );

  test("repeated answers and completion are stored once, and the writer learns whether they are its own", async () => {
    const { sessions, cutNext } = await openProxied();
    const session = await storeSession({ sessions });
    cutNext(/^update/i, cut);
    const isSaved = await sessions.saveAnswers(session, 0, someRecording([1, 2]), signal);
    expect(await sessions.findSession(session, signal)).toMatchObject({ revision: 1, answers: [1, 2] });
    // An update that did happen finds its own revision gone: the writer has to read again.
    expect(isSaved).toBe(cut !== "answer");
    cutNext(/^update/i, cut);
    const completion = { ...someRecording([1, 2]), completedAt: at(5), results: someResults() };
    expect(await sessions.saveCompletion(session, 1, completion, signal)).toBe(cut !== "answer");
    expect(await sessions.findSession(session, signal)).toMatchObject({
      results: someResults(),
      completedAt: at(5),
    });
  });

  test("a repeated token, partner or link is created once", async () => {
    const { hosted, identities, sessions, cutNext } = await openProxied();
    const client = someClient();
    await identities.insertClient(client, someSecret(client.id), signal);
    const token = someToken(client.id);
    cutNext(/^insert/i, cut);
    await identities.insertToken(token, signal);
    expect(await identities.findToken(token.hash, signal)).toMatchObject({ client: { id: client.id } });
    const partner = { id: client.partnerId, name: "Partner", internal: false, createdAt: at(0) };
    cutNext(/^insert/i, cut);
    await identities.insertPartner(partner, signal);
    expect(await identities.findPartner(partner.id, signal)).toEqual(partner);
    const session = await storeSession({ sessions });
    cutNext(/^insert/i, cut);
    await hosted.addLink(someLink(session), 10, signal);
    const count = "SELECT COUNT(*) FROM hosted_links WHERE session_id = ?";
    expect(await countOf(database.connection, count, [uuidToBytes(session.id)])).toBe(1);
  });

  test("a transaction that lost its connection before its commit is repeated", async () => {
    const { identities, cutNext } = await openProxied();
    const client = someClient();
    const secret = someSecret(client.id);
    cutNext(/^insert into client_secrets/i, cut);
    await identities.insertClient(client, secret, signal);
    expect(await identities.findClient(client.id, signal)).toEqual(client);
    expect(await identities.listClientSecrets(client.id, signal)).toHaveLength(1);
  });

  test("a transaction that may have been committed is not repeated", async () => {
    const { sessions, cutNext } = await openProxied();
    const session = await storeSession({ sessions });
    const erasure = someErasure(session.partnerId);
    cutNext(/^commit/i, cut);
    await expect(sessions.eraseSessions([session.id], erasure, signal)).rejects.toMatchObject(unavailable);
    const hasHappened = cut === "answer";
    expect((await sessions.findSession(session, signal)) === undefined).toBe(hasHappened);
  });
});

test("a statement whose connection is lost again and again is given up, and the pool serves the next", async () => {
  const { db, sessions, proxy, cutNext } = await openProxied();
  cutNext(/^select/i, "request", 3);
  const session = someSession();
  await expect(sessions.findSession(session, signal)).rejects.toMatchObject(unavailable);
  expect(proxy.cuts).toBe(3);
  expect(await sessions.findSession(session, signal)).toBeUndefined();
  expect(poolState(db)).toEqual({ used: 0, free: 1, pending: 0 });
});

test("a transaction whose own work fails holds no lock afterwards, and keeps its connection", async () => {
  const { db, sessions } = await openProxied();
  const session = await storeSession({ sessions });
  const whose = async (connection: Connection) => {
    const [[row]] = await connection.driver.promise().query<RowDataPacket[]>("SELECT CONNECTION_ID() AS id");
    return row?.id;
  };
  let id: unknown;
  const failing = db.runTransaction(signal, async (connection) => {
    id = await whose(connection);
    await connection.driver.promise().query("DELETE FROM sessions WHERE id = ?", [uuidToBytes(session.id)]);
    throw new RangeError("of the work");
  });
  await expect(failing).rejects.toThrow("of the work");
  expect(await db.useConnection(signal, whose)).toBe(id);
  const lock = "SELECT id FROM sessions WHERE id = ? FOR UPDATE NOWAIT";
  const [rows] = await database.connection.query<RowDataPacket[]>(lock, [uuidToBytes(session.id)]);
  expect(rows).toHaveLength(1);
});

test("a statement is not repeated after its deadline", async () => {
  const { sessions, proxy, cutNext } = await openProxied();
  const deadline = new AbortController();
  cutNext(/^select/i, "request");
  const { choose } = proxy;
  proxy.choose = (statement, connection) => {
    const cut = choose(statement, connection);
    if (cut !== undefined) deadline.abort();
    return cut;
  };
  await expect(sessions.findSession(someSession(), deadline.signal)).rejects.toMatchObject({
    code: "deadline_exceeded",
  });
  expect(proxy.cuts).toBe(1);
});

test("a transaction that is the victim of a deadlock is repeated", async () => {
  const { connection, hosted, sessions } = database;
  const session = await storeSession(database, { mode: "hosted" });
  await hosted.addLink(someLink(session), 10, signal);
  const id = uuidToBytes(session.id);
  await connection.beginTransaction();
  onTestFinished(() => connection.rollback());
  // The transaction that has changed more is spared.
  const many = Array.from({ length: 500 }, () => {
    return [Buffer.from(someLink(session).hash), id, uuidToBytes(session.partnerId), at(0), at(1)];
  });
  const columns = "hash, session_id, partner_id, created_at, expires_at";
  await connection.query(`INSERT INTO hosted_links (${columns}) VALUES ?`, [many]);
  await connection.query<RowDataPacket[]>("SELECT hash FROM hosted_links WHERE session_id = ? FOR UPDATE", [id]);
  const erased = sessions.eraseSessions([session.id], someErasure(session.partnerId), signal);
  await untilRunning(database, "hosted_links");
  await connection.query("SELECT id FROM sessions WHERE id = ? FOR UPDATE", [id]);
  await connection.rollback();
  expect(await erased).toBe(1);
});
