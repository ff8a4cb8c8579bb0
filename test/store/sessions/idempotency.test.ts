// A partner's idempotency key belongs to one session, until its time is over or the session is gone.

import { randomBytes } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import type { RowDataPacket } from "mysql2/promise";
import { describe, expect, test } from "vitest";
import { uuidToBytes } from "../../../src/database/statement.ts";
import type { NewSession } from "../../../src/domain/sessions/session.ts";
import { CreateSessionRequestSchema } from "../../../src/gen/assessment/v1/session_service_pb.ts";
import { endKeys } from "../../../src/services/retention/maintenance.ts";
import { createSession } from "../../../src/services/sessions/create-session.ts";
import { someAssessment, someId, someSession } from "../../support/builders.ts";
import { countOf } from "../../support/databases/stores.ts";
import { testDomain } from "../../support/domain.ts";
import { storesOfFile } from "../../support/of-file.ts";

const { signal } = new AbortController();
const deadline = { signal, at: Number.POSITIVE_INFINITY };

const database = await storesOfFile();

function withKey(partnerId: string, key: string, changes: Partial<NewSession> = {}) {
  const idempotency = { key, requestHash: randomBytes(32), keptDays: 30 };
  return { ...someSession({ partnerId, ...changes }), idempotency };
}

test("keys differ by case, by every character and up to their full length", async () => {
  const partnerId = someId();
  const long = "k".repeat(254);
  const sessions = ["key", "KEY", "Key", "key.", "k", `${long}a`, `${long}A`, `${long}b`, '"k"', "'", "\\"].map((key) =>
    withKey(partnerId, key),
  );
  for (const session of sessions) expect(await database.sessions.insertSession(session, signal)).toBe("inserted");
  for (const { id, idempotency } of sessions) {
    expect((await database.sessions.findSessionByKey(partnerId, idempotency.key, signal))?.session.id).toBe(id);
  }
  expect(await database.sessions.findSessionByKey(partnerId, "keY", signal)).toBeUndefined();
  expect(await database.sessions.findSessionByKey(partnerId, "key ", signal)).toBeUndefined();
});

describe("expired idempotency keys", () => {
  test("an expired key belongs to the next session once the job has removed it", async () => {
    const partnerId = someId();
    const [first, second] = [withKey(partnerId, "k"), withKey(partnerId, "k")];
    await database.sessions.insertSession(first, signal);
    await endKey(partnerId);
    expect(await database.sessions.insertSession(second, signal)).toBe("key_taken");
    await endKeys(database, () => undefined, signal);
    expect(await database.sessions.insertSession(second, signal)).toBe("inserted");
    expect((await database.sessions.findSessionByKey(partnerId, "k", signal))?.session.id).toBe(second.id);
    expect(await database.sessions.findSession(first, signal)).toBeDefined();
  });

  test("the job removes expired keys, at most its limit at a time, and no other ones", async () => {
    const partnerId = someId();
    const sessions = ["a", "b", "c"].map((key) => withKey(partnerId, key));
    for (const session of sessions) await database.sessions.insertSession(session, signal);
    await endKey(partnerId);
    const kept = withKey(partnerId, "d");
    await database.sessions.insertSession(kept, signal);
    expect(await database.idempotencyKeys.deleteExpiredKeys(2, await database.now(), signal)).toBe(2);
    let ended = 0;
    await endKeys(database, (keys) => (ended += keys), signal);
    expect(ended).toBe(1);
    expect(await keysOf(partnerId)).toEqual(["d"]);
    expect((await database.sessions.findSessionByKey(partnerId, "d", signal))?.session.id).toBe(kept.id);
  });

  test("the job removes any number of expired keys until it is told to stop", async () => {
    const rows = Array.from({ length: 450 }, (_, index) => [
      uuidToBytes(someId()),
      `k${index}`,
      uuidToBytes(someId()),
      randomBytes(32),
      new Date(0),
    ]);
    const columns = "partner_id, idempotency_key, session_id, request_hash, expires_at";
    await database.connection.query(`INSERT INTO idempotency_keys (${columns}) VALUES ?`, [rows]);
    const stopping = new AbortController();
    const ended: number[] = [];
    await endKeys(database, (keys) => stopping.abort(ended.push(keys)), stopping.signal);
    expect(ended).toHaveLength(1);
    await endKeys(database, (keys) => ended.push(keys), signal);
    expect(ended.reduce((sum, keys) => sum + keys)).toBe(450);
    expect(await database.idempotencyKeys.deleteExpiredKeys(1, await database.now(), signal)).toBe(0);
  });

  test("concurrent requests with an expired key create one session", async () => {
    const domain = testDomain(database);
    await publishSmall();
    const partnerId = someId();
    await createOne(domain, partnerId);
    await endKey(partnerId);
    await endKeys(database, () => undefined, signal);
    const made = await Promise.all(Array.from({ length: 8 }, () => createOne(domain, partnerId)));
    expect(new Set(made.map(({ sessionId }) => sessionId)).size).toBe(1);
    expect(made.filter(({ replayed }) => !replayed)).toHaveLength(1);
  });

  test("a key expires by the clock of the database, whatever the host's says, after the configured number of days", async () => {
    const partnerId = someId();
    const session = withKey(partnerId, "k", { createdAt: new Date("2001-01-01T00:00:00Z") });
    await database.sessions.insertSession(session, signal);
    const sql = `SELECT COUNT(*) FROM idempotency_keys WHERE partner_id = ?
      AND expires_at BETWEEN NOW(3) + INTERVAL 29 DAY AND NOW(3) + INTERVAL 31 DAY`;
    expect(await countOf(database.connection, sql, [uuidToBytes(partnerId)])).toBe(1);
  });
});

/** The key of every request is `k`. */
function createOne(domain: ReturnType<typeof testDomain>, partnerId: string) {
  const request = { product: "small-example", subject: { externalId: "Ada" }, idempotencyKey: "k" };
  return createSession(domain, create(CreateSessionRequestSchema, request), { partnerId, ...deadline });
}

async function publishSmall(): Promise<void> {
  await database.assessments.insertAssessment(someAssessment(), signal);
}

/** As if the days of all keys of a partner had passed. */
async function endKey(partnerId: string): Promise<void> {
  const sql = "UPDATE idempotency_keys SET expires_at = NOW(3) - INTERVAL 1 SECOND WHERE partner_id = ?";
  await database.connection.query(sql, [uuidToBytes(partnerId)]);
}

async function keysOf(partnerId: string): Promise<string[]> {
  const sql = "SELECT idempotency_key AS text FROM idempotency_keys WHERE partner_id = ?";
  const [rows] = await database.connection.query<RowDataPacket[]>(sql, [uuidToBytes(partnerId)]);
  return rows.map(({ text }) => text.toString()).toSorted();
}
