// Runs one step of a migration while the service runs.
import type { Connection } from "mysql2";
import { isAppliedBefore, isLockTimeout } from "../database-errors.ts";

/**
 * How long a step waits for a table that a transaction uses. All other statements on the table wait behind it, so it gives
 * up soon and lets them pass.
 */
const tableLockSeconds = 2;
/** Then it is retried for some five minutes. */
const maxTries = 100;

/** Sets up a connection for steps only. */
export async function prepareForSteps(connection: Connection): Promise<void> {
  await connection.promise().query(`SET SESSION lock_wait_timeout = ${tableLockSeconds}`);
}

/** The table that a step makes, alters or fills. */
export function tableOf(step: string): string {
  const [, table] =
    /^\s*(?:CREATE|DROP|ALTER|RENAME|INSERT|UPDATE|DELETE)(?: (?:TABLE|INTO|IGNORE|FROM|IF|NOT|EXISTS))* `?(\w+)/.exec(
      step,
    ) ?? [];
  if (table === undefined) throw new Error(`a step names no table: ${step}`);
  return table;
}

/** Runs a step unless its effect is there. @param pause before a retry. Rejects as the driver does. */
export async function runStep(connection: Connection, step: string, pause: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await connection.promise().query(step);
      return;
    } catch (error) {
      if (isAppliedBefore(error)) return;
      if (!isLockTimeout(error)) throw error;
      if (tries === maxTries)
        throw new Error("a table stays in use by a transaction that does not end", { cause: error });
      await pause();
    }
  }
}
