// Pages of exports over a real database: what is stored while they are read is not missed.
import { NIL, v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { builtInProduct, readBuiltInDefinition } from "../../../src/products/values-bridge/definition/built-in.ts";
import { publishAssessment } from "../../../src/services/assessments/catalogue.ts";
import { exportSessions, rowsAtATime } from "../../../src/services/exports/export-sessions.ts";
import { maxAttempts } from "../../../src/store/exports/export-store.ts";
import { someId, someRecording, someSession } from "../../support/builders.ts";
import { openTestStores, type TestStores } from "../../support/databases/stores.ts";
import { testDomain } from "../../support/domain.ts";

const now = Date.UTC(2026, 10, 20);
const deadline = { signal: new AbortController().signal, at: Number.POSITIVE_INFINITY };

let database: TestStores;
beforeAll(async () => {
  database = await openTestStores();
  await publishAssessment(testDomain(database), await readBuiltInDefinition(), deadline);
});
afterAll(() => database.close());

/** Reads by a clock that the test moves, and stores sessions of some age. */
function newPartner(partnerId = someId()) {
  const time = { now };
  const yieldToCalls = async () => undefined;
  const deps = { ...testDomain(database, { clock: () => time.now }), yieldToCalls };
  const store = async (ageMs: number) => {
    const createdAt = new Date(time.now - ageMs);
    const { id } = someSession({ partnerId, id: uuidv7({ msecs: createdAt.getTime() }), createdAt });
    await database.sessions.insertSession(someSession({ partnerId, id, createdAt }), deadline.signal);
    return id;
  };
  const read = async (after: string, pageSize = 2) => {
    const query = { after, pageSize };
    const { sessions, ...page } = await exportSessions(deps, { partnerId, product: builtInProduct }, query, deadline);
    return { ...page, ids: sessions.map(({ session }) => session.id) };
  };
  return { time, store, read };
}

test("a session that is stored late comes to who goes on from a full page, whenever that is", async () => {
  for (const laterMs of [0, 70_000, 24 * 3_600_000]) {
    const { time, store, read } = newPartner();
    const [old, first, second] = [await store(70_000), await store(3_000), await store(1_000)];
    const page = await read((await read("", 1)).nextCursor);
    expect(page.ids).toEqual([first, second]);
    // Its call began before that of the last one, and took longer.
    const late = await store(2_000);
    time.now += laterMs;
    const told: string[] = [];
    for (let { nextCursor: after, isEnd } = page; !isEnd; ) {
      const next = await read(after);
      told.push(...next.ids);
      [after, isEnd] = [next.nextCursor, next.isEnd];
      if (isEnd) told.push(...(await read(after, 10)).ids);
    }
    expect([...new Set(told)]).toEqual([first, late, second]);
    expect(told).not.toContain(old);
  }
});

test("pages of the last minute go on one after the other, and each session comes once in an export of them", async () => {
  const { store, read } = newPartner();
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1) ids.push(await store(5_000 - count));
  const told: string[] = [];
  let page = await read("");
  for (told.push(...page.ids); !page.isEnd; told.push(...page.ids)) page = await read(page.nextCursor);
  expect(told).toEqual(ids);
});

test("a page that is ended sooner goes on behind the last session it kept, settled or not", async () => {
  for (const ageMs of [5_000, 300_000]) {
    const { time, store, read } = newPartner();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push(await store(ageMs - count));
    for (let kept = 1; kept < ids.length; kept += 1) {
      const { nextCursor, isEnd } = (await read("", 10)).endAfter(kept);
      expect(isEnd).toBe(false);
      expect((await read(nextCursor, 10)).ids).toEqual(ids.slice(kept));
    }
    const whole = await read("", 10);
    expect(whole.endAfter(ids.length)).toEqual({ nextCursor: whole.nextCursor, isEnd: true });
    // Whoever keeps the cursor of a page of the last minute has what was stored late all the same.
    const { nextCursor } = (await read("", 10)).endAfter(2);
    const late = ageMs < 60_000 ? [await store(60_000)] : [];
    time.now += 600_000;
    expect((await read(nextCursor, 10)).ids).toEqual([...late, ...ids.slice(late.length === 0 ? 2 : 0)]);
  }
});

