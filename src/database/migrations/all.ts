// Every migration, in the order they are applied.
import { globalTables, partnerTables } from "./0001-baseline.ts";

/**
 * Lists of statements, each of which may be run again, and runs beside the release before and on a cluster.
 *
 * An `ALTER TABLE` whose effect is there already counts as done; other statements say `IF NOT EXISTS` or `IGNORE`.
 * One that alters a table says how (`ALGORITHM=INSTANT`, or `ALGORITHM=INPLACE, LOCK=NONE`), so that a server that would have
 * to lock out writers refuses it. What the release before reads or writes is dropped one release later.
 */
export interface Migration {
  /** It never changes. */
  readonly name: string;
  /** On tables with rows of partners: those of the keyspace `assess` in `deploy/vitess`. */
  readonly steps: readonly string[];
  /** On all other tables: those of `global`. */
  readonly globalSteps?: readonly string[];
}

/** Add new ones at the end. */
export const migrations: readonly Migration[] = [
  { name: "0001-baseline", steps: partnerTables, globalSteps: globalTables },
];
