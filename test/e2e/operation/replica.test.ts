// Exports from a replica: a second database stands for it, with contents of its own, so what was read from where is
// seen.
import type { Connection } from "mysql2/promise";
import { v7 as uuidv7 } from "uuid";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { bytesToUuid, uuidToBytes } from "../../../src/database/statement.ts";
import { addCaller, startTestApp, type TestApp } from "../../support/app.ts";
import { createTestDatabase } from "../../support/databases/database.ts";
import type { DatabaseProxy } from "../../support/databases/database-proxy.ts";
import { proxyBefore } from "../../support/databases/proxied-database.ts";
import type { TestDatabase } from "../../support/databases/servers/server.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { answer, bodyOf, fullAnswers } from "../cases/case.ts";

let app: TestApp;
let replica: TestDatabase;
let proxy: DatabaseProxy;
let alice: { token: string };
beforeEach(async () => {
  replica = await createTestDatabase();
  const proxied = await proxyBefore(replica.address);
  proxy = proxied.proxy;
  app = await startTestApp({ DATABASE_REPLICA_URL: proxied.url });
  const { token } = await addCaller(app);
  alice = { token };
  onTestFinished(async () => {
    await app.stop();
    await replica.drop();
  });
});

const transport = () => restTransport(app.httpUrl);
const newSession = async () => bodyOf(await transport().createSession(alice, {})).sessionId;
const exported = async (after?: string) => {
  const { sessions, nextCursor } = bodyOf(
    await transport().exportSessions(alice, after === undefined ? {} : { after }),
  );
  return { ids: sessions.map(({ sessionId }) => sessionId), nextCursor };
};

async function nameOf(connection: Connection): Promise<string> {
  const [rows] = await connection.query("SELECT DATABASE() AS name");
  return (rows as { name: string }[])[0]?.name ?? "";
}

/** Brings a session to the replica. */
async function replicate(sessionId: string): Promise<void> {
  const { connection } = app.database;
  const names = [await nameOf(replica.connection), await nameOf(connection)];
  await connection.query("INSERT INTO ??.sessions SELECT * FROM ??.sessions WHERE id = ?", [
    ...names,
    uuidToBytes(sessionId),
  ]);
}

/** Moves a session back in time. @returns its new id */
async function age(sessionId: string, ms: number): Promise<string> {
  const id = uuidv7({ msecs: Date.now() - ms }, Buffer.alloc(16));
  await app.database.connection.query("UPDATE sessions SET id = ? WHERE id = ?", [id, uuidToBytes(sessionId)]);
  return bytesToUuid(id);
}

test("exports read from the replica, everything else from the database", async () => {
  const [first, second] = [await newSession(), await newSession()];
  expect((await exported()).ids).toEqual([]);
  await replicate(first);
  expect((await exported()).ids).toEqual([first]);
  const { sessions } = bodyOf(await transport().listSessions(alice));
  expect(sessions.map(({ sessionId }) => sessionId)).toEqual([second, first]);
  bodyOf(await transport().getSession(alice, second));
  await replicate(second);
  expect((await exported()).ids).toEqual([first, second]);
});

test("an export resumed on a lagging replica misses no session", async () => {
  const hour = 3_600_000;
  const earlier = await age(await newSession(), hour + 20_000);
  const later = await age(await newSession(), hour);
  // Stored later, since its call took longer, and not replicated yet.
  await replicate(later);
  const { ids, nextCursor } = await exported();
  expect(ids).toEqual([later]);
  await replicate(earlier);
  expect((await exported(nextCursor)).ids).toEqual([earlier, later]);
});

test("an erased person is in no later export, however far the replica lags", async () => {
  const externalId = "somebody";
  const { sessionId } = bodyOf(await transport().createSession(alice, { subject: { externalId } }));
  const other = await newSession();
  for (const each of [sessionId, other]) await replicate(each);
  expect((await exported()).ids).toEqual([sessionId, other]);
  bodyOf(await transport().eraseSubject(alice, externalId));
  expect((await exported()).ids).toEqual([other]);
});

test("deleted answers and results are in no later export, however far the replica lags", async () => {
  const complete = async () => {
    const { sessionId, assessment } = bodyOf(await transport().createSession(alice, {}));
    if (assessment === undefined) throw new Error("no assessment");
    bodyOf(await transport().completeSession(alice, sessionId, fullAnswers({ assessment })));
    return sessionId;
  };
  const open = bodyOf(await transport().createSession(alice, {}));
  const [question] = open.assessment?.questions ?? [];
  bodyOf(await transport().recordAnswers(alice, open.sessionId, [answer(question?.id ?? 0, 3)]));
  const [withoutAnswers, withoutResults] = [await complete(), await complete()];
  for (const each of [open.sessionId, withoutAnswers, withoutResults]) await replicate(each);
  bodyOf(await transport().cancelSession(alice, open.sessionId, { eraseAnswers: true }));
  const { connection } = app.database;
  const deleted = "UPDATE sessions SET answers_deleted_at = NOW(3), answers = '' WHERE id = ?";
  await connection.query(deleted, [uuidToBytes(withoutAnswers)]);
  const unscored = "UPDATE sessions SET results_deleted_at = NOW(3), results = '' WHERE id = ?";
  await connection.query(unscored, [uuidToBytes(withoutResults)]);
  const { sessions } = bodyOf(await transport().exportSessions(alice, {}));
  const held = sessions.map(({ answers, results, ...times }) => ({
    answers: answers?.length,
    hasResults: results !== null,
    deleted: [times.answersDeletedAt !== null, times.resultsDeletedAt !== null],
  }));
  expect(held).toEqual([
    { answers: 0, hasResults: false, deleted: [false, false] },
    { answers: 0, hasResults: true, deleted: [true, false] },
    { answers: 152, hasResults: false, deleted: [false, true] },
  ]);
});

test("while the replica is down only exports are refused, and they work again when it is back", async () => {
  const sessionId = await newSession();
  await replicate(sessionId);
  expect((await exported()).ids).toEqual([sessionId]);
  const { target } = proxy;
  proxy.choose = () => "request";
  proxy.target = { host: "127.0.0.1", port: 1 };
  const headers = { authorization: `Bearer ${alice.token}` };
  const response = await fetch(`${app.httpUrl}/v1/values-bridge/exports/sessions`, { headers });
  expect([response.status, response.headers.has("retry-after")]).toEqual([503, true]);
  expect(await response.json()).toMatchObject({ code: "unavailable" });
  bodyOf(await transport().getSession(alice, sessionId));
  expect((await fetch(`${app.httpUrl}/readyz`)).status).toBe(200);
  proxy.target = target;
  proxy.choose = () => undefined;
  expect((await exported()).ids).toEqual([sessionId]);
});
