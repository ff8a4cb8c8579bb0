import { beforeEach, describe, expect, test } from "vitest";
import type { AnswerArrivals } from "../../../src/domain/sessions/session.ts";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import { at, someErasure, someId, someRecording, someResults, someSession } from "../../support/builders.ts";
import { lockRows } from "../../support/databases/locks.ts";
import { proxyBefore } from "../../support/databases/proxied-database.ts";
import { erasePerson, storeSession } from "../../support/databases/stored-sessions.ts";
import { batchesOf, countOf } from "../../support/databases/stores.ts";
import { signal } from "../../support/deadline.ts";
import { storesOfFile } from "../../support/of-file.ts";
import { briefly, createdColumns, logOf, newSequencer, sequenceEvents } from "../../support/webhooks/sequencing.ts";

const beginning = { since: new Date(0), id: "00000000-0000-0000-0000-000000000000" };

const intoOutbox = `INSERT INTO event_outbox (resource_id, partner_id, type, assessment_id, occurred_at)
  VALUES (?, ?, ?, 1, NOW(3))`;

const database = await storesOfFile();

let partnerId: string;
beforeEach(async () => {
  await sequenceEvents(database);
  partnerId = someId();
});

async function newSession(externalId = someId()): Promise<string> {
  return (await storeSession(database, { partnerId, externalId })).id;
}

function complete(
  id: string,
  revision: number,
  results: Buffer | null = someResults(),
  arrivals: AnswerArrivals | null = null,
): Promise<boolean> {
  const completion = { ...someRecording([1], { arrivals }), completedAt: at(9), results };
  return database.sessions.saveCompletion({ partnerId, id }, revision, completion, signal);
}

/** Has a session wait to be announced since another time: so much earlier, or later. */
function moveUnpublished(sessionId: string, interval: string): Promise<unknown> {
  const sql = `UPDATE sessions SET unpublished_since = unpublished_since + INTERVAL ${interval} WHERE id = ?`;
  return database.connection.query(sql, [uuidToBytes(sessionId)]);
}

test("each event in the log is counted by mode, with its delay in milliseconds", async () => {
  const minutes = 10;
  const id = await newSession();
  await moveUnpublished(id, `-${minutes} MINUTE`);
  const [event, ...others] =
    (await newSequencer(database.address).store.publish(beginning, 10, signal))?.published ?? [];
  expect([event, others]).toEqual([{ type: "session.created", mode: "headless", lagMs: expect.any(Number) }, []]);
  expect(event?.lagMs).toBeGreaterThanOrEqual(minutes * 60_000);
  expect(event?.lagMs).toBeLessThan((minutes + 5) * 60_000);
});

test("a sequencer leaves the log to another process that is writing it", async () => {
  const id = await newSession();
  const { store, sequencer } = newSequencer(database.address);
  const release = await lockRows(database, "SELECT * FROM event_position WHERE id = 1 FOR UPDATE");
  expect(await store.publish(beginning, 10, signal)).toBeUndefined();
  await sequencer.run(signal);
  expect(await logOf(database, partnerId)).toEqual([]);
  await release();
  await sequencer.run(signal);
  expect((await logOf(database, partnerId)).map(briefly)).toEqual([`session.created ${id}`]);
});

test("a locked session holds back its own events only, however many are locked", async () => {
  const held = [await newSession(), await newSession(), await newSession(), await newSession()];
  const free = await newSession();
  const sql = "SELECT id FROM sessions FORCE INDEX (PRIMARY) WHERE id IN (?) FOR UPDATE";
  const release = await lockRows(database, sql, [held.map(uuidToBytes)]);
  const { store } = newSequencer(database.address);
  // The first two transactions meet none but locked ones.
  let after = beginning;
  for (let count = 0; count < 2; count += 1) {
    const pass = await store.publish(after, 2, signal);
    expect(pass).toMatchObject({ published: [], isEnd: false });
    after = pass?.last ?? beginning;
  }
  expect(await store.publish(after, 2, signal)).toMatchObject({
    published: [{ type: "session.created" }],
    isEnd: true,
  });
  expect((await logOf(database, partnerId)).map(({ resourceId }) => resourceId)).toEqual([free]);
  await release();
  await sequenceEvents(database);
  expect((await logOf(database, partnerId)).map(({ resourceId }) => resourceId)).toEqual([free, ...held]);
});

test("the age of what is unpublished counts from the first event of a session, whatever is written later", async () => {
  const id = await newSession();
  await moveUnpublished(id, "-2 MINUTE");
  await complete(id, 0);
  expect(await database.events.findUnpublishedAge(signal)).toBeGreaterThanOrEqual(120);
});

test("the age of what is unpublished counts events of sessions that no longer exist", async () => {
  const id = await newSession();
  await sequenceEvents(database);
  const erasedAt = new Date(Date.now() - 3_600_000);
  await database.sessions.eraseSessions([id], { ...someErasure(partnerId), erasedAt }, signal);
  expect(await database.events.findUnpublishedAge(signal)).toBeGreaterThan(1_800);
  await sequenceEvents(database);
  expect(await database.events.findUnpublishedAge(signal)).toBe(0);
});

