// Beside the release before, which knows nothing of keys with an end, nor of sessions that are cancelled or expire: both
// write, neither breaks what the other has promised.
import { randomBytes } from "node:crypto";
import type { ResultSetHeader, RowDataPacket } from "mysql2/promise";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { uuidToBytes } from "../../../src/database/rows.ts";
import { copyKeys, endKeys } from "../../../src/domain/sessions/creation/idempotency-keys.ts";
import { expireSessions } from "../../../src/domain/sessions/lifecycle.ts";
import type { NewSession } from "../../../src/domain/sessions/session-port.ts";
import { stateOf } from "../../../src/kernel/session-states.ts";
import { at, someId, someSession } from "../../support/builders.ts";
import { countOf, openTestStores, type TestStores } from "../../support/databases/stores.ts";
import { logOf, sequence } from "../../support/webhooks/sequencing.ts";

const { signal } = new AbortController();
const past = new Date("2020-01-01T00:00:00Z");

/** As the release before sends them. */
const before = {
  insert: `insert into sessions (answers, assessment_id, created_at, external_id, id, idempotency_key, locale, mode,
    partner_id, person_access, redirect_url, request_hash, revision)
    values ('', 1, ?, 'person', ?, ?, null, 'headless', ?, 'none', null, ?, 0)`,
  findByKey: "select id, request_hash from sessions where partner_id = ? and idempotency_key = ?",
  saveAnswers: `update sessions set unpublished_since = IF(answers = '', CURRENT_TIMESTAMP(3), unpublished_since),
    revision = ?, answers = ? where id = ? and revision = ? and completed_at is null`,
  saveCompletion: `update sessions set revision = ?, answers = ?, completed_at = ?, results = NULL
    where id = ? and revision = ? and completed_at is null`,
  erase: "delete from sessions where id = ?",
};

let database: TestStores;
beforeAll(async () => {
  database = await openTestStores();
});
afterAll(() => database.close());

let partnerId: string;
beforeEach(async () => {
  for (const table of ["sessions", "idempotency_keys"]) await database.connection.query(`DELETE FROM ${table}`);
  partnerId = someId();
  const partner = { id: partnerId, name: "Partner", internal: false, createdAt: at(0) };
  await database.identities.insertPartner(partner, signal);
});

const deps = () => database;
const newSignal = () => signal;

function withKey(key: string): NewSession {
  return someSession({ partnerId, idempotency: { key, requestHash: randomBytes(32), keptDays: 30 } });
}

/** A session of the release before. @returns its id; undefined where the key is taken */
async function insertBefore(key: string, createdAt = new Date()): Promise<string | undefined> {
  const id = someId();
  const values = [createdAt, uuidToBytes(id), Buffer.from(key), uuidToBytes(partnerId), randomBytes(32)];
  const refused = await database.connection.execute(before.insert, values).then(
    () => undefined,
    (error) => error.code,
  );
  if (refused !== undefined) expect(refused).toBe("ER_DUP_ENTRY");
  return refused === undefined ? id : undefined;
}

async function foundBefore(key: string): Promise<Buffer | undefined> {
  const values = [uuidToBytes(partnerId), Buffer.from(key)];
  const [rows] = await database.connection.execute<RowDataPacket[]>(before.findByKey, values);
  return rows[0]?.id;
}

async function changes(sql: string, values: (Buffer | Date | number)[]): Promise<number> {
  const [{ affectedRows }] = await database.connection.execute<ResultSetHeader>(sql, values);
  return affectedRows;
}

const keys = () =>
  countOf(database.connection, "SELECT COUNT(*) FROM idempotency_keys WHERE partner_id = ?", [uuidToBytes(partnerId)]);

