// A line whenever the database's clock comes into doubt for another reason, and when it is trusted again.
import { type ClockDoubt, describeDoubt } from "../../kernel/trusted-clock.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Logger } from "./logger.ts";

/** An observer that logs and tells the metrics. A step is an error: it stays until an operator has looked at it. */
export function clockObserver(
  log: Logger,
  metrics: Pick<Metrics, "clockDoubts">,
): (doubt: ClockDoubt | undefined) => void {
  let last: ClockDoubt["reason"] | undefined;
  return (doubt) => {
    metrics.clockDoubts(doubt);
    if (doubt?.reason === last) return;
    last = doubt?.reason;
    if (doubt === undefined) log.info({ reason: null }, "the clock of the database is trusted again");
    else log[doubt.reason === "stepped" ? "error" : "warn"]({ reason: doubt.reason }, describeDoubt(doubt));
  };
}
