// Every cursor of the interface, what is promised of it, and its proof: rows that are committed late, in any order, between
// any two pages of two, while the clocks of those who write and read differ.
import { randomBytes } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import {
  ExportSessionsRequestSchema,
  ExportSubjectRequestSchema,
} from "../../../src/gen/assessment/v1/export_service_pb.ts";
import { ListGroupsRequestSchema } from "../../../src/gen/assessment/v1/group_service_pb.ts";
import { ListSessionsRequestSchema } from "../../../src/gen/assessment/v1/session_service_pb.ts";
import { ListSubjectSessionsRequestSchema } from "../../../src/gen/assessment/v1/subject_service_pb.ts";
import { toTwinId, uuidToBytes } from "../../../src/kernel/ids.ts";
import { services } from "../../../src/kernel/services.ts";
import { builtInProduct, readShippedDefinition } from "../../../src/products/values-bridge/definition/built-in.ts";
import { publishAssessment } from "../../../src/services/assessments/assessment-service.ts";
import { listAuditRecords } from "../../../src/services/audit/audit-service.ts";
import { readFeed } from "../../../src/services/events/event-service.ts";
import { exportSessions } from "../../../src/services/exports/export-sessions.ts";
import { exportSubject } from "../../../src/services/exports/export-subject.ts";
import { listGroups } from "../../../src/services/groups/groups.ts";
import { listClients, listPartners } from "../../../src/services/identity/partners.ts";
import { listSessions, listSubjectSessions } from "../../../src/services/sessions/session-lists.ts";
import { listAttempts, listParked } from "../../../src/services/webhooks/webhook-service.ts";
import { at, someEndpoint, someId, someSealedSecret } from "../../support/builders.ts";
import { LateRows } from "../../support/cursors/late-rows.ts";
import { deadline, signal } from "../../support/deadline.ts";
import { someCall, testDependencies } from "../../support/dependencies.ts";
import { howMany } from "../../support/extent.ts";
import { storesOfFile } from "../../support/of-file.ts";
import { createdColumns, sequenceEvents } from "../../support/webhooks/sequencing.ts";

const product = builtInProduct;
const pageSize = 2;
const externalId = "somebody";
/** A call has 30 seconds, and its insert waits 5 more for a lock. */
const latestMs = 35_000;

const database = await storesOfFile();
const late = await LateRows.open(database);
await publishAssessment(testDependencies(database), JSON.stringify(await readShippedDefinition()), deadline);
const assessmentId = (await database.assessments.findLatestAssessmentId(product, signal)) ?? 0;
afterAll(() => late.close());

let partnerId: string;
let endpointId: string;
/** How much time has passed that nobody waited for. */
let passed = 0;
beforeEach(async () => {
  partnerId = someId();
  await database.identities.insertPartner(
    { id: partnerId, name: "Partner", internal: false, createdAt: at(0) },
    signal,
  );
  const endpoint = someEndpoint(partnerId);
  endpointId = endpoint.id;
  await database.webhooks.insertEndpoint(endpoint, someSealedSecret(endpointId), 10, signal);
});

interface Row {
  /** As pages name it. */
  readonly key: string;
  readonly sql: string;
  readonly values: readonly unknown[];
}

interface Page {
  readonly keys: readonly string[];
  readonly next: string;
  /** Of a feed, which has a cursor at its end as well. */
  readonly isEnd?: boolean;
}

interface Cursor {
  /** A row that is to be found; by a clock that is some seconds ahead or behind. */
  readonly row: (number: number, skewMs: number) => Row;
  readonly read: (after: string, skewMs: number) => Promise<Page>;
}

const idAt = (skewMs: number) => uuidv7({ msecs: Date.now() + passed + skewMs });

function sessionRow(_number: number, skewMs: number): Row {
  const id = idAt(skewMs);
  return {
    key: id,
    sql: `INSERT INTO sessions (id, partner_id, external_id, product, assessment_id, mode, revision, created_at, answers,
        unpublished, unpublished_since)
      VALUES (?, ?, ?, 'values-bridge', ?, 'headless', 0, ?, '', ?, ?)`,
    values: [uuidToBytes(id), uuidToBytes(partnerId), externalId, assessmentId, new Date(), ...createdColumns],
  };
}