describe("a key", () => {
  test("of this release is found and respected by the one before", async () => {
    const session = withKey("k");
    expect(await database.sessions.insertSession(session, signal)).toBe("inserted");
    expect(await insertBefore("k")).toBeUndefined();
    expect(await foundBefore("k")).toEqual(uuidToBytes(session.id));
  });

  test("of the one before is found and respected by this release, which leaves nothing of its own behind", async () => {
    const id = await insertBefore("k");
    const session = withKey("k");
    expect(await database.sessions.insertSession(session, signal)).toBe("key_taken");
    expect((await database.sessions.findSessionByKey(partnerId, "k", await database.now(), signal))?.session.id).toBe(
      id,
    );
    expect(await database.sessions.findSession(session, signal)).toBeUndefined();
    expect(await keys()).toBe(0);
  });

  test("that both use at the same time makes one session, which both find", async () => {
    for (let round = 0; round < 10; round += 1) {
      const key = `k${round}`;
      const session = withKey(key);
      const [mine, its] = await Promise.all([database.sessions.insertSession(session, signal), insertBefore(key)]);
      expect([mine === "inserted", its !== undefined]).toContainEqual(true);
      expect(mine === "inserted" && its !== undefined).toBe(false);
      const winner = its ?? session.id;
      expect(await foundBefore(key)).toEqual(uuidToBytes(winner));
      expect((await database.sessions.findSessionByKey(partnerId, key, await database.now(), signal))?.session.id).toBe(
        winner,
      );
    }
  });

  test("is free in both when the one before has erased its session", async () => {
    const first = withKey("k");
    await database.sessions.insertSession(first, signal);
    expect(await changes(before.erase, [uuidToBytes(first.id)])).toBe(1);
    expect(await database.sessions.findSessionByKey(partnerId, "k", await database.now(), signal)).toBeUndefined();
    const second = withKey("k");
    expect(await database.sessions.insertSession(second, signal)).toBe("key_taken");
    await database.idempotencyKeys.freeKey(partnerId, "k", await database.now(), signal);
    expect(await database.sessions.insertSession(second, signal)).toBe("inserted");
    expect(await foundBefore("k")).toEqual(uuidToBytes(second.id));
  });

  test("is free in both when its time is over", async () => {
    await database.sessions.insertSession(withKey("k"), signal);
    const end = "UPDATE idempotency_keys SET expires_at = NOW(3) - INTERVAL 1 SECOND WHERE partner_id = ?";
    await changes(end, [uuidToBytes(partnerId)]);
    await endKeys(deps(), () => undefined, signal);
    expect(await foundBefore("k")).toBeUndefined();
    const id = await insertBefore("k");
    expect((await database.sessions.findSessionByKey(partnerId, "k", await database.now(), signal))?.session.id).toBe(
      id,
    );
  });
});

describe("keys of the release before", () => {
  test("get the end that they would have had; those that are over, end; again changes nothing", async () => {
    const live = await insertBefore("live");
    const over = await insertBefore("over", past);
    const mine = withKey("mine");
    await database.sessions.insertSession(mine, signal);
    expect(await copyKeys(deps(), 30, newSignal)).toEqual({ copied: 1, ended: 1 });
    expect(await copyKeys(deps(), 30, newSignal)).toEqual({ copied: 0, ended: 0 });
    expect(await keys()).toBe(2);
    expect(
      (await database.sessions.findSessionByKey(partnerId, "live", await database.now(), signal))?.session.id,
    ).toBe(live);
    expect(await database.sessions.findSessionByKey(partnerId, "over", await database.now(), signal)).toBeUndefined();
    expect(over).toBeDefined();
    const sql = `SELECT COUNT(*) FROM idempotency_keys AS k JOIN sessions AS s ON s.id = k.session_id
      WHERE k.partner_id = ? AND s.id = ? AND k.expires_at = s.created_at + INTERVAL 30 DAY`;
    expect(await countOf(database.connection, sql, [uuidToBytes(partnerId), uuidToBytes(live ?? "")])).toBe(1);
  });

  test("are looked at so many at a time, and every one of them is", async () => {
    for (let index = 0; index < 7; index += 1) await insertBefore(`k${index}`);
    let page = await database.idempotencyKeys.copyKeys({ partnerId, key: " " }, 30, 3, await database.now(), signal);
    const pages = [page.copied];
    while (page.next?.partnerId === partnerId && page.next.key !== "") {
      page = await database.idempotencyKeys.copyKeys(page.next, 30, 3, await database.now(), signal);
      pages.push(page.copied);
    }
    expect(pages).toEqual([3, 3, 1]);
  });
});

