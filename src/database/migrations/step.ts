// One step of a migration: a DDL statement that may be run again, beside the release before and on a cluster.
import type { Connection, ResultSetHeader, RowDataPacket } from "mysql2";
import { isLockTimeout } from "../database-errors.ts";

/**
 * A statement that does nothing when it is run again (`IF NOT EXISTS`), or one that is left out when its effect is there.
 * One that alters a table names how (`ALGORITHM=INSTANT`, or `ALGORITHM=INPLACE, LOCK=NONE`), so that a server that would
 * have to lock out writers refuses it.
 */
export type Step = string | { readonly unless: string; readonly sql: string } | Fill;

/** Gives a column of many rows a value, some of them at a time, wherever it is null. */
export interface Fill {
  /** The table. */
  readonly fill: string;
  /** The first column of its primary key. */
  readonly key: string;
  readonly column: string;
  /** As SQL; never null. */
  readonly value: string;
}

/** Rows that a fill locks at a time. */
const filledAtOnce = 1_000;

/** A migration by its name, which is for ever. */
export interface Migration {
  readonly name: string;
  readonly steps: readonly Step[];
  /** Waits until no process runs an earlier release, which could not live with it. It may be a mark alone, without steps. */
  readonly isAfterRollOut?: true;
}

/**
 * How long a step waits for a table that a transaction uses. All other statements on the table wait for it for as
 * long, so it gives up soon and lets them pass.
 */
const tableLockSeconds = 2;
/** Then it is tried again, some five minutes long. */
const maxTries = 100;

/** Sets up a connection for steps, and for nothing after them. */
export async function prepareForSteps(connection: Connection): Promise<void> {
  await connection.promise().query(`SET SESSION lock_wait_timeout = ${tableLockSeconds}`);
}

/** The table that a step makes, alters or fills. */
export function tableOf(step: Step): string {
  if (typeof step !== "string" && "fill" in step) return step.fill;
  const text = typeof step === "string" ? step : step.sql;
  const [, table] =
    /^\s*(?:CREATE|DROP|ALTER|RENAME|INSERT|UPDATE|DELETE)(?: (?:TABLE|INTO|IGNORE|FROM|IF|NOT|EXISTS))* `?(\w+)/.exec(
      text,
    ) ?? [];
  if (table === undefined) throw new Error(`a step names no table: ${text}`);
  return table;
}

/** Runs a step unless its effect is there. @param pause before another try. Rejects as the driver does. */
export async function runStep(connection: Connection, step: Step, pause: () => Promise<void>): Promise<void> {
  const session = connection.promise();
  if (typeof step !== "string" && "fill" in step) return fill(connection, step);
  const { unless, sql } = typeof step === "string" ? { unless: undefined, sql: step } : step;
  for (let tries = 1; ; tries += 1) {
    if (unless !== undefined) {
      const [rows] = await session.query(unless);
      if ((rows as unknown[]).length > 0) return;
    }
    try {
      await session.query(sql);
      return;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (tries === maxTries)
        throw new Error("a table stays in use by a transaction that does not end", { cause: error });
      await pause();
    }
  }
}

/** Goes through the table by its key, so that what is filled is not looked at again and again. */
async function fill(connection: Connection, { fill: table, key, column, value }: Fill): Promise<void> {
  const session = connection.promise();
  const rows = `${table} FORCE INDEX (PRIMARY)`;
  for (let after: unknown; ; ) {
    const from = after === undefined ? [] : [{ sql: `${key} > ?`, value: after }];
    const pageEnd = `SELECT ${key} AS last FROM ${rows} WHERE ${conditionOf(from)}
      ORDER BY ${key} LIMIT 1 OFFSET ${filledAtOnce - 1}`;
    const [[end]] = await session.query<RowDataPacket[]>(pageEnd, valuesOf(from));
    const page = end === undefined ? from : [...from, { sql: `${key} <= ?`, value: end.last }];
    const update = `UPDATE ${rows} SET ${column} = ${value} WHERE ${conditionOf(page)} AND ${column} IS NULL
      LIMIT ${filledAtOnce}`;
    // A key may have many rows.
    for (let filled = filledAtOnce; filled === filledAtOnce; ) {
      const [result] = await session.query<ResultSetHeader>(update, valuesOf(page));
      filled = result.affectedRows;
    }
    if (end === undefined) return;
    after = end.last;
  }
}

interface Condition {
  readonly sql: string;
  readonly value: unknown;
}

const conditionOf = (conditions: readonly Condition[]) => ["TRUE", ...conditions.map(({ sql }) => sql)].join(" AND ");
const valuesOf = (conditions: readonly Condition[]) => conditions.map(({ value }) => value);
