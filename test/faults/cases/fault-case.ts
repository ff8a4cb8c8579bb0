// What a fault is here. One table of them runs over every database.
import type { BreakableDatabase } from "../support/database/database.ts";

export interface FaultCase<D extends BreakableDatabase = BreakableDatabase> {
  /** The guarantee. */
  readonly name: string;
  /** Databases by name on which it makes no sense, if any. */
  readonly notOn?: readonly string[];
  /** Databases by name on which a short run has it, if not on all: some take their time. */
  readonly shortOn?: readonly string[];
  readonly run: (database: D) => Promise<void>;
}
