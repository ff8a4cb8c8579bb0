// Every cursor of the interface, what is promised of it, and its proof: rows that are committed late, in any order, between
// any two pages of two.

import { randomBytes } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { uuidToBytes } from "../../../src/database/rows.ts";
import { ListGroupsRequestSchema } from "../../../src/gen/assessment/v1/group_service_pb.ts";
import { ListSessionsRequestSchema } from "../../../src/gen/assessment/v1/session_service_pb.ts";
import { ListSubjectSessionsRequestSchema } from "../../../src/gen/assessment/v1/subject_service_pb.ts";
import { services } from "../../../src/process/core.ts";
import { builtInProduct, readBuiltInDefinition } from "../../../src/products/values-bridge/definition/built-in.ts";
import { publishAssessment } from "../../../src/services/assessments/catalogue.ts";
import { listAuditRecords } from "../../../src/services/audit/audit-service.ts";
import { EventWatch } from "../../../src/services/events/event-watch.ts";
import { readFeed } from "../../../src/services/events/feed.ts";
import { listGroups } from "../../../src/services/groups/groups.ts";
import { listClients, listPartners } from "../../../src/services/identity/partners.ts";
import { listSessions, listSubjectSessions } from "../../../src/services/sessions/session-lists.ts";
import { getUsage } from "../../../src/services/usage/usage.ts";
import { listAttempts, listParked } from "../../../src/services/webhooks/delivery-log.ts";
import { at, someEndpoint, someId, someSealedSecret } from "../../support/builders.ts";
import { LateRows } from "../../support/cursors/late-rows.ts";
import { openTestStores, type TestStores } from "../../support/databases/stores.ts";
import { testDomain } from "../../support/domain.ts";
import { howMany } from "../../support/extent.ts";
import { sequence } from "../../support/webhooks/sequencing.ts";

const { signal } = new AbortController();
const deadline = { signal, at: Number.POSITIVE_INFINITY };
const product = builtInProduct;
const pageSize = 2;
const externalId = "somebody";

let database: TestStores;
let late: LateRows;
let assessmentId: number;
beforeAll(async () => {
  database = await openTestStores();
  late = await LateRows.open(database);
  await publishAssessment(testDomain(database), await readBuiltInDefinition(), deadline);
  assessmentId = (await database.assessments.findLatestAssessmentId(product, signal)) ?? 0;
});
afterAll(async () => {
  await late.close();
  await database.close();
});

let partnerId: string;
let endpointId: string;
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
  readonly read: (after: string) => Promise<Page>;
}

const idAt = (skewMs: number) => uuidv7({ msecs: Date.now() + skewMs });

function sessionRow(_number: number, skewMs: number): Row {
  const id = idAt(skewMs);
  return {
    key: id,
    sql: `INSERT INTO sessions (id, partner_id, external_id, assessment_id, mode, revision, created_at, answers)
      VALUES (?, ?, ?, ?, 'headless', 0, ?, '')`,
    values: [uuidToBytes(id), uuidToBytes(partnerId), externalId, assessmentId, new Date()],
  };
}

const domain = () => ({
  ...testDomain(database),
  watch: new EventWatch(() => [{ name: "", events: database.events }]),
});
const readEvents = async (of: string | undefined, after: string): Promise<Page> => {
  await sequence(database);
  const query = { after, pageSize, waitSeconds: 0, types: [], includeExternalId: false };
  const { events, next, atEnd } = await readFeed(domain(), of, query, deadline, (wait) => wait());
  return { keys: events.map(({ event }) => event.data?.sessionId ?? ""), next, isEnd: atEnd };
};
/** Lists: what was there at the first page comes once, and nothing comes twice. */
const lists: Readonly<Record<string, Cursor>> = {
  listSessions: {
    row: sessionRow,
    async read(after) {
      const request = create(ListSessionsRequestSchema, { product, after, pageSize });
      const { sessions, next } = await listSessions(domain(), partnerId, request, deadline);
      return { keys: sessions.map(({ sessionId }) => sessionId), next };
    },
  },
  listSubjectSessions: {
    row: sessionRow,
    async read(after) {
      const request = create(ListSubjectSessionsRequestSchema, { product, externalId, after, pageSize });
      const page = listSubjectSessions(domain(), partnerId, request, deadline);
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
      const { groups, next } = await listGroups(domain(), partnerId, request, deadline);
      return { keys: groups.map(({ group }) => group.id), next };
    },
  },
  listPartners: {
    row(_number, skewMs) {
      const id = idAt(skewMs);
      const sql = "INSERT INTO partners (id, name, internal, created_at) VALUES (?, 'Partner', 0, ?)";
      return { key: id, sql, values: [uuidToBytes(id), new Date()] };
    },
    async read(pageToken) {
      const { partners, nextPageToken } = await listPartners(domain(), { pageSize, pageToken }, deadline);
      return { keys: partners.map(({ id }) => id), next: nextPageToken };
    },
  },
  listClients: {
    row(_number, skewMs) {
      const id = idAt(skewMs);
      const sql = "INSERT INTO clients (id, partner_id, name, scopes, created_at) VALUES (?, ?, 'Client', '', ?)";
      return { key: id, sql, values: [uuidToBytes(id), uuidToBytes(partnerId), new Date()] };
    },
    async read(pageToken) {
      const { clients, nextPageToken } = await listClients(domain(), { partnerId, pageSize, pageToken }, deadline);
      return { keys: clients.map(({ id }) => id), next: nextPageToken };
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
      const { records, next } = await listAuditRecords(domain(), partnerId, query, deadline);
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
      const { attempts, next } = await listAttempts(domain(), partnerId, query, deadline);
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
      const { events, next } = await listParked(domain(), partnerId, query, deadline);
      return { keys: events.map(({ sequence: key }) => `${key}`), next };
    },
  },
  getUsage: {
    row(number, skewMs) {
      const of = someId();
      const day = skewMs < 0 ? "2026-11-20" : "2026-11-21";
      const sql = `INSERT INTO usage_days (partner_id, day, mode, created, started, completed, cancelled, expired, erased)
        VALUES (?, ?, 1, ?, 0, 0, 0, 0, 0)`;
      return { key: of, sql, values: [uuidToBytes(of), day, number] };
    },
    async read(pageToken) {
      const query = { partnerId: "", from: "2026-11-20", until: "2026-11-22", pageSize, pageToken };
      const { days, nextPageToken } = await getUsage(domain(), query, deadline);
      return { keys: days.map((day) => day.partnerId), next: nextPageToken };
    },
  },
};

