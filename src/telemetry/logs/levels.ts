// How much an outcome matters to those who operate the service.

import { HopError } from "../../kernel/errors/hop-error.ts";
import type { Outcome } from "../../kernel/telemetry/call-event.ts";

export type Level = "debug" | "info" | "warn" | "error";

/** Outcomes that nobody has to hear of: metrics count them. */
const quiet: ReadonlySet<Outcome> = new Set(["ok", "caller_gone"]);
/** Outcomes that somebody has to mend; all others are the caller's, or the weather. */
const defects: ReadonlySet<Outcome> = new Set(["internal"]);
const troubles: ReadonlySet<Outcome> = new Set(["unavailable", "deadline_exceeded", "conflict"]);

/** The level of a line. @param cause what went wrong, if that is known */
export function levelOf(outcome: Outcome, cause?: unknown): Level {
  if (quiet.has(outcome)) return "debug";
  if (defects.has(outcome) || cause instanceof HopError) return "error";
  return troubles.has(outcome) ? "warn" : "info";
}
