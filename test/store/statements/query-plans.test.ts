// Every statement finds its rows through an index, on tables large enough for the server to have a choice.

import createKnex from "knex";
import { afterAll, expect, test } from "vitest";
import { Database } from "../../../src/database/database.ts";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import { createStores, type Stores } from "../../../src/store/stores.ts";
import { at, someAnchor, someAssessment, someId } from "../../support/builders.ts";
import { tablesOf } from "../../support/databases/dump.ts";
import { fingerprint } from "../../support/databases/statements.ts";
import {
  methodNames,
  newRows,
  type StoreCall,
  sequencerCall,
  storeCalls,
  storeRows,
  watchCalls,
} from "../../support/databases/store-calls.ts";
import { signal } from "../../support/deadline.ts";
import { storesOfFile } from "../../support/of-file.ts";
import { sequenceEvents } from "../../support/webhooks/sequencing.ts";

/** Where a statement names no index, the one that the server takes, unless that is the primary key. */
const chosenIndexes = [
  "DELETE hosted_browser_sessions (partner_id, session_id): hosted_browser_sessions hosted_browser_sessions_session",
  "DELETE hosted_links (partner_id, session_id): hosted_links hosted_links_session",
  "DELETE report_browser_sessions (partner_id, session_id): report_browser_sessions report_browser_sessions_session",
  "DELETE report_links (card, partner_id, session_id): report_links report_links_session",
  "DELETE report_links (partner_id, session_id): report_links report_links_session",
  "DELETE webhook_attempts (partner_id, resource_id): webhook_attempts webhook_attempts_resource",
  "DELETE webhook_deliveries (partner_id, resource_id): webhook_deliveries webhook_deliveries_resource",
  "DELETE webhook_secrets (endpoint_id, expires_at, partner_id): webhook_secrets webhook_secrets_endpoint",
  "DELETE webhook_secrets (endpoint_id, partner_id): webhook_secrets webhook_secrets_endpoint",
  "SELECT assessments (product): assessments assessments_version",
  "SELECT assessments (product, version): assessments assessments_version",
  "SELECT client_secrets (client_id): client_secrets client_secrets_client",
  "SELECT clients (id, partner_id): clients clients_partner",
  "SELECT clients (partner_id): c clients_partner",
  "SELECT clients (partner_id): s client_secrets_client",
  "SELECT events (partner_id, sequence): events events_sequence",
  "SELECT hosted_browser_sessions (partner_id, session_id): hosted_browser_sessions hosted_browser_sessions_session",
  "SELECT hosted_links (partner_id, session_id): hosted_links hosted_links_session",
  "SELECT report_browser_sessions (partner_id, session_id): report_browser_sessions report_browser_sessions_session",
  "SELECT report_links (card, partner_id, session_id): report_links report_links_session",
  "SELECT webhook_endpoints (partner_id): webhook_endpoints webhook_endpoints_partner",
  "SELECT webhook_secrets (endpoint_id, expires_at, partner_id): webhook_secrets webhook_secrets_endpoint",
  "UPDATE webhook_secrets (endpoint_id, partner_id): webhook_secrets webhook_secrets_endpoint",
];

/**
 * Calls that sort what they found, a handful of rows: a person's sessions, a session's links and browser sessions, a client's
 * and an endpoint's secrets, a partner's endpoints.
 */
const sortingCalls = [
  "sessions.findLatestCompleted",
  "sessions.findCompletedBefore",
  "hosted.addLink",
  "hosted.addBrowserSession",
  "reportAccess.addLink",
  "reportAccess.addBrowserSession",
  "identities.addClientSecret",
  "identities.listClientSecrets",
  "webhooks.addSecret",
  "webhooks.listEndpoints",
  "webhooks.listSecrets",
  "deliveries.settleAndClaim",
  // Of groups that are due and not closed yet.
  "groups.findNextDuePartner",
];

/** One table of one statement, as the server explains it. */
interface Plan {
  readonly call: string;
  readonly sql: string;
  readonly table: string;
  readonly type: string;
  readonly key: string | null;
  readonly extra: string;
}