/** Feeds: who follows the cursor has everything once. */
const feeds: Readonly<Record<string, Cursor>> = {
  listEvents: { row: sessionRow, read: (after) => readEvents(partnerId, after) },
  listAllEvents: { row: sessionRow, read: (after) => readEvents(undefined, after) },
};

/** Who follows the cursor has everything, and once from when it is settled: test/store/cursors/exports.test.ts. */
const exports = ["exportSessions", "exportSubject"];

/** Nobody has a session of that person yet. */
function unlessNothing(error: unknown) {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "not_found") throw error;
  return { sessions: [], next: "" };
}

test("every call with pages has its promise and its proof here", () => {
  const paged = services.flatMap(({ methods }) =>
    methods.filter(({ input }) => input.fields.some(({ name }) => name === "page_size")),
  );
  const names = paged.map(({ localName }) => localName).toSorted();
  expect([...Object.keys(lists), ...Object.keys(feeds), ...exports].toSorted()).toEqual(names);
  // Whoever has a cursor under another name has pages as well.
  const cursors = services.flatMap(({ methods }) =>
    methods.filter(({ output }) => output.fields.some(({ name }) => /^next(_cursor|_page_token)?$/.test(name))),
  );
  expect(cursors.filter((method) => !paged.includes(method))).toEqual([]);
});

type Step =
  | { readonly does: "write"; readonly skewMs: number }
  | { readonly does: "commit" | "read"; readonly which: number };
const steps = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ does: fc.constant("write" as const), skewMs: fc.integer({ min: -2_500, max: 2_500 }) }),
    },
    { weight: 2, arbitrary: fc.record({ does: fc.constant("commit" as const), which: fc.nat(100) }) },
    { weight: 3, arbitrary: fc.record({ does: fc.constant("read" as const), which: fc.nat(100) }) },
  ),
  { minLength: 10, maxLength: 40, size: "max" },
);

/** Runs the steps and tells every page that was read, and what was committed before it was. */
async function run(
  { row, read }: Cursor,
  chosen: readonly Step[],
  follow: (page: Page, committed: readonly string[]) => string,
) {
  const held: { key: string; commit: () => Promise<void> }[] = [];
  const committed: string[] = [];
  let after = "";
  const commit = async (which: number) => {
    const [one] = held.splice(which % Math.max(1, held.length), 1);
    if (one === undefined) return;
    await one.commit();
    committed.push(one.key);
  };
  const readOn = async () => {
    const before = [...committed];
    after = follow(await read(after), before);
  };
  try {
    for (const step of chosen) {
      if (step.does === "commit") await commit(step.which);
      else if (step.does === "read") await readOn();
      else if (step.does === "write" && !late.isFull) {
        numbers += 1;
        const { key, sql, values } = row(numbers, step.skewMs);
        held.push({ key, commit: await late.write(sql, values) });
      }
    }
  } finally {
    while (held.length > 0) await commit(0);
  }
  return { committed, readOn };
}

let numbers = 0;

test.each(Object.entries(lists))(
  "%s: what was there at the first page comes once, and nothing twice",
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

test.each(Object.entries(feeds))("%s: who follows the cursor has everything once", async (_name, cursor) => {
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