describe("the release before", () => {
  const completed = (id: string, revision: number) => [revision + 1, Buffer.of(2), at(5), uuidToBytes(id), revision];

  async function newSession(changes: Partial<NewSession> = {}): Promise<NewSession> {
    const session = someSession({ partnerId, ...changes });
    await database.sessions.insertSession(session, signal);
    return session;
  }

  async function typesOf(session: NewSession): Promise<string[]> {
    await sequence(database);
    const log = await logOf(database, partnerId);
    return log.filter(({ resourceId }) => resourceId === session.id).map(({ type }) => type);
  }

  test("that completes a cancelled session, read before, loses; read after, its answers are kept and both are announced", async () => {
    const session = await newSession();
    await database.sessions.saveCancellation({ ...session, revision: 0 }, at(1), false, signal);
    expect(await changes(before.saveCompletion, completed(session.id, 0))).toBe(0);
    expect(await changes(before.saveCompletion, completed(session.id, 1))).toBe(1);
    const found = await database.sessions.findSession(session, signal);
    expect(found).toMatchObject({ completedAt: at(5), cancelledAt: at(1), answers: [1] });
    expect(found && stateOf(found, Date.now())).toBe("completed");
    expect(await typesOf(session)).toEqual(expect.arrayContaining(["session.cancelled", "session.completed"]));
  });

  test("that completes an expired session keeps its answers; the end is not noted afterwards", async () => {
    const session = await newSession({ expiresAt: past });
    expect(await changes(before.saveCompletion, completed(session.id, 0))).toBe(1);
    await expireSessions(database, signal);
    const found = await database.sessions.findSession(session, signal);
    expect(found && stateOf(found, Date.now())).toBe("completed");
    expect(await typesOf(session)).not.toContain("session.expired");
    expect(await database.sessions.listExpiryDue(100, await database.now(), signal)).toEqual([]);
  });

  test("that answers while this release notes the end or cancels loses, as any write that read before", async () => {
    const [expired, cancelled] = [await newSession({ expiresAt: past }), await newSession()];
    await expireSessions(database, signal);
    await database.sessions.saveCancellation({ ...cancelled, revision: 0 }, at(1), true, signal);
    for (const { id } of [expired, cancelled]) {
      expect(await changes(before.saveAnswers, [1, Buffer.of(2), uuidToBytes(id), 0])).toBe(0);
    }
  });

  test("that wrote in between makes this release's cancellation and reopening read again", async () => {
    const session = await newSession({ expiresAt: past });
    expect(await changes(before.saveAnswers, [1, Buffer.of(2), uuidToBytes(session.id), 0])).toBe(1);
    expect(await database.sessions.saveCancellation({ ...session, revision: 0 }, at(1), true, signal)).toBe(false);
    expect(await database.sessions.saveReopening({ ...session, revision: 0 }, null, await database.now(), signal)).toBe(
      false,
    );
    expect(await database.sessions.findSession(session, signal)).toMatchObject({ answers: [1], cancelledAt: null });
  });

  test("makes sessions that never expire and that this release cancels and lets expire like its own", async () => {
    const id = await insertBefore("of the release before");
    const session = { partnerId, id: id ?? "" };
    expect(await database.sessions.findSession(session, signal)).toMatchObject({ expiresAt: null, cancelledAt: null });
    expect(await database.sessions.saveReopening({ ...session, revision: 0 }, past, await database.now(), signal)).toBe(
      true,
    );
    expect(await expireSessions(database, signal)).toBe(1);
    expect(await database.sessions.saveCancellation({ ...session, revision: 2 }, at(1), true, signal)).toBe(true);
  });
});
