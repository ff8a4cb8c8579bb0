// A line whenever the database's clock comes into doubt for another reason, and when it is trusted again.
import type { DoubtReason } from "../metrics/families/clock-metrics.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Logger } from "./logger.ts";

/** What is in doubt, and what operators are told of it. */
export interface ReportedDoubt {
  readonly reason: DoubtReason;
  readonly words: string;
}

/** An observer that logs and tells the metrics. A step is an error: it stays until an operator has looked at it. */
export function clockObserver(
  log: Logger,
  metrics: Pick<Metrics, "clockDoubts">,
): (doubt: ReportedDoubt | undefined) => void {
  let last: DoubtReason | undefined;
  return (doubt) => {
    metrics.clockDoubts(doubt?.reason);
    if (doubt?.reason === last) return;
    last = doubt?.reason;
    if (doubt === undefined) log.info({ reason: null }, "the clock of the database is trusted again");
    else log[doubt.reason === "stepped" ? "error" : "warn"]({ reason: doubt.reason }, doubt.words);
  };
}