describe("steps after a report", () => {
  const set = (sessionId: string, step: string) =>
    database.reportAccess.saveIntention({ partnerId, sessionId }, { step, lookAgainOn: null, setAt: at(9) }, signal);
  const newScoredSession = async () => {
    const id = await newSession();
    await complete(id, 0);
    return id;
  };
  const occurrences = async () =>
    (await logOf(database, partnerId))
      .filter(({ type }) => type === "intention.set")
      .map(({ occurrence }) => occurrence);
  const pass = async (minutes: number) => {
    const { connection } = database;
    await connection.query("UPDATE events SET recorded_at = recorded_at - INTERVAL ? MINUTE", [minutes]);
    await connection.query("UPDATE sessions SET unpublished_since = unpublished_since - INTERVAL ? MINUTE", [minutes]);
    await sequenceEvents(database);
  };

  test("the first step is an event at once, and all others of ten minutes are one after these", async () => {
    const id = await newScoredSession();
    await set(id, "a");
    await pass(0);
    for (const step of ["b", "", "c", "d"]) await set(id, step);
    await pass(9);
    expect(await occurrences()).toEqual([1]);
    expect(await database.events.findUnpublishedAge(signal)).toBe(0);
    await pass(1);
    expect(await occurrences()).toEqual([1, 2]);
    await pass(10);
    await set(id, "e");
    await pass(0);
    expect(await occurrences()).toEqual([1, 2, 3]);
  });

  test("steps are one event while the sequencer rests", async () => {
    const id = await newScoredSession();
    for (const step of ["a", "b", "c"]) await set(id, step);
    await pass(0);
    expect(await occurrences()).toEqual([1]);
  });

  test("a session with too many unpublished events is refused another one, and takes it once they are published", async () => {
    const id = await newScoredSession();
    const many = '[64,1,"2026-11-26 00:00:00.000Z"],';
    const fill = "UPDATE sessions SET unpublished = REPEAT(?, ?) WHERE id = ?";
    await database.connection.query(fill, [many, Math.trunc(15_000 / many.length), uuidToBytes(id)]);
    await expect(set(id, "a")).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("events of this session are still to be published"),
    });
    await database.connection.query(fill, ["", 0, uuidToBytes(id)]);
    await set(id, "a");
    await pass(0);
    expect(await occurrences()).toEqual([1]);
  });
});

describe("transactions that are cut off", () => {
  const statements = [
    "SELECT position",
    "SELECT id, unpublished",
    "SELECT id, partner_id, assessment",
    "UPDATE sessions",
  ];
  const others = [
    "SELECT partner_id, sequence",
    "INSERT INTO events",
    "INSERT INTO event_heads",
    "UPDATE event_position",
  ];
  const cuts = [...statements, ...others, "COMMIT"].flatMap((start) =>
    (["request", "answer"] as const).map((cut) => ({ start, cut })),
  );

  test.each(cuts)(
    "a transaction that is cut off by the $cut of $start is done wholly or not at all, and the next one completes it",
    async ({ start, cut }) => {
      const ids = [await newSession(), await newSession()];
      const { proxy, url } = await proxyBefore(database.address);
      const { store } = newSequencer({ url });
      let cutsLeft = 1;
      proxy.choose = (statement) => {
        if (cutsLeft === 0 || !statement.startsWith(start)) return undefined;
        cutsLeft -= 1;
        return cut;
      };
      await expect(store.publish(beginning, 10, signal)).rejects.toMatchObject({ code: "unavailable" });
      expect([0, 2]).toContain((await logOf(database, partnerId)).length);
      // The server notices in its own time that the connection was cut: until then that one is the sequencer.
      await database.connection.query("SELECT position FROM event_position WHERE id = 1 FOR UPDATE");
      await sequenceEvents(database);
      const log = await logOf(database, partnerId);
      expect(log.map(({ sequence, resourceId }) => [sequence, resourceId])).toEqual([
        [1, ids[0]],
        [2, ids[1]],
      ]);
    },
  );
});

test("a full scan every 15 seconds finds what was committed long after it was written", async () => {
  let now = 0;
  const { sequencer } = newSequencer(database.address, () => now);
  await newSession();
  await sequencer.run(signal);
  const late = await newSession();
  await moveUnpublished(late, "-5 MINUTE");
  now = 14_900;
  await sequencer.run(signal);
  expect(await logOf(database, partnerId)).toHaveLength(1);
  now = 15_100;
  await sequencer.run(signal);
  expect((await logOf(database, partnerId)).map(({ resourceId }) => resourceId)).toContain(late);
});

test("an event that is committed up to a minute late is found without a full scan", async () => {
  const { sequencer } = newSequencer(database.address);
  await newSession();
  await sequencer.run(signal);
  const late = await newSession();
  await moveUnpublished(late, "-50 SECOND");
  await sequencer.run(signal);
  expect(await logOf(database, partnerId)).toHaveLength(2);
});

