// What the store sends stays fit for a database that is split by partner: every statement names the partner whose data it
// reaches, or is one of those that docs/scale.md lists with their reason.
import { readdir, readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../../src/database/database.ts";
import { createSequencerStore } from "../../../src/store/events/sequencer-store.ts";
import { createStores } from "../../../src/store/stores.ts";
import {
  fingerprint,
  isMadeOf,
  isStatement,
  reachesByKey,
  refusals,
  tablesOf,
  unnamed,
} from "../../support/databases/statements.ts";
import { newRows, storeCalls, storeRows } from "../../support/databases/store-calls.ts";
import { openTestStores, type TestStores } from "../../support/databases/stores.ts";

const { signal } = new AbortController();
const beginning = { since: new Date(0), id: "00000000-0000-0000-0000-000000000000" };
const storeFolder = new URL("../../../src/store/", import.meta.url);

/** Tables that lie with a row of another one, and the columns that they are reached by. */
const belonging: Readonly<Record<string, readonly string[]>> = {
  hosted_links: ["session_id", "hash"],
  hosted_visits: ["session_id", "hash"],
  report_links: ["session_id", "hash"],
  report_visits: ["session_id", "hash"],
  report_views: ["session_id"],
  webhook_secrets: ["endpoint_id", "id"],
  webhook_parked: ["endpoint_id", "resource_id"],
  webhook_attempts: ["endpoint_id", "resource_id", "id"],
};
/** Tables that stay in one place, whatever is split. */
const together = [
  ...[
    "partners",
    "clients",
    "client_secrets",
    "access_tokens",
    "signing_keys",
    "job_leases",
    "assessments",
    "test_clocks",
    "database_clock",
  ],
  ...["norm_sets", "norm_sums", "norm_numbers", "norm_contributions"],
  ...["norm_pool_partners", "norm_pool_releases", "norm_pool_quarters"],
  ...["audit_anchors", "event_position", "usage_position"],
];

let database: TestStores;
let byPartner: ReadonlySet<string>;
let statements: ReadonlySet<string>;
beforeAll(async () => {
  database = await openTestStores();
  const sql = `SELECT table_name AS name, MAX(column_name = 'partner_id') AS has_partner FROM information_schema.columns
    WHERE table_schema = DATABASE() AND table_name NOT LIKE 'knex%' GROUP BY table_name`;
  const tables = (await database.db.raw(sql))[0] as { name: string; has_partner: number }[];
  byPartner = new Set(
    tables.filter(({ name, has_partner }) => has_partner === 1 && !together.includes(name)).map(({ name }) => name),
  );
  const unknown = tables.filter(({ name }) => !byPartner.has(name) && !together.includes(name) && !(name in belonging));
  expect(unknown).toEqual([]);
  const seen = new Set([...(await builtStatements()), ...(await sentStatements())]);
  statements = new Set([...seen, ...(await writtenStatements([...seen]))]);
});
afterAll(() => database.close());

/** What the stores have, whether a test runs it or not. */
async function builtStatements(): Promise<string[]> {
  const modules = await Promise.all((await storeFiles()).map((file) => import(file.href) as Promise<object>));
  return modules.flatMap(statementsIn);
}

/** The statements among the members of a value. */
function statementsIn(value: object): string[] {
  if ("sql" in value && typeof value.sql === "string") return [value.sql];
  const members: unknown[] = Object.values(value);
  return members.filter((member) => typeof member === "object" && member !== null).flatMap(statementsIn);
}

async function storeFiles(): Promise<URL[]> {
  const names = await readdir(storeFolder, { recursive: true });
  return names.filter((name) => name.endsWith(".ts")).map((name) => new URL(name, storeFolder));
}

/** What is sent when every method of every store is called. */
async function sentStatements(): Promise<Set<string>> {
  const found = new Set<string>();
  const observer = {
    beginWait: () => () => undefined,
    beginStatement(_summary: string, sql: string) {
      found.add(sql);
      return () => undefined;
    },
  };
  const db = openDatabase({ address: database.address, poolSize: 2, warn: () => undefined, observer });
  const stores = createStores(db);
  const rows = newRows();
  await storeRows(stores, rows);
  for (const { call } of storeCalls(stores, rows)) await call(signal);
  await createSequencerStore(db, () => true).publish(beginning, 100, signal);
  await db.destroy();
  return new Set([...found].filter(isStatement));
}

/** The statements in the texts of the store's files, such as those with lists; those with places only if none was seen. */
async function writtenStatements(seen: readonly string[]): Promise<string[]> {
  const texts = await Promise.all((await storeFiles()).map((file) => readFile(file, "utf8")));
  const quoted = texts.flatMap((text) => [...text.matchAll(/"([^"\n]*)"|`((?:[^`\\]|\\.)*)`/gs)]);
  const written = quoted.map(([, one, other]) => asSent(one ?? other ?? "")).filter(isStatement);
  return written.filter((text) => !seen.some((sql) => isMadeOf(sql, text)));
}

/** The text with markers in the places of names, as `sql` makes it. */
function asSent(text: string): string {
  return text.replaceAll("\\`", "`").replaceAll(/:[a-z]\w*/gi, "?");
}

/** The rows of the list in the plan: what it looks like, and its statement. */
async function listed(): Promise<string[]> {
  const plan = await readFile(new URL("../../../docs/scale.md", import.meta.url), "utf8");
  const [, section = ""] = plan.split("## Statements without a partner");
  return [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, statement = ""]) => statement);
}

