// One step of a migration: a DDL statement that may be run again, beside the release before and on a cluster.
import type { Connection } from "mysql2";
import { isLockTimeout } from "../database-errors.ts";

/**
 * A statement that does nothing when it is run again (`IF NOT EXISTS`), or one that is left out when its effect is there.
 * One that alters a table names how (`ALGORITHM=INSTANT`, or `ALGORITHM=INPLACE, LOCK=NONE`), so that a server that would
 * have to lock out writers refuses it.
 */
export type Step = string | { readonly unless: string; readonly sql: string };

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