test("a session with a time ahead of the clock does not hide later ones", async () => {
  const { sequencer } = newSequencer(database.address);
  const ahead = await newSession();
  await moveUnpublished(ahead, "5 HOUR");
  await sequencer.run(signal);
  await newSession();
  await sequencer.run(signal);
  expect(await logOf(database, partnerId)).toHaveLength(2);
});

test("a full scan that has no time for all continues in the next run", async () => {
  let now = 0;
  const { sequencer, published } = newSequencer(database.address, () => (now += 400));
  const many = Array.from({ length: 1_600 }, () => someSession({ partnerId }));
  const fixed = [uuidToBytes(partnerId), "x", "values-bridge", 1, "headless", 0, at(0), "", ...createdColumns];
  await database.connection.query(
    `INSERT INTO sessions (id, partner_id, external_id, product, assessment_id, mode, revision, created_at, answers,
      unpublished, unpublished_since) VALUES ?`,
    [many.map(({ id }) => [uuidToBytes(id), ...fixed])],
  );
  await sequencer.run(signal);
  expect(published.length).toBeGreaterThan(0);
  expect(published.length).toBeLessThan(1_600);
  for (let count = 0; count < 4; count += 1) await sequencer.run(signal);
  expect(published).toHaveLength(1_600);
});

test.each([1, 2, 3, 5])(
  "all events come into the log once, with %i sessions and outbox events at a time",
  async (page) => {
    const expected: string[] = [];
    for (const name of ["a", "b", "c", "d", "e"]) {
      const [kept, erased] = [await newSession(), await newSession(name)];
      await complete(kept, 0);
      await erasePerson(database.sessions, partnerId, name);
      const types = ["session.created", "session.started", "session.completed", "session.scored"];
      expected.push(...types.map((type) => `${type} ${kept}`), `session.erased ${erased}`);
    }
    await sequenceEvents(database, batchesOf(page));
    const log = await logOf(database, partnerId);
    expect(log.map(briefly).toSorted()).toEqual(expected.toSorted());
    expect(log.map(({ sequence: number }) => number)).toEqual(expected.map((_, index) => index + 1));
    expect(await countOf(database.connection, "SELECT COUNT(*) FROM event_outbox")).toBe(0);
  },
);

const erase = (externalId: string) => erasePerson(database.sessions, partnerId, externalId);

test("an erasure that is not committed delays no other event", async () => {
  await newSession("Ada");
  await erase("Ada");
  await newSession();
  const id = uuidToBytes(someId());
  const release = await lockRows(database, intoOutbox, [id, id, 16]);
  await sequenceEvents(database);
  expect(await logOf(database, partnerId)).toHaveLength(2);
  await release();
  await sequenceEvents(database);
  expect(await countOf(database.connection, "SELECT COUNT(*) FROM event_outbox")).toBe(0);
});

test("a session that is erased while it is announced leaves no event of its own but the erasure", async () => {
  const id = await newSession("Ada");
  const release = await lockRows(database, "SELECT * FROM event_heads FOR UPDATE");
  await storeSession(database, { partnerId });
  const { store } = newSequencer(database.address);
  const publishing = store.publish(beginning, 10, signal);
  const erasing = erase("Ada");
  await release();
  await Promise.all([publishing, erasing]);
  await sequenceEvents(database);
  const log = (await logOf(database, partnerId)).filter(({ resourceId }) => resourceId === id);
  expect(log.map(briefly)).toEqual([`session.erased ${id}`]);
});

test("webhook endpoints of the partners concerned become due, if they are enabled and not paused", async () => {
  const insert = `INSERT INTO webhook_endpoints (id, partner_id, url, types, include_external_id, revision,
    disabled_reason, created_at, sequence, failures, due_at, paused_until) VALUES (?, ?, '', 1, 0, 0, ?, NOW(3), 0, 0, ?, ?)`;
  const later = new Date(Date.now() + 3_600_000);
  const cases: { reason: string | null; dueAt: Date | null; partner: string; isDue: boolean; rest?: Date }[] = [
    { reason: null, dueAt: later, partner: partnerId, isDue: true },
    { reason: null, dueAt: later, partner: partnerId, isDue: false, rest: later },
    { reason: null, dueAt: null, partner: partnerId, isDue: true },
    { reason: "partner", dueAt: null, partner: partnerId, isDue: false },
    { reason: null, dueAt: at(0), partner: partnerId, isDue: false },
    { reason: null, dueAt: null, partner: someId(), isDue: false },
  ];
  const rows = cases.map((each) => ({ ...each, id: uuidToBytes(someId()) }));
  for (const { id, partner, reason, dueAt, rest } of rows) {
    await database.connection.query(insert, [id, uuidToBytes(partner), reason, dueAt, rest ?? null]);
  }
  await newSession();
  await sequenceEvents(database);
  for (const { id, isDue, ...about } of rows) {
    const sql =
      "SELECT COUNT(*) FROM webhook_endpoints WHERE id = ? AND due_at BETWEEN NOW(3) - INTERVAL 1 MINUTE AND NOW(3)";
    expect([about, await countOf(database.connection, sql, [id])]).toEqual([about, isDue ? 1 : 0]);
  }
});
