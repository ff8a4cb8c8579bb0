// Pages of exports over a real database: what is stored while they are read is not missed.
import { create, toBinary } from "@bufbuild/protobuf";
import { NIL, v7 as uuidv7 } from "uuid";
import { expect, test } from "vitest";
import {
  ExportedSessionSchema,
  ExportSessionsRequestSchema,
} from "../../../src/gen/assessment/v1/export_service_pb.ts";
import { builtInProduct, readShippedDefinition } from "../../../src/products/values-bridge/definition/built-in.ts";
import { publishAssessment } from "../../../src/services/assessments/assessment-service.ts";
import { exportSessions, rowsAtATime } from "../../../src/services/exports/export-sessions.ts";
import { maxAttempts } from "../../../src/store/exports/export-store.ts";
import { at, someId } from "../../support/builders.ts";
import { storeCompleted, storeSession } from "../../support/databases/stored-sessions.ts";
import { deadline } from "../../support/deadline.ts";
import { someCall, testDependencies } from "../../support/dependencies.ts";
import { storesOfFile } from "../../support/of-file.ts";

const now = Date.UTC(2026, 10, 20);

const database = await storesOfFile();
await publishAssessment(testDependencies(database), JSON.stringify(await readShippedDefinition()), deadline);

/** Reads by a clock that the test moves, and stores sessions of some age. */
function newPartner(partnerId = someId()) {
  const time = { now };
  const deps = testDependencies(database, { clock: () => time.now });
  const store = async (ageMs: number) => {
    const createdAt = new Date(time.now - ageMs);
    const id = uuidv7({ msecs: createdAt.getTime() });
    return (await storeSession(database, { partnerId, id, createdAt })).id;
  };
  /** @param most sessions that fit the page; undefined: all */
  const read = async (after: string, pageSize = 2, most?: number) => {
    const request = create(ExportSessionsRequestSchema, { product: builtInProduct, after, pageSize });
    const whole = await exportSessions(deps, request, someCall(partnerId));
    const sizes = whole.sessions.map((session) => toBinary(ExportedSessionSchema, session).length + 6);
    const maxBytes = sizes.slice(0, most).reduce((sum, size) => sum + size, 0);
    const sizesOfPage = { ...deps, batchSizes: { ...deps.batchSizes, exportBytes: maxBytes } };
    const { sessions, nextCursor, atEnd } = await exportSessions(sizesOfPage, request, someCall(partnerId));
    return { nextCursor, atEnd, ids: sessions.map(({ sessionId }) => sessionId) };
  };
  return { time, store, read };
}

test("a page that ends early continues behind the last session that it read, settled or not", async () => {
  for (const ageMs of [5_000, 300_000]) {
    const { time, store, read } = newPartner();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push(await store(ageMs - count));
    for (let kept = 1; kept < ids.length; kept += 1) {
      const { nextCursor, atEnd } = await read("", 10, kept);
      expect(atEnd).toBe(false);
      expect((await read(nextCursor, 10)).ids).toEqual(ids.slice(kept));
    }
    expect(await read("", 10, ids.length)).toEqual({ ...(await read("", 10)), atEnd: true });
    // Whoever keeps the cursor of a page of the last minute has what was stored late all the same.
    const { nextCursor } = await read("", 10, 2);
    const late = ageMs < 60_000 ? [await store(60_000)] : [];
    time.now += 600_000;
    expect((await read(nextCursor, 10)).ids).toEqual([...late, ...ids.slice(late.length === 0 ? 2 : 0)]);
  }
});

test("sessions of a person are counted up to a limit, beyond which none of them has a number", async () => {
  const [partnerId, externalId] = [someId(), "often"];
  const complete = () => storeCompleted(database, { partnerId, externalId });
  const attempts = async () => {
    const page = await database.exports.listExports(partnerId, undefined, NIL, 200, deadline.signal);
    return page.map(({ attempt }) => attempt);
  };
  for (let count = 0; count < maxAttempts; count += 1) await complete();
  expect((await attempts()).toSorted((one, other) => Number(one) - Number(other))).toEqual(
    Array.from({ length: maxAttempts }, (_, index) => index + 1),
  );
  await complete();
  expect(new Set(await attempts())).toEqual(new Set([null]));
});

test("a page is read by statements of few rows, and has every session once, in order", async () => {
  const partnerId = someId();
  const stored: string[] = [];
  for (let count = 0; count < 2 * rowsAtATime + 20; count += 1) {
    stored.push((await storeSession(database, { partnerId })).id);
  }
  const limits: number[] = [];
  const { exports } = database;
  const listExports: typeof exports.listExports = (partner, group, after, limit, ...rest) => {
    limits.push(limit);
    return exports.listExports(partner, group, after, limit, ...rest);
  };
  const deps = testDependencies({ ...database, exports: { ...exports, listExports } });
  const read = (after: string, pageSize: number) => {
    const request = create(ExportSessionsRequestSchema, { product: builtInProduct, after, pageSize });
    return exportSessions(deps, request, someCall(partnerId));
  };
  const idsOf = ({ sessions }: Awaited<ReturnType<typeof read>>) => sessions.map(({ sessionId }) => sessionId);
  const whole = await read("", 200);
  expect([idsOf(whole), whole.atEnd]).toEqual([stored.toSorted(), true]);
  expect(limits.splice(0)).toEqual([rowsAtATime, rowsAtATime, rowsAtATime]);
  const first = await read("", rowsAtATime + 10);
  expect([first.atEnd, first.nextCursor.split(".")[1]]).toEqual([false, stored.toSorted()[rowsAtATime + 9]]);
  expect(limits.splice(0)).toEqual([rowsAtATime, rowsAtATime]);
  const lastPage = await read(first.nextCursor, 200);
  expect([...idsOf(first), ...idsOf(lastPage)]).toEqual(stored.toSorted());
  expect(lastPage.atEnd).toBe(true);
});

test("the last views are returned if there are more than requested, with a mark that there are others", async () => {
  const session = await storeCompleted(database);
  const { id: sessionId, partnerId } = session;
  for (const minute of [1, 2, 3]) {
    const viewedAt = at(minute * 60_000);
    await database.reportAccess.recordView({ partnerId, sessionId, linkHash: null, viewedAt }, deadline.signal);
  }
  const viewsOf = async (views: number) => {
    const [one] = await database.subjectRecords.listSubjectRecords(session, NIL, 10, views, deadline.signal);
    return [one?.reportViews.map(({ viewedAt }) => viewedAt), one?.hasEarlierReportViews];
  };
  expect(await viewsOf(2)).toEqual([[at(120_000), at(180_000)], true]);
  expect(await viewsOf(3)).toEqual([[at(60_000), at(120_000), at(180_000)], false]);
});