const dependencies = (skewMs = 0) => ({
  ...testDependencies(database, { clock: () => Date.now() + passed + skewMs }),
});
const readEvents = async (of: string | undefined, after: string): Promise<Page> => {
  await sequenceEvents(database);
  const query = { after, pageSize, waitSeconds: 0, types: [], includeExternalId: false };
  const call = { ...deadline, waitOutside: <T>(_reason: string, work: () => Promise<T>) => work() };
  const { events, next, atEnd } = await readFeed(dependencies(), of, query, call);
  return { keys: events.map(({ event }) => event.data?.sessionId ?? ""), next, isEnd: atEnd };
};
/** Lists: what was there at the first page comes once, and nothing comes twice. */
const lists: Readonly<Record<string, Cursor>> = {
  listSessions: {
    row: sessionRow,
    async read(after) {
      const request = create(ListSessionsRequestSchema, { product, after, pageSize });
      const { sessions, next } = await listSessions(dependencies(), request, someCall(partnerId));
      return { keys: sessions.map(({ sessionId }) => sessionId), next };
    },
  },
  listSubjectSessions: {
    row: sessionRow,
    async read(after) {
      const request = create(ListSubjectSessionsRequestSchema, { product, externalId, after, pageSize });
      const page = listSubjectSessions(dependencies(), request, someCall(partnerId));
      const { sessions, next } = await page.catch(unlessNothing);
      return { keys: sessions.map(({ sessionId }) => sessionId), next };
    },
  },
  listGroups: {
    row(_number, skewMs) {
      const id = idAt(skewMs);
      const sql = `INSERT INTO session_groups (id, partner_id, product, assessment_id, label, created_at, joined)
        VALUES (?, ?, ?, ?, 'Team', ?, 0)`;
      return { key: id, sql, values: [uuidToBytes(id), uuidToBytes(partnerId), product, assessmentId, new Date()] };
    },
    async read(after) {
      const request = create(ListGroupsRequestSchema, { product, after, pageSize });
      const { groups, next } = await listGroups(dependencies(), request, { partnerId, ...deadline });
      return { keys: groups.map(({ groupId }) => groupId), next };
    },
  },
  listPartners: {
    row(_number, skewMs) {
      const id = idAt(skewMs);
      const sql = "INSERT INTO partners (id, name, internal, created_at) VALUES (?, 'Partner', 0, ?)";
      return { key: id, sql, values: [uuidToBytes(id), new Date()] };
    },
    async read(pageToken) {
      const { partners, nextPageToken } = await listPartners(dependencies(), { pageSize, pageToken }, deadline);
      return { keys: partners.map((each) => each.partnerId), next: nextPageToken };
    },
  },
  listClients: {
    row(_number, skewMs) {
      const id = idAt(skewMs);
      const sql = "INSERT INTO clients (id, partner_id, name, scopes, created_at) VALUES (?, ?, 'Client', '', ?)";
      return { key: id, sql, values: [uuidToBytes(id), uuidToBytes(partnerId), new Date()] };
    },
    async read(pageToken) {
      const { clients, nextPageToken } = await listClients(
        dependencies(),
        { partnerId, pageSize, pageToken },
        deadline,
      );
      return { keys: clients.map(({ clientId }) => clientId), next: nextPageToken };
    },
  },
  listAuditRecords: {
    row(number, skewMs) {
      const writer = someId();
      const sql = `INSERT INTO audit_log (writer, sequence, at, partner_id, action, request_id, outcome, hash)
        VALUES (?, 1, ?, ?, 'results.read', ?, 'ok', ?)`;
      const values = [uuidToBytes(writer), at(skewMs), uuidToBytes(partnerId), `${number}`, randomBytes(32)];
      return { key: `${number}`, sql, values };
    },
    async read(after) {
      const query = { after, pageSize, from: undefined, until: undefined, sessionId: undefined };
      const { records, next } = await listAuditRecords(dependencies(), query, { partnerId, ...deadline });
      return { keys: records.map(({ requestId }) => requestId), next };
    },
  },
  listWebhookAttempts: {
    row: (number, skewMs) => ({
      key: `${number}`,
      sql: `INSERT INTO webhook_attempts (partner_id, endpoint_id, id, sequence, attempt, at, status, took_ms, expires_at)
        VALUES (?, ?, ?, ?, 1, ?, 200, 1, ?)`,
      values: [uuidToBytes(partnerId), uuidToBytes(endpointId), number, number, at(skewMs), at(1_000_000)],
    }),
    async read(after) {
      const query = { endpointId, after, pageSize, outcome: 0 as const };
      const { attempts, next } = await listAttempts(dependencies(), query, { partnerId, ...deadline });
      return { keys: attempts.map(({ sequence: key }) => `${key}`), next };
    },
  },
  listParkedEvents: {
    // An event may be parked after later ones.
    row(number, skewMs) {
      const place = (3_000 + skewMs) * 1_000 + number;
      const sql = `INSERT INTO webhook_deliveries (partner_id, endpoint_id, sequence, resource_id, type, attempts)
        VALUES (?, ?, ?, ?, 1, 1)`;
      const values = [uuidToBytes(partnerId), uuidToBytes(endpointId), place, uuidToBytes(someId())];
      return { key: `${place}`, sql, values };
    },
    async read(after) {
      const query = { endpointId, after, pageSize, state: 0 as const };
      const { events, next } = await listParked(dependencies(), query, { partnerId, ...deadline });
      return { keys: events.map(({ sequence: key }) => `${key}`), next };
    },
  },
};