test("statements are seen: those that are compiled, those with lists, and those that only a rare case sends", () => {
  const all = [...statements].join("\n");
  expect(statements.size).toBeGreaterThan(150);
  for (const part of ["INSERT INTO sessions", "SET ${assignments", "WHERE endpoint_id = ? AND sequence IN (?)"]) {
    expect(all).toContain(part);
  }
});

describe("every statement", () => {
  test("that reaches partners' data names the partner, but for those in the plan, each with its reason", async () => {
    const without = [...statements].filter((sql) => unnamed(sql, byPartner).length > 0).map(fingerprint);
    // As often as they are listed: a statement that forgets its partner must not hide behind one that may.
    expect(without.toSorted()).toEqual((await listed()).toSorted());
  });

  test("on a table that lies with another's rows goes by their key, or is of a job that removes what has expired", () => {
    const others = [...statements].filter((sql) =>
      tablesOf(sql).some(({ table }) => belonging[table] !== undefined && !reachesByKey(sql, belonging[table])),
    );
    expect(others.map(fingerprint).filter((name) => !/\((endpoint_id, )?expires_at\)$/.test(name))).toEqual([]);
  });

  test("locks, removes and replaces in a way that TiDB and Vitess take", () => {
    expect([...statements].flatMap((sql) => refusals(sql).map((fault) => `${fault}: ${fingerprint(sql)}`))).toEqual([]);
  });
});

describe("the rule", () => {
  const tables = new Set(["sessions", "events"]);

  test.each([
    "SELECT a FROM sessions WHERE id = ?",
    "select `a` from `sessions` where `id` = ?",
    "SELECT partner_id FROM sessions WHERE id = ? ORDER BY partner_id",
    "UPDATE sessions SET partner_id = ? WHERE id = ?",
    "DELETE sessions FROM sessions FORCE INDEX (PRIMARY) WHERE id = ?",
    "INSERT INTO sessions (id) VALUES (?)",
    "INSERT INTO hosted_links (hash, session_id) SELECT ?, id FROM sessions WHERE id = ?",
    "SELECT a FROM sessions AS s JOIN events AS e ON e.resource_id = s.id WHERE s.partner_id = ?",
    "SELECT a FROM sessions WHERE partner_id > ?",
  ])("sees that no partner is named in %s", (sql) => {
    expect(unnamed(sql, tables)).not.toEqual([]);
  });

  test.each([
    "SELECT a FROM sessions WHERE partner_id = ? AND id = ?",
    "select `a` from `sessions` where `partner_id` = ? and `id` = ?",
    "UPDATE sessions SET a = ? WHERE id IN (?) AND partner_id IN (?)",
    "INSERT INTO sessions (id, partner_id) VALUES (?, ?)",
    "SELECT a FROM sessions AS s JOIN events AS e ON e.partner_id = s.partner_id WHERE s.partner_id = ?",
    "SELECT a FROM partners WHERE id = ?",
  ])("takes %s", (sql) => {
    expect(unnamed(sql, tables)).toEqual([]);
  });

  test.each([
    ["a shared lock", "SELECT a FROM t WHERE id = ? LOCK IN SHARE MODE"],
    ["a shared lock", "SELECT a FROM t WHERE id = ? FOR SHARE"],
    ["replaces rows", "REPLACE INTO t (id) VALUES (?)"],
    ["limits a write", "DELETE FROM t WHERE expires_at < ? ORDER BY expires_at LIMIT ?"],
    ["limits a write", "UPDATE t SET a = 1 LIMIT 1"],
  ])("refuses what %s: %s", (fault, sql) => {
    expect(refusals(sql)).toEqual([fault]);
  });
});