const database = await storesOfFile();
/** Inserts rows. */
const tables = createKnex({ client: "mysql2", connection: database.address.url });
afterAll(() => tables.destroy());
const stored = newRows();
const partnerIds = Array.from({ length: 100 }, () => uuidToBytes(someId()));
await storeRows(database, stored);
await storeOtherRows(database);
await storeEndpoints();
await storeGroupsAndNorms();
await sequenceEvents(database);
await storeOtherRows(database, 200);
await database.connection.query(`ANALYZE TABLE ${(await tablesOf(database.connection)).join(", ")}`);
const watchedDb = new Database({ address: database.address, poolSize: 2, warn: () => undefined });
afterAll(() => watchedDb.destroy());
const plans = await explainCalls(watchedDb, [...storeCalls(createStores(watchedDb), stored), sequencerCall(watchedDb)]);

/** 200 more of everything, of partners of their own, and versions of 3 products. */
async function storeOtherRows(stores: Stores, first = 0): Promise<void> {
  const { jobLeases, audit, testClocks } = stores;
  const store = async (index: number) => {
    const rows = newRows();
    const product = index % 3 === 0 ? rows.assessment.product : `product-${index % 3}`;
    rows.assessment = someAssessment({ id: index + 2, product, version: index + 2 });
    await storeRows(stores, rows);
    await jobLeases.takeLease(`job-${index}`, Buffer.alloc(16, index), 10 * index, signal);
    await testClocks.saveTestClock({ partnerId: rows.partner.id, aheadMs: 1_000 }, signal);
    await audit.insertAnchor(someAnchor(10 + index), signal);
  };
  // Fewer at a time than would wait too long for a connection on a busy machine.
  for (let from = first; from < first + 200; from += 20) {
    await Promise.all(Array.from({ length: 20 }, (_, index) => store(from + index)));
  }
}

/** 300 webhook endpoints of 100 partners, with an attempt and two deliveries each. */
async function storeEndpoints(): Promise<void> {
  const names = Array.from({ length: 300 }, (_, index) => {
    return { partner_id: partnerIds[index % 100], endpoint_id: uuidToBytes(someId()) };
  });
  const endpoint = { url: "", types: 1, include_external_id: false, revision: 0, created_at: at(0), failures: 0 };
  await tables("webhook_endpoints").insert(
    names.map(({ partner_id, endpoint_id: id }) => ({ ...endpoint, id, partner_id, sequence: 0 })),
  );
  const event = () => ({ sequence: 1, resource_id: uuidToBytes(someId()) });
  const attempt = { id: 1, attempt: 1, at: at(0), status: 200, took_ms: 12 };
  await tables("webhook_attempts").insert(
    names.map((name, index) => ({ ...name, ...event(), ...attempt, expires_at: at(index * 86_400_000) })),
  );
  const delivery = { type: 1, attempts: 1 };
  const deliveries = names.flatMap((name, index) =>
    [1, 2].map((sequence) => {
      return { ...name, ...event(), ...delivery, sequence, next_at: at(index), dead_at: at(index + 1) };
    }),
  );
  await tables("webhook_deliveries").insert(deliveries);
}

/** 300 groups with two members each, and as many sets of norms and quarters, of 100 partners. */
async function storeGroupsAndNorms(): Promise<void> {
  const indices = Array.from({ length: 300 }, (_, index) => index);
  const names = indices.map((index) => ({ id: uuidToBytes(someId()), partner_id: partnerIds[index % 100] }));
  const group = { product: "", assessment_id: 1, label: "Team", joined: 2 };
  await tables("session_groups").insert(names.map((name, index) => ({ ...name, ...group, created_at: at(index) })));
  const members = names.flatMap(({ id: group_id, partner_id }) =>
    [0, 1].map((place) => {
      const [sheet_id, session_id, person_id] = [someId(), someId(), someId()].map(uuidToBytes);
      const answers_hash = Buffer.alloc(16, someId());
      return { group_id, place, partner_id, sheet_id, session_id, person_id, answers_hash };
    }),
  );
  await tables("group_members").insert(members);
  const norms = indices.map((index) => {
    return { partner_id: partnerIds[index % 100], assessment_id: 1_000 + Math.floor(index / 100), language: "en" };
  });
  const numbers = { kind: 1, computed_at: at(0), people: 30, numbers: "{}" };
  await tables("norm_numbers").insert(norms.map((each) => ({ ...each, ...numbers })));
  await tables("norm_pool_counts").insert(norms.map((each) => ({ ...each, since: at(0), counts: "{}" })));
  await tables("norm_runs").insert(partnerIds.map((partner_id) => ({ partner_id, counted_until: at(0), sessions: 1 })));
  await tables("norm_pool_partners").insert(partnerIds.map((partner_id) => ({ partner_id, takes_part_since: at(0) })));
  await tables("norm_pool_quarters").insert(indices.map((index) => ({ quarter: index, decided_at: at(index) })));
}

