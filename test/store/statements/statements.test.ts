// What the store sends stays fit for a database that is split by partner: every statement names the partner whose data it
// reaches, or is one of those that docs/scale.md lists with their reason.

import { readFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { knownStatements } from "../../support/databases/sent-statements.ts";
import { fingerprint, refusals, unnamed } from "../../support/databases/statements.ts";
import { storesOfFile } from "../../support/of-file.ts";

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
  ],
  ...["norm_pool_partners", "norm_pool_releases", "norm_pool_quarters"],
  ...["audit_anchors", "event_position"],
];
/** Chains of the audit log are read and shortened as a whole, and are not divided. */
const ofChains = [
  "SELECT audit_log (sequence, writer)",
  "SELECT audit_log (writer)",
  "SELECT audit_log (writer)",
  "DELETE audit_log (sequence, writer)",
];

const database = await storesOfFile();
let byPartner: ReadonlySet<string>;
let statements: ReadonlySet<string>;
beforeAll(async () => {
  const query = `SELECT table_name AS name, MAX(column_name = 'partner_id') AS has_partner FROM information_schema.columns
    WHERE table_schema = DATABASE() AND table_name <> 'migrations' GROUP BY table_name`;
  const tables = (await database.connection.query(query))[0] as {
    name: string;
    has_partner: number;
  }[];
  byPartner = new Set(
    tables.filter(({ name, has_partner }) => has_partner === 1 && !together.includes(name)).map(({ name }) => name),
  );
  const unknown = tables.filter(({ name }) => !byPartner.has(name) && !together.includes(name));
  expect(unknown).toEqual([]);
  statements = new Set((await knownStatements(database.address)).all.keys());
});

/** The statements that docs/scale.md lists as such, which vtgate's own plans hold as well (test/vitess). */
async function listed(): Promise<string[]> {
  const page = await readFile(new URL("../../../docs/scale.md", import.meta.url), "utf8");
  return [...page.matchAll(/^\| `([^`]+)` \|.*\bnames no partner\b/gm)].map(([, statement = ""]) => statement);
}

test("every statement on partners' data names the partner, unless it is listed", async () => {
  const without = [...statements].filter((sql) => unnamed(sql, byPartner).length > 0).map(fingerprint);
  // As often as they are listed: a statement that forgets its partner must not hide behind one that may.
  expect(without.toSorted()).toEqual([...(await listed()), ...ofChains].toSorted());
});

test("every statement locks, removes and replaces in a way that TiDB and Vitess support", () => {
  expect([...statements].flatMap((sql) => refusals(sql).map((fault) => `${fault}: ${fingerprint(sql)}`))).toEqual([]);
});

const tables = new Set(["sessions", "events"]);

test.each([
  "SELECT a FROM sessions WHERE id = ?",
  "select `a` from `sessions` where `id` = ?",
  "SELECT partner_id FROM sessions WHERE id = ? ORDER BY partner_id",
  "UPDATE sessions SET partner_id = ? WHERE id = ?",
  "DELETE sessions FROM sessions FORCE INDEX (PRIMARY) WHERE id = ?",
  "INSERT INTO sessions (id) VALUES (?)",
  "INSERT INTO hosted_links (hash, session_id, partner_id) SELECT ?, id, partner_id FROM sessions WHERE id = ?",
  "SELECT a FROM sessions AS s JOIN events AS e ON e.resource_id = s.id WHERE s.partner_id = ?",
  "SELECT a FROM sessions WHERE partner_id > ?",
])("a statement that names no partner is recognised: %s", (sql) => {
  expect(unnamed(sql, tables)).not.toEqual([]);
});

test.each([
  ["a shared lock", "SELECT a FROM t WHERE id = ? LOCK IN SHARE MODE"],
  ["a shared lock", "SELECT a FROM t WHERE id = ? FOR SHARE"],
  ["replaces rows", "REPLACE INTO t (id) VALUES (?)"],
  ["limits a write", "DELETE FROM t WHERE expires_at < ? ORDER BY expires_at LIMIT ?"],
  ["limits a write", "UPDATE t SET a = 1 LIMIT 1"],
])("a statement that %s is refused: %s", (fault, sql) => {
  expect(refusals(sql)).toEqual([fault]);
});