/** Feeds: who follows the cursor has everything once. */
const feeds: Readonly<Record<string, Cursor>> = {
  listEvents: { row: sessionRow, read: (after) => readEvents(partnerId, after) },
  listAllEvents: { row: sessionRow, read: (after) => readEvents(undefined, after) },
};

/** Exports: who goes on later has everything, and nothing twice once it is settled. */
const exports: Readonly<Record<string, Cursor>> = {
  exportSessions: {
    row: sessionRow,
    async read(after, skewMs) {
      const request = create(ExportSessionsRequestSchema, { product, after, pageSize });
      const { sessions, nextCursor, atEnd } = await exportSessions(dependencies(skewMs), request, someCall(partnerId));
      return { keys: sessions.map(({ sessionId }) => sessionId), next: nextCursor, isEnd: atEnd };
    },
  },
  exportSubject: {
    row: sessionRow,
    async read(after, skewMs) {
      const request = create(ExportSubjectRequestSchema, { product, externalId, after, pageSize });
      const page = exportSubject(dependencies(skewMs), request, someCall(partnerId));
      const nothing = { nextCursor: after, atEnd: true };
      const { sessions, nextCursor, atEnd } = await page.catch((error) => ({ ...unlessNothing(error), ...nothing }));
      return { keys: sessions.map(({ sessionId }) => sessionId), next: nextCursor, isEnd: atEnd };
    },
  },
};

/** Nobody has a session of that person yet. */
function unlessNothing(error: unknown) {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "not_found") throw error;
  return { sessions: [], next: "" };
}

test("every call with pages states its promise and has its proof here", () => {
  const paged = services.flatMap(({ methods }) =>
    methods.filter(({ input }) => input.fields.some(({ name }) => name === "page_size")),
  );
  const names = paged.map(({ localName }) => localName).toSorted();
  expect([lists, feeds, exports].flatMap(Object.keys).toSorted()).toEqual(names);
  // Whoever has a cursor under another name has pages as well.
  const cursors = services.flatMap(({ methods }) =>
    methods.filter(({ output }) => output.fields.some(({ name }) => /^next(_cursor|_page_token)?$/.test(name))),
  );
  expect(cursors.filter((method) => !paged.includes(method))).toEqual([]);
});

type Step =
  | { readonly does: "write" | "read"; readonly skewMs: number }
  | { readonly does: "commit"; readonly which: number }
  | { readonly does: "pass"; readonly ms: number }
  | { readonly does: "cut" };
const anySkewMs = fc.integer({ min: -2_500, max: 2_500 });
const basic: fc.WeightedArbitrary<Step>[] = [
  { weight: 3, arbitrary: fc.record({ does: fc.constantFrom("write" as const), skewMs: anySkewMs }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom("commit" as const), which: fc.nat(100) }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constantFrom("read" as const), skewMs: anySkewMs }) },
];
const passing: fc.WeightedArbitrary<Step> = {
  weight: 2,
  arbitrary: fc.record({ does: fc.constantFrom("pass" as const), ms: fc.integer({ min: 1, max: 30_000 }) }),
};
/** A reader has lost the cursor of its last page, and goes on behind the last row that it has. */
const cutting: fc.WeightedArbitrary<Step> = { weight: 1, arbitrary: fc.constant({ does: "cut" }) };
const stepsOf = (...more: readonly fc.WeightedArbitrary<Step>[]) =>
  fc.array(fc.oneof(...basic, ...more), { minLength: 10, maxLength: 40, size: "max" });
const steps = stepsOf();

