// One step of a migration: a DDL statement that may be run again, beside the release before.

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
}
