// Rows that an earlier release stores without their partner: until the roll-out is over they are found like all others, and at
// its end they get their partner.
import type { RowDataPacket } from "mysql2/promise";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { onConnection } from "../../../src/database/connection.ts";
import { openDatabase } from "../../../src/database/database.ts";
import {
  asSentOn,
  findingEarlierRows,
  rowsNamePartnersSince,
  tablesWithEarlierRows,
} from "../../../src/database/earlier-rows.ts";
import { migrate, schemaState } from "../../../src/database/migrate.ts";
import { migrations } from "../../../src/database/migrations/all.ts";
import { uuidToBytes } from "../../../src/database/rows.ts";
import { createStores, type Stores } from "../../../src/store/stores.ts";
import { someEndpoint, someId, someReport, someSealedSecret } from "../../support/builders.ts";
import { createEmptyDatabase } from "../../support/databases/database.ts";
import type { TestDatabase } from "../../support/databases/servers/server.ts";
import { newRows, type Rows, storeCalls, storeRows } from "../../support/databases/store-calls.ts";
import { countOf, openTestStores, type TestStores } from "../../support/databases/stores.ts";

const { signal } = new AbortController();
const columnsSince = "0031-partner-columns";

/** A database in the middle of a roll-out, or past it. */
interface Side {
  readonly stores: Stores;
  readonly connection: TestDatabase["connection"];
}

let rolledOut: TestStores;
let database: TestDatabase;
let db: ReturnType<typeof openDatabase>;
let during: Side;
beforeAll(async () => {
  rolledOut = await openTestStores();
  database = await createEmptyDatabase();
  db = openDatabase({ address: database.address, poolSize: 2, warn: () => undefined });
  const earlier = migrations.filter(({ name }) => name !== columnsSince && name !== rowsNamePartnersSince);
  await migrate(db, signal, { migrations: earlier });
  expect(await migrate(db, signal)).toEqual([columnsSince]);
  expect((await schemaState(db, signal)).isRolledOut).toBe(false);
  // Connections learn it when they are made.
  await db.destroy();
  db = openDatabase({ address: database.address, poolSize: 2, warn: () => undefined });
  during = { stores: createStores(db), connection: database.connection };
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
  await rolledOut.close();
});

/** Has every row as an earlier release stores it. */
async function forgetPartners({ connection }: Side): Promise<void> {
  for (const table of tablesWithEarlierRows) await connection.query(`UPDATE ${table} SET partner_id = NULL`);
}

async function counts({ connection }: Side): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const table of ["sessions", "erasures", "event_outbox", ...tablesWithEarlierRows]) {
    found[table] = await countOf(connection, `SELECT COUNT(*) FROM ${table}`);
  }
  return found;
}

/** How much a call gave; of a duration nothing. */
function extentOf(result: unknown): unknown {
  if (typeof result === "number" && !Number.isInteger(result)) return "a part of a second";
  if (Array.isArray(result)) return result.length;
  if (result instanceof Set || result instanceof Map) return result.size;
  return typeof result === "object" && result !== null ? Object.keys(result) : result;
}

describe("beside an earlier release", () => {
  let rows: Rows;
  const sides = (): readonly Side[] => [{ stores: rolledOut, connection: rolledOut.connection }, during];

  test("every call finds, changes and removes as much as if all rows named their partner", async () => {
    rows = newRows();
    for (const { stores } of sides()) await storeRows(stores, rows);
    const [calls = [], callsDuring = []] = sides().map(({ stores }) => storeCalls(stores, rows));
    for (const [index, { name, call }] of calls.entries()) {
      await forgetPartners(during);
      const expected = extentOf(await call(signal));
      expect([name, extentOf(await callsDuring[index]?.call(signal))]).toEqual([name, expected]);
      expect([name, await counts(during)]).toEqual([name, await counts({ stores: rolledOut, ...rolledOut })]);
    }
  });

  test("the server numbers attempts, as for that release", async () => {
    const { webhooks, deliveries } = during.stores;
    const endpoint = someEndpoint(someId());
    await webhooks.insertEndpoint(endpoint, someSealedSecret(endpoint.id), 16, signal);
    const { endpoints } = await deliveries.claimEndpoints(100, 10_000, signal);
    const { leaseId = "" } = endpoints.find(({ id }) => id === endpoint.id) ?? {};
    const attempt = { event: null, sequence: 1, attempt: 1, at: new Date(0), status: 200, error: null, tookMs: 1 };
    const report = { ...someReport(endpoint), attempts: [attempt, attempt] };
    await deliveries.saveReports([{ ...report, endpoint: { ...report.endpoint, leaseId } }], 10_000, signal);
    const found = await webhooks.listAttempts(endpoint, Number.MAX_SAFE_INTEGER, 10, signal);
    expect(found).toHaveLength(2);
    const last = "SELECT COUNT(*) FROM webhook_endpoints WHERE id = ? AND last_attempt IS NULL";
    expect(await countOf(during.connection, last, [uuidToBytes(endpoint.id)])).toBe(1);
  });
});

