// Pages of exports over a real database: what is stored while they are read is not missed.
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { publishAssessment } from "../../../src/domain/assessments/catalogue.ts";
import { exportSessions } from "../../../src/domain/exports/export-sessions.ts";
import { builtInProduct, readBuiltInDefinition } from "../../../src/values-bridge/definition/built-in.ts";
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
