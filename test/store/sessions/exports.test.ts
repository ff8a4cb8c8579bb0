// Pages of exports over a real database: what is stored while they are read is not missed.
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { publishAssessment } from "../../../src/domain/assessments/catalogue.ts";
import { exportSessions, rowsAtATime } from "../../../src/domain/exports/export-sessions.ts";
import { builtInProduct, readBuiltInDefinition } from "../../../src/products/values-bridge/definition/built-in.ts";
import { someId, someSession } from "../../support/builders.ts";
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

test("a session that is stored behind a full page comes with what the end is gone on from", async () => {
  const partnerId = someId();
  const store = async (ageMs: number) => {
    const createdAt = new Date(now - ageMs);
    const { id } = someSession({ partnerId, id: uuidv7({ msecs: createdAt.getTime() }), createdAt });
    await database.sessions.insertSession(someSession({ partnerId, id, createdAt }), deadline.signal);
    return id;
  };
  const nextTurn = async () => undefined;
  const deps = { ...testDomain(database, { clock: () => now }), nextTurn };
  const read = (after: string) =>
    exportSessions(deps, { partnerId, product: builtInProduct }, { after, pageSize: 2 }, deadline);
  const [old, first, second] = [await store(70_000), await store(3_000), await store(1_000)];
  const page = await read(old);
  expect(page.sessions.map(({ session }) => session.id)).toEqual([first, second]);
  // Its call began before that of the last one, and took longer.
  const late = await store(2_000);
  const end = await read(page.nextCursor);
  expect(end).toMatchObject({ sessions: [], isEnd: true });
  const again = await read(end.nextCursor);
  expect(again.sessions.map(({ session }) => session.id)).toEqual([first, late]);
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
  const listExports: typeof exports.listExports = (partner, after, limit, ...rest) => {
    limits.push(limit);
    return exports.listExports(partner, after, limit, ...rest);
  };
  const deps = testDomain({ ...database, exports: { ...exports, listExports } });
  const read = (after: string, pageSize: number) =>
    exportSessions(deps, { partnerId, product: builtInProduct }, { after, pageSize }, deadline);
  const idsOf = ({ sessions }: Awaited<ReturnType<typeof read>>) => sessions.map(({ session }) => session.id);
  const whole = await read("", 200);
  expect([idsOf(whole), whole.isEnd]).toEqual([stored.toSorted(), true]);
  expect(limits.splice(0)).toEqual([rowsAtATime, rowsAtATime, rowsAtATime]);
  const first = await read("", rowsAtATime + 10);
  expect([first.isEnd, first.nextCursor]).toEqual([false, stored.toSorted()[rowsAtATime + 9]]);
  expect(limits.splice(0)).toEqual([rowsAtATime, 10]);
  const rest = await read(first.nextCursor, 200);
  expect([...idsOf(first), ...idsOf(rest)]).toEqual(stored.toSorted());
  expect(rest.isEnd).toBe(true);
});