/** Runs the steps and tells every page that was read, and what was committed before it was. */
async function run(
  { row, read }: Cursor,
  chosen: readonly Step[],
  follow: (page: Page, committed: readonly string[]) => string,
) {
  const held: { key: string; writtenAt: number; commit: () => Promise<void> }[] = [];
  const committed: string[] = [];
  let after = "";
  let last: readonly string[] = [];
  const commit = async (which: number) => {
    const [one] = held.splice(which % Math.max(1, held.length), 1);
    if (one === undefined) return;
    await one.commit();
    committed.push(one.key);
  };
  const readOn = async (ahead = 0) => {
    const before = [...committed];
    const page = await read(after, ahead);
    last = page.keys;
    after = follow(page, before);
  };
  try {
    for (const step of chosen) {
      if (step.does === "commit") await commit(step.which);
      else if (step.does === "read") await readOn(step.skewMs);
      else if (step.does === "cut") after = last.at(-1) ?? after;
      else if (step.does === "pass") {
        passed += step.ms;
        while ((held[0]?.writtenAt ?? passed) < passed - latestMs) await commit(0);
      } else if (!late.isFull) {
        numbers += 1;
        const { key, sql, values } = row(numbers, step.skewMs);
        held.push({ key, writtenAt: passed, commit: await late.write(sql, values) });
      }
    }
  } finally {
    while (held.length > 0) await commit(0);
  }
  return { committed, readOn };
}

let numbers = 0;

test.each(Object.entries(lists))(
  "%s: whatever existed at the first page comes once, and nothing comes twice",
  async (_name, cursor) => {
    await fc.assert(
      fc.asyncProperty(steps, async (chosen) => {
        let list: { readonly there: readonly string[]; readonly seen: string[] } | undefined;
        let isOver = false;
        const { readOn } = await run(cursor, chosen, ({ keys, next }, committed) => {
          list ??= { there: committed, seen: [] };
          const { there, seen } = list;
          seen.push(...keys);
          expect(new Set(seen).size).toBe(seen.length);
          if (next !== "") return next;
          expect(there.filter((key) => !seen.includes(key))).toEqual([]);
          list = undefined;
          isOver = true;
          return next;
        });
        isOver = list === undefined;
        for (let pages = 0; !isOver; pages += 1) {
          if (pages > 1_000) throw new Error("a list that never ends");
          await readOn();
        }
      }),
      { numRuns: howMany(15, 6), endOnFailure: true },
    );
  },
);

test.each(Object.entries(feeds))("%s: a reader that follows the cursor gets everything once", async (_name, cursor) => {
  await fc.assert(
    fc.asyncProperty(steps, async (chosen) => {
      const seen: string[] = [];
      let isOver = false;
      const { committed, readOn } = await run(cursor, chosen, ({ keys, next, isEnd = false }) => {
        seen.push(...keys);
        isOver = isEnd;
        return next;
      });
      do await readOn();
      while (!isOver);
      const own = new Set(committed);
      expect(seen.filter((key) => own.has(key)).toSorted()).toEqual(committed.toSorted());
    }),
    { numRuns: howMany(8, 4), endOnFailure: true },
  );
});

// The ids of a test twin say nothing of the order once its clock was moved.
describe.each(["a partner", "a test twin whose clock is moved"])("of %s", (of) => {
  const isTwin = of !== "a partner";
  test.each(Object.entries(exports))(
    "%s: a reader that follows the cursor, and continues later, gets everything, and nothing settled twice",
    async (_name, cursor) => {
      if (isTwin) partnerId = toTwinId(partnerId) ?? "";
      const row = (number: number, ms: number) => cursor.row(number, isTwin ? ms + (number % 4) * 100_000 : ms);
      await fc.assert(
        fc.asyncProperty(stepsOf(passing, ...(isTwin ? [] : [cutting])), async (chosen) => {
          const seen = new Set<string>();
          let isOver = false;
          const read = async (after: string, ahead: number) => {
            const page = await cursor.read(after, ahead);
            const [settled = "", position] = after.split(".");
            expect(page.keys).toEqual([...new Set(page.keys)].toSorted());
            if (position !== undefined) expect(page.keys.filter((key) => key <= settled)).toEqual([]);
            return page;
          };
          const { committed, readOn } = await run({ row, read }, chosen, ({ keys, next, isEnd = false }) => {
            for (const key of keys) seen.add(key);
            isOver = isEnd;
            return next;
          });
          passed += 600_000;
          // The end of what was begun before may come without what was stored meanwhile.
          for (const _export of ["begun", "later"]) {
            do await readOn();
            while (!isOver);
          }
          expect(committed.filter((key) => !seen.has(key))).toEqual([]);
        }),
        { numRuns: howMany(60, 15), endOnFailure: true },
      );
    },
  );
});
