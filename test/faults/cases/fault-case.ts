// What a fault is here. One table of them runs over every database.
import type { BreakableDatabase } from "../support/database.ts";

export interface FaultCase {
  /** The guarantee. */
  readonly name: string;
  /** Databases by name on which it makes no sense, if any. */
  readonly notOn?: readonly string[];
  readonly run: (database: BreakableDatabase) => Promise<void>;
}
