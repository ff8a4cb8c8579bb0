// One line and one count for every call that went through the pipeline; the count is complete, the lines have a limit.
import type { CallEvent, Outcome } from "../contract/call-event.ts";
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";

/** Outcomes that nobody has to hear of. */
const quiet: ReadonlySet<Outcome> = new Set(["ok", "caller_gone"]);
/** Outcomes that somebody has to mend; all others are the caller's, or the weather. */
const defects: ReadonlySet<Outcome> = new Set(["internal"]);
const troubles: ReadonlySet<Outcome> = new Set(["unavailable", "deadline_exceeded", "conflict"]);

/** Of each outcome: whoever causes many of them must not fill the disk, nor slow down those who do not. */
const maxLinesPerSecond = 20;

/** An observer that logs and counts. Successes are logged at debug level: metrics count them. */
export function callObserver(log: Logger, metrics: Metrics): (event: CallEvent) => void {
  const budgets = new Map<string, LineBudget>();
  const budgetOf = (outcome: string): LineBudget => {
    const known = budgets.get(outcome) ?? new LineBudget();
    budgets.set(outcome, known);
    return known;
  };
  return ({ rpc, door, requestId, traceparent, clientId, partnerId, outcome, seconds, cause }) => {
    metrics.observeCall(rpc, door, outcome, seconds);
    metrics.observeClientCall(clientId, outcome);
    const level = levelOf(outcome);
    if (!log.isLevelEnabled(level)) return;
    const unlogged = level === "debug" ? 0 : budgetOf(outcome).take(performance.now());
    if (unlogged === undefined) return;
    const line = {
      rpc,
      door,
      requestId,
      traceparent,
      clientId,
      partnerId,
      outcome,
      ms: Math.round(seconds * 1e4) / 10,
      ...(unlogged === 0 ? {} : { unlogged }),
      ...(cause === undefined ? {} : { err: cause }),
    };
    log[level](line, "call");
  };
}

/** How many lines may still be written in this second. */
class LineBudget {
  #secondStartedAt = Number.NEGATIVE_INFINITY;
  #written = 0;
  #unlogged = 0;

  /** The number of lines left out since the last one; undefined where this one is to be left out as well. */
  take(now: number): number | undefined {
    if (now - this.#secondStartedAt >= 1000) {
      this.#secondStartedAt = now;
      this.#written = 0;
    }
    if (this.#written >= maxLinesPerSecond) {
      this.#unlogged += 1;
      return undefined;
    }
    const unlogged = this.#unlogged;
    this.#written += 1;
    this.#unlogged = 0;
    return unlogged;
  }
}

function levelOf(outcome: Outcome): "debug" | "info" | "warn" | "error" {
  if (quiet.has(outcome)) return "debug";
  if (defects.has(outcome)) return "error";
  return troubles.has(outcome) ? "warn" : "info";
}
