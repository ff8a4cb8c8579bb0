// What tests hold in the database, and what waits for it there.
import type { Connection } from "mysql2/promise";
import { expect, onTestFinished } from "vitest";
import { runningStatements } from "./stores.ts";

interface Locking {
  /** Of the administrator. */
  readonly connection: Connection;
}

/** Has statements wait for the rows of a statement, until they are released or the test is over. @returns what releases them */
export async function lockRows(
  { connection }: Locking,
  sql: string,
  values: unknown[] = [],
): Promise<() => Promise<void>> {
  // Locks the rows that it finds, and nothing between them.
  await connection.query("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
  await connection.beginTransaction();
  const release = () => connection.commit();
  onTestFinished(release);
  await connection.query(sql, values);
  return release;
}

/** Resolves when another connection is running a statement that has the text. */
export async function untilRunning({ connection }: Locking, text: string): Promise<void> {
  await expect.poll(async () => (await runningStatements(connection)).join("\n")).toContain(text);
}
