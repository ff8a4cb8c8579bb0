// A partner's idempotency key belongs to one session, for as long as the session exists.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { NewSession } from "../../src/domain/ports/sessions.ts";
import { noNorms, someErasure, someId, someSession } from "../support/builders.ts";
import { countOf, openTestStores, type TestStores } from "../support/stores.ts";

const { signal } = new AbortController();

let database: TestStores;
beforeAll(async () => {
  database = await openTestStores();
});
afterAll(() => database.close());

function withKey(partnerId: string, key: string, changes: Partial<NewSession> = {}) {
  const idempotency = { key, requestHash: randomBytes(32) };
  return { ...someSession({ partnerId, ...changes }), idempotency };
}

test("a key finds its session and the hash of the request that made it", async () => {
  const session = withKey(someId(), "k");
  await database.sessions.insertSession(session, signal);
  const found = await database.sessions.findSessionByKey(session.partnerId, "k", signal);
  expect(found?.session).toEqual(await database.sessions.findSession(session.id, signal));
  expect(found?.session.id).toBe(session.id);
  expect(Buffer.from(found?.requestHash ?? [])).toEqual(session.idempotency.requestHash);
});

test("a session with a taken key is not inserted, and the first one stays as it is", async () => {
  const first = withKey(someId(), "k");
  const second = withKey(first.partnerId, "k");
  expect(await database.sessions.insertSession(first, signal)).toBe("inserted");
  const stored = await database.sessions.findSessionByKey(first.partnerId, "k", signal);
  expect(await database.sessions.insertSession(second, signal)).toBe("key_taken");
  expect(await database.sessions.findSession(second.id, signal)).toBeUndefined();
  expect(await database.sessions.findSessionByKey(first.partnerId, "k", signal)).toEqual(stored);
});

test("of inserts with one key at the same time one wins, and the key finds the winner", async () => {
  const partnerId = someId();
  const sessions = Array.from({ length: 8 }, () => withKey(partnerId, "raced"));
  const outcomes = await Promise.all(sessions.map((session) => database.sessions.insertSession(session, signal)));
  expect(outcomes.toSorted()).toEqual(["inserted", ...Array(7).fill("key_taken")]);
  const winner = sessions[outcomes.indexOf("inserted")];
  expect((await database.sessions.findSessionByKey(partnerId, "raced", signal))?.session.id).toBe(winner?.id);
  const partner = Buffer.from(partnerId.replaceAll("-", ""), "hex");
  expect(await countOf(database.connection, "SELECT COUNT(*) FROM sessions WHERE partner_id = ?", [partner])).toBe(1);
});

test("keys are told apart by case, by every character and up to their full length", async () => {
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

test("two partners may use the same key, and neither finds the other's session by it", async () => {
  const [one, other] = [withKey(someId(), "k"), withKey(someId(), "k")];
  expect(await database.sessions.insertSession(one, signal)).toBe("inserted");
  expect(await database.sessions.findSessionByKey(other.partnerId, "k", signal)).toBeUndefined();
  expect(await database.sessions.insertSession(other, signal)).toBe("inserted");
  expect((await database.sessions.findSessionByKey(one.partnerId, "k", signal))?.session.id).toBe(one.id);
  expect((await database.sessions.findSessionByKey(other.partnerId, "k", signal))?.session.id).toBe(other.id);
});

test("sessions without a key do not get in each other's way", async () => {
  const partnerId = someId();
  for (const session of [someSession({ partnerId }), someSession({ partnerId })]) {
    expect(await database.sessions.insertSession(session, signal)).toBe("inserted");
  }
});

test("a key is free again after its person was erased, and only then", async () => {
  const partnerId = someId();
  const first = withKey(partnerId, "k", { externalId: "Ada" });
  const second = withKey(partnerId, "k", { externalId: "Bea" });
  await database.sessions.insertSession(first, signal);
  await database.sessions.eraseSessions([second.id], someErasure(partnerId), noNorms, signal);
  expect(await database.sessions.insertSession(second, signal)).toBe("key_taken");
  await database.sessions.eraseSessions([first.id], someErasure(partnerId), noNorms, signal);
  expect(await database.sessions.findSessionByKey(partnerId, "k", signal)).toBeUndefined();
  expect(await database.sessions.insertSession(second, signal)).toBe("inserted");
});
