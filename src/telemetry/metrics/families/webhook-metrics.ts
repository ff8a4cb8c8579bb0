// Metrics of webhooks.
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

export interface WebhookMetrics {
  /** Every attempt, in seconds, by outcome. */
  readonly attempts: Histogram<"outcome">;
  /** Events that are not tried any more. */
  readonly dead: Counter;
  /** Endpoints by state. */
  readonly endpoints: Gauge<"state">;
  /** Age of the oldest event that a healthy endpoint has not come to, in seconds. */
  readonly behind: Gauge;
}

/** The metrics of webhooks, in the registers. */
export function createWebhookMetrics(registers: Registry[]): WebhookMetrics {
  return {
    attempts: new Histogram({
      name: "pas_webhook_attempts_seconds",
      help: "Attempts to deliver webhooks by outcome (succeeded, refused, or why there was no response)",
      labelNames: ["outcome"],
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    dead: new Counter({
      name: "pas_webhook_dead_total",
      help: "Events that an endpoint did not take and that are not tried any more",
      registers,
    }),
    endpoints: new Gauge({
      name: "pas_webhook_endpoints",
      help: "Webhook endpoints by state (healthy, down, disabled)",
      labelNames: ["state"],
      // Each process reads the same of the database.
      aggregator: "max",
      registers,
    }),
    behind: new Gauge({
      name: "pas_webhook_behind_seconds",
      help: "Age of the oldest event that a healthy webhook endpoint has not come to",
      aggregator: "max",
      registers,
    }),
  };
}
