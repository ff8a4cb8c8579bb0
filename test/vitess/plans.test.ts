// Every statement of the store on two keyspaces and four shards, as a vtgate would do it: what does not go to one shard is
// listed in docs/scale.md, so that nothing is added to it unseen.
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { fingerprint, tablesOf, unnamed } from "../support/databases/statements.ts";
import { fileOf, isOfJobs, jobSenders } from "./callers.ts";
import { type Plan, planOf } from "./plans.ts";
import { onEachShard, type Shards, startShards, tablesOfKeyspace } from "./shards.ts";

/** Of tables that have a row of their own on each shard: vtgate cannot know which one is meant. */
const notAsked: Plan = { text: "not asked", keyspaces: [], isOfOneShard: false };

let shards: Shards;
let divided: ReadonlySet<string>;
beforeAll(async () => {
  shards = await startShards();
  divided = new Set((await tablesOfKeyspace("assess")).filter((table) => !onEachShard.includes(table)));
});
afterAll(() => shards.stop());

test("every table is in one keyspace, or on each shard as a whole", async () => {
  const namedTables = [...(await tablesOfKeyspace("global")), ...divided, ...onEachShard];
  expect(namedTables.toSorted()).toEqual([...shards.tables.keys()].toSorted());
});

test("migrations through Vitess make the same schema as on MySQL", () => {
  const schemaOf = (statements: readonly string[]) => statements.filter((sql) => sql.startsWith("CREATE TABLE"));
  const here = schemaOf(inject("databaseTemplates").migrated);
  expect(here.length).toBeGreaterThan(0);
  expect(here).toEqual(schemaOf(shards.migrated));
});

test("every call that is said to be of jobs sends a statement", () => {
  const senders = new Set([...shards.known.all.values()].flat().flatMap((sender) => [sender, fileOf(sender)]));
  expect([...jobSenders].filter((name) => !senders.has(name))).toEqual([]);
});

describe("statements on several shards", () => {
  const plans = new Map<string, Plan>();
  beforeAll(async () => {
    const { vtgate, known } = shards;
    for (const sql of known.all.keys()) plans.set(sql, isOfEachShard(sql) ? notAsked : await planOf(vtgate, sql));
  });

  test.each(["requests", "jobs"] as const)(
    "docs/scale.md lists the statements of %s that do not go to one shard",
    async (who) => {
      const several = [...plans].filter(([sql, { isOfOneShard }]) => !isOfOneShard && isOf(who, sql));
      const rows = several.map(([sql, plan]) => rowOf(sql, plan)).toSorted();
      expect(rows.join("\n")).toBe((await readBelow(`### Statements of ${who}`)).join("\n"));
    },
  );

  test("docs/scale.md lists the transactions over both keyspaces", async () => {
    const global = new Set(await tablesOfKeyspace("global"));
    const statementPlans = shards.known.sent.flatMap(({ call, statements }) => {
      const tables = [...new Set(statements.flatMap((sql) => tablesOf(sql).map(({ table }) => table)))].toSorted();
      const lists = [tables.filter((table) => global.has(table)), tables.filter((table) => divided.has(table))];
      if (lists.some((list) => list.length === 0) || statements.length === 1) return [];
      return `| \`${call}\` | ${lists.map((list) => list.map((name) => `\`${name}\``).join(", ")).join(" | ")} |`;
    });
    expect([...new Set(statementPlans)].toSorted()).toEqual(await readBelow("### Transactions over both keyspaces"));
  });
});

function isOfEachShard(sql: string): boolean {
  const tables = tablesOf(sql);
  return tables.length > 0 && tables.every(({ table }) => onEachShard.includes(table));
}

function isOf(who: "requests" | "jobs", sql: string): boolean {
  return (shards.known.all.get(sql) ?? []).every(isOfJobs) === (who === "jobs");
}

/** A row of the table: what it looks like, who sends it, what Vitess does, and why that is not one shard. */
function rowOf(sql: string, plan: Plan): string {
  const senders = (shards.known.all.get(sql) ?? []).map((name) => `\`${name}\``).join(", ");
  return `| \`${fingerprint(sql)}\` | ${senders} | ${plan.text} | ${reasonsOf(sql, plan).join("; ")} |`;
}

function reasonsOf(sql: string, { text, keyspaces }: Plan): string[] {
  const tableNames = [...new Set(tablesOf(sql).map(({ table }) => table))];
  const lacking = tableNames.filter((table) => divided.has(table) && shards.tables.get(table) === false);
  const byPartner = new Set([...divided].filter((table) => shards.tables.get(table)));
  return [
    ...tableNames.filter((table) => onEachShard.includes(table)).map((table) => `\`${table}\` is of each shard`),
    ...lacking.map((table) => `\`${table}\` has no \`partner_id\``),
    ...(unnamed(sql, byPartner).length > 0 ? ["names no partner"] : []),
    ...(/\bIN\b/.test(text) || /\bVALUES \?/.test(sql) ? ["a list"] : []),
    ...(keyspaces.length > 1 ? ["two keyspaces"] : []),
    ...(tableNames.length === 0 ? ["no table: the clock of vtgate"] : []),
  ];
}

/** The rows of the table under a heading. */
async function readBelow(heading: string): Promise<string[]> {
  const page = await readFile("docs/scale.md", "utf8");
  const [, section = ""] = page.split(`${heading}\n`);
  return (
    section
      .split("\n#")[0]
      ?.split("\n")
      .filter((line) => line.startsWith("| `")) ?? []
  );
}