/** Makes the calls on a pool that was not used yet, and lets the server explain every statement before it runs. */
async function explainCalls(db: Database, calls: readonly StoreCall[]): Promise<Plan[]> {
  const found: Plan[] = [];
  await watchCalls(db, calls, ({ call, sql, send, sendAlike }) => {
    if (!/^\(?(select|update|delete) /i.test(sql)) return send();
    sendAlike(`EXPLAIN FORMAT=TRADITIONAL ${sql}`, (error, rows) => {
      if (error !== null) throw error;
      // What a derived table is made of is in rows of its own.
      for (const { table, type, key, Extra: extra } of rows.filter(
        ({ table: name }) => !/^$|^<(derived|union)/.test(name ?? ""),
      )) {
        found.push({ call, sql, table, type, key, extra: extra ?? "" });
      }
      send();
    });
  });
  return found;
}

/** The indexes that a statement names for a table or its alias. */
function namedIndexes(sql: string, table: string): string[] {
  return [...sql.matchAll(/(\w+)\s+FORCE INDEX \((\w+)\)/g)].flatMap(([, alias, index = ""]) =>
    alias === table ? [index] : [],
  );
}

test("every method of the stores is called", () => {
  const called = new Set(storeCalls(database, newRows()).map(({ name }) => name));
  expect(methodNames(createStores(database.db)).filter((name) => !called.has(name))).toEqual([]);
});

test("every statement finds its rows by an index that it names, or by the primary key or a listed one", () => {
  const chosen = plans.filter(({ sql, table, key }) => {
    const named = namedIndexes(sql, table);
    return named.length > 0 ? !named.includes(key ?? "") : key !== "PRIMARY";
  });
  expect([...new Set(chosen.map(({ sql, table, key }) => `${fingerprint(sql)}: ${table} ${key}`))].toSorted()).toEqual(
    chosenIndexes,
  );
});

test("no statement reads a whole table or a whole index", () => {
  // Read in the order of the index, the first row is the last.
  const endsAtOnce = (sql: string) =>
    /FORCE INDEX \(PRIMARY\)\s+WHERE endpoint_id > \? ORDER BY endpoint_id, sequence LIMIT 1$/.test(sql);
  const scans = plans.filter(({ type, sql }) => type === "ALL" || (type === "index" && !endsAtOnce(sql)));
  expect(scans).toEqual([]);
});

test("by a twin's clock, however far ahead, only its own sessions and groups are read", () => {
  const keys = (name: string) => plans.filter(({ call }) => call === name).map(({ key }) => key);
  expect(keys("testClocks.listDue")).toEqual(["sessions_partner"]);
  expect(keys("groups.listDue")).toEqual(["session_groups_partner_due"]);
});

test("no statement needs a temporary table, and only the named ones sort", () => {
  // MySQL keeps the ids of rows that it moves within the index it finds them by: of a clock that stepped, and of sheets.
  const moves = ({ sql }: { readonly sql: string }) =>
    /\(webhook_deliveries_next\) SET next_at|SET session_id = NULL/.test(sql);
  expect(plans.filter((plan) => plan.extra.includes("temporary") && !moves(plan))).toEqual([]);
  const sorting = plans.filter(({ extra }) => extra.includes("filesort")).map(({ call }) => call);
  expect(sorting.filter((call) => !sortingCalls.includes(call))).toEqual([]);
});
