// Every statement of the store: what it has, what calls send and in which transactions, and what its files hold.

import { readdir, readFile } from "node:fs/promises";
import type { Connection } from "mysql2";
import { Database, type DatabaseAddress } from "../../../src/database/database.ts";
import { createStores } from "../../../src/store/stores.ts";
import { isMadeOf, isStatement } from "./statements.ts";
import { newRows, sequencerCall, storeCalls, storeRows, watchCalls } from "./store-calls.ts";

/** What a call sent together: the statements of a transaction, or one that stood alone. */
export interface Sent {
  /** Store and method, such as `sessions.findSession`. */
  readonly call: string;
  /** With a marker in the place of every value, and of every list. */
  readonly statements: readonly string[];
}

export interface KnownStatements {
  /** Every statement with the calls that send it; one that no call sends, with its file and name: `webhooks/rows.ts find`. */
  readonly all: ReadonlyMap<string, readonly string[]>;
  readonly sent: readonly Sent[];
}

const storeFolder = new URL("../../../src/store/", import.meta.url);

/** Learns the statements by calling every method of every store. @param address an empty, migrated database */
export async function knownStatements(address: DatabaseAddress): Promise<KnownStatements> {
  const calls = await sentStatements(address);
  const all = await builtStatements();
  const bySql = Map.groupBy(
    calls.flatMap(({ call, statements }) => statements.map((sql) => ({ call, sql }))),
    ({ sql }) => sql,
  );
  for (const [sql, senders] of bySql) all.set(sql, [...new Set(senders.map(({ call }) => call))].toSorted());
  for (const [text, name] of await writtenStatements([...all.keys()])) all.set(text, [name]);
  return { all, sent: calls };
}

/** What the stores have, whether a test runs it or not, each with its file and name. */
async function builtStatements(): Promise<Map<string, readonly string[]>> {
  const statementsByCall = new Map<string, readonly string[]>();
  for (const file of await storeFiles()) {
    const module = (await import(new URL(file, storeFolder).href)) as object;
    for (const { name, sql } of statementsIn(module)) statementsByCall.set(sql, [`${file} ${name}`]);
  }
  return statementsByCall;
}

/** The statements among the members of a value, compiled or text. */
function statementsIn(value: object): { readonly name: string; readonly sql: string }[] {
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    if (typeof member === "string") return isStatement(member) ? [{ name, sql: member }] : [];
    if (typeof member !== "object" || member === null) return [];
    return "sql" in member && typeof member.sql === "string" ? [{ name, sql: member.sql }] : statementsIn(member);
  });
}

async function storeFiles(): Promise<string[]> {
  return (await readdir(storeFolder, { recursive: true })).filter((name) => name.endsWith(".ts")).toSorted();
}

/** What is sent when every method of every store is called. */
async function sentStatements(address: DatabaseAddress): Promise<Sent[]> {
  const log: Sent[] = [];
  const transactions = new Map<Connection, string[]>();
  const open = () => new Database({ address, poolSize: 2, warn: () => undefined });
  const [storing, db] = [open(), open()];
  const rows = newRows();
  await storeRows(createStores(storing), rows);
  // Before the calls, so that there are events, and after them.
  await sequencerCall(storing).call(new AbortController().signal);
  await storing.destroy();
  const calls = [...storeCalls(createStores(db), rows), sequencerCall(db)];
  await watchCalls(db, calls, ({ call, sql, send }, connection) => {
    if (sql === "START TRANSACTION") transactions.set(connection, []);
    else if (sql === "COMMIT" || sql === "ROLLBACK") transactions.delete(connection);
    else if (isStatement(sql)) {
      const statements = transactions.get(connection) ?? [];
      if (statements.length === 0) log.push({ call, statements });
      statements.push(sql);
    }
    return send();
  });
  await db.destroy();
  return log;
}

/**
 * The statements in the texts of the store's files, such as those with lists, each with its file and name; those with places
 * only if none was seen. So a text with places is exported, and then known as it is sent.
 */
async function writtenStatements(texts: readonly string[]): Promise<Map<string, string>> {
  const statements = new Map<string, string>();
  for (const file of await storeFiles()) {
    const content = await readFile(new URL(file, storeFolder), "utf8");
    for (const [, name = "", one, other] of content.matchAll(
      /(?:(\w+)[:=\s]+)?(?:"([^"\n]*)"|`((?:[^`\\]|\\.)*)`)/gs,
    )) {
      const text = asSent(one ?? other ?? "");
      // A table of columns writes what stands before.
      const isRest = /^\s*FROM\s/.test(text);
      const sql = isRest ? `SELECT 1 ${text}` : text;
      const isSeen = (each: string) => isMadeOf(isRest ? each.slice(each.indexOf("FROM ")) : each, text);
      if (isStatement(sql) && !texts.some(isSeen)) statements.set(sql, `${file} ${name}`);
    }
  }
  return statements;
}

/** The text with markers in the places of names, as `sql` makes it. */
function asSent(text: string): string {
  return text.replaceAll("\\`", "`").replaceAll(/:[a-z]\w*/gi, "?");
}
