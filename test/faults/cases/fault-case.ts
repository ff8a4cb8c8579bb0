// What a fault is here. One table of them runs over every database.
import type { BreakableDatabase } from "../support/database.ts";

export interface FaultCase<D extends BreakableDatabase = BreakableDatabase> {
  /** The guarantee. */
  readonly name: string;
  /** Databases by name on which it makes no sense, if any. */
  readonly notOn?: readonly string[];
  /** Left out of the short form, for the time it takes. */
  readonly isLong?: boolean;
  readonly run: (database: D) => Promise<void>;
}