test("the id of a session goes on some minutes before it: what was stored late is not passed over", async () => {
  const { time, store, read } = newPartner();
  const [old, seen] = [await store(200_000), await store(0)];
  await read("");
  const late = await store(40_000);
  time.now += 3_600_000;
  expect((await read(seen, 10)).ids).toEqual([late, seen]);
  expect((await read(seen.toUpperCase(), 10)).ids).toEqual([late, seen]);
  // The id of a time to come tells nothing.
  const ahead = await store(-10_000);
  expect((await read(ahead, 10)).ids).toEqual([old, late, seen, ahead]);
});

test("a cursor that is ahead of the time is refused: what it passed over would be missed", async () => {
  const { time, store, read } = newPartner();
  await store(0);
  time.now += 400 * 24 * 3_600_000;
  await store(0);
  const { nextCursor } = await read("", 10);
  time.now = now;
  const violations = [expect.objectContaining({ path: ["after"], code: "cursor_ahead" })];
  await expect(read(nextCursor)).rejects.toMatchObject({ code: "invalid_request", violations });
});

test("a test twin whose clock went back misses nothing: its cursors go by the time of everybody", async () => {
  const id = someId();
  const { store, read } = newPartner(`${id.slice(0, 14)}8${id.slice(15)}`);
  const ahead = [await store(-3_599_000), await store(-3_600_000)];
  const { nextCursor } = await read("", 10);
  const back = await store(0);
  expect((await read(nextCursor, 10)).ids).toEqual([back, ...ahead]);
});

test("sessions of a person are counted while they are few; beyond that none of them has a number", async () => {
  const [partnerId, externalId] = [someId(), "often"];
  const complete = async () => {
    const session = someSession({ partnerId, externalId });
    await database.sessions.insertSession(session, deadline.signal);
    const completion = { ...someRecording([]), completedAt: session.createdAt, results: null };
    await database.sessions.saveCompletion(session, 0, completion, deadline.signal);
  };
  const attempts = async () => {
    const found = await database.exports.listExports(partnerId, undefined, NIL, 200, deadline.signal);
    return found.map(({ attempt }) => attempt);
  };
  for (let count = 0; count < maxAttempts; count += 1) await complete();
  expect((await attempts()).toSorted((one, other) => Number(one) - Number(other))).toEqual(
    Array.from({ length: maxAttempts }, (_, index) => index + 1),
  );
  await complete();
  expect(new Set(await attempts())).toEqual(new Set([null]));
});

test("a page is read in statements of few rows, and has every session once, in order", async () => {
  const partnerId = someId();
  const stored: string[] = [];
  for (let count = 0; count < 2 * rowsAtATime + 20; count += 1) {
    const session = someSession({ partnerId });
    await database.sessions.insertSession(session, deadline.signal);
    stored.push(session.id);
  }
  const limits: number[] = [];
  const { exports } = database;
  const listExports: typeof exports.listExports = (partner, group, after, limit, ...rest) => {
    limits.push(limit);
    return exports.listExports(partner, group, after, limit, ...rest);
  };
  const deps = testDomain({ ...database, exports: { ...exports, listExports } });
  const read = (after: string, pageSize: number) =>
    exportSessions(deps, { partnerId, product: builtInProduct }, { after, pageSize }, deadline);
  const idsOf = ({ sessions }: Awaited<ReturnType<typeof read>>) => sessions.map(({ session }) => session.id);
  const whole = await read("", 200);
  expect([idsOf(whole), whole.isEnd]).toEqual([stored.toSorted(), true]);
  expect(limits.splice(0)).toEqual([rowsAtATime, rowsAtATime, rowsAtATime]);
  const first = await read("", rowsAtATime + 10);
  expect([first.isEnd, first.nextCursor.split(".")[1]]).toEqual([false, stored.toSorted()[rowsAtATime + 9]]);
  expect(limits.splice(0)).toEqual([rowsAtATime, 10]);
  const rest = await read(first.nextCursor, 200);
  expect([...idsOf(first), ...idsOf(rest)]).toEqual(stored.toSorted());
  expect(rest.isEnd).toBe(true);
});
