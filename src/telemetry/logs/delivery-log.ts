// One count for every webhook, and a line for what operators look for. Lines name endpoints, never where they are.

import type { Metrics } from "../metrics/metrics.ts";
import type { Logger } from "./logger.ts";

interface SendResult {
  readonly status: number | null;
  readonly error: string | null;
  readonly tookMs: number;
}

/** An observer of deliveries that logs and counts. Attempts are logged at debug level: metrics count them. */
export function deliveryObserver(log: Logger, { webhooks }: Pick<Metrics, "webhooks">) {
  return {
    attempted(endpointId: string, { status, error, tookMs }: SendResult, hasSucceeded: boolean) {
      const outcome = hasSucceeded ? "succeeded" : (error ?? "refused");
      webhooks.attempts.observe({ outcome }, tookMs / 1000);
      log.debug({ endpointId, outcome, status, ms: tookMs }, "webhook");
    },
    died(endpointId: string) {
      webhooks.dead.inc();
      log.info({ endpointId }, "a webhook is not tried any more");
    },
    disabled(endpointId: string, reason: string) {
      log.info({ endpointId, reason }, "a webhook endpoint was disabled");
    },
    unreadable(endpointId: string) {
      log.error({ endpointId }, "no key of WEBHOOK_KEY opens the secrets of a webhook endpoint");
    },
  };
}