test("a connection looks for earlier rows while there may be some, and in an empty database never", async () => {
  const empty = await createEmptyDatabase();
  const emptyDb = openDatabase({ address: empty.address, poolSize: 1, warn: () => undefined });
  onTestFinished(async () => {
    await emptyDb.destroy();
    await empty.drop();
  });
  const sql = "SELECT hash FROM hosted_links WHERE partner_id = ?";
  const sentBy = (each: typeof db) => onConnection(each, signal, async (connection) => asSentOn(connection, sql));
  expect([await sentBy(db), await sentBy(rolledOut.db), await sentBy(emptyDb)]).toEqual([
    findingEarlierRows(sql),
    sql,
    sql,
  ]);
});

test("a contribution to norms is of whom its session is, and without one of whom its set is", async () => {
  const { connection } = during;
  const [sessionId, partnerId] = [someId(), someId()].map(uuidToBytes);
  await connection.query(
    `INSERT INTO norm_sets (id, assessment_id, language, kind, partner_id, live, fresh) VALUES (77, 1, 'und', 1, ?, 0, 0)`,
    [partnerId],
  );
  const gone =
    "INSERT INTO norm_contributions (session_id, subject_id, assessment_id, kind, set_id) VALUES (?, ?, 1, 1, 77)";
  await connection.query(gone, [sessionId, uuidToBytes(someId())]);
  const find = findingEarlierRows("SELECT partner_id FROM norm_contributions WHERE session_id = ?");
  expect((await connection.query<RowDataPacket[]>(find, [sessionId]))[0]).toEqual([{ partner_id: partnerId }]);
});

test("the end of a roll-out gives each row its partner, many at a time; again changes nothing", async () => {
  const { connection } = during;
  const [endpointId, partnerId, gone] = [someId(), someId(), someId()].map(uuidToBytes);
  await connection.query(
    `INSERT INTO webhook_endpoints (id, partner_id, url, url_hash, types, include_external_id, revision, status, created_at,
     sequence, failures) VALUES (?, ?, '', '', 1, 0, 0, 'disabled', NOW(3), 0, 0)`,
    [endpointId, partnerId],
  );
  const parked = Array.from({ length: 2_500 }, (_, index) => [
    index < 2_400 ? endpointId : gone,
    index,
    uuidToBytes(someId()),
    1,
  ]);
  await connection.query("INSERT INTO webhook_parked (endpoint_id, sequence, resource_id, attempts) VALUES ?", [
    parked,
  ]);
  const attempt = "INSERT INTO webhook_attempts (endpoint_id, sequence, attempt, at, took_ms, expires_at) VALUES ?";
  const many = parked.map(([id, sequence]) => [id, sequence, 1, new Date(0), 1, new Date(1)]);
  await connection.query(attempt, [many]);
  expect(await migrate(db, signal, { isRolledOut: true })).toEqual([rowsNamePartnersSince]);
  for (const table of ["webhook_parked", "webhook_attempts"]) {
    const [owned] = await connection.query<RowDataPacket[]>(
      `SELECT partner_id, COUNT(*) AS rows_of FROM ${table} WHERE endpoint_id IN (?) GROUP BY partner_id ORDER BY 2`,
      [[endpointId, gone]],
    );
    expect(owned).toEqual([
      { partner_id: Buffer.alloc(16), rows_of: 100 },
      { partner_id: partnerId, rows_of: 2_400 },
    ]);
  }
  const [[greatest]] = await connection.query<RowDataPacket[]>(
    `SELECT MAX(a.id) AS id, MAX(w.last_attempt) AS last_attempt FROM webhook_attempts AS a
     JOIN webhook_endpoints AS w ON w.id = a.endpoint_id WHERE w.id = ?`,
    [endpointId],
  );
  expect(greatest?.last_attempt).toBe(greatest?.id);
  expect(await migrate(db, signal, { isRolledOut: true })).toEqual([]);
  // An earlier release that still runs hears of it, instead of storing what nobody would find.
  await expect(connection.query(attempt, [many.slice(0, 1)])).rejects.toThrow("partner_id");
});

describe("a statement finds earlier rows", () => {
  const nobody = "X'00000000000000000000000000000000'";
  const ofLink = (name: string, row = name) =>
    `COALESCE(${name === "" ? "" : `${name}.`}partner_id, (SELECT o.partner_id FROM sessions AS o WHERE o.id = ${row}.session_id), ${nobody})`;

  test.each([
    [
      "DELETE FROM hosted_links WHERE partner_id = ? AND hash = ?",
      `DELETE FROM hosted_links WHERE ${ofLink("", "hosted_links")} = ? AND hash = ?`,
    ],
    [
      "SELECT hash, partner_id FROM hosted_links",
      `SELECT hash, ${ofLink("", "hosted_links")} AS partner_id FROM hosted_links`,
    ],
    [
      "SELECT s.id FROM sessions AS s STRAIGHT_JOIN report_links AS l ON l.partner_id = s.partner_id WHERE s.partner_id = ?",
      `SELECT s.id FROM sessions AS s STRAIGHT_JOIN report_links AS l ON ${ofLink("l")} = s.partner_id WHERE s.partner_id = ?`,
    ],
  ])("%s", (sql, found) => {
    expect(findingEarlierRows(sql)).toBe(found);
  });

  test.each([
    "SELECT id FROM sessions WHERE partner_id = ?",
    "INSERT INTO hosted_links (hash, partner_id) SELECT ?, partner_id FROM sessions WHERE partner_id = ? AND id = ?",
  ])("unless it can have none: %s", (sql) => {
    expect(findingEarlierRows(sql)).toBe(sql);
  });
});
