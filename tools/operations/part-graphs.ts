// Graphs of single parts of the service, row by row.
import type { Graph } from "./graph.ts";
import { inLastHour, quantileQuery, rateQuery } from "./promql.ts";

const database: readonly Graph[] = [
  {
    title: "Ten slowest statements",
    description: "99 of 100 take no longer. Look at the plan of one that has become slow.",
    unit: "s",
    queries: [[`topk(10, ${quantileQuery(0.99, "pas_statements_seconds_bucket", "statement")})`, "{{statement}}"]],
  },
  {
    title: "Ten most frequent statements",
    description: "Statements a second.",
    unit: "reqps",
    queries: [[`topk(10, ${rateQuery("pas_statements_seconds_count", "statement")})`, "{{statement}}"]],
  },
  {
    title: "Wait for a connection",
    description: "Half and 99 of 100 callers wait no longer for one of the pool.",
    unit: "s",
    queries: [0.5, 0.99].map((quantile) => [
      quantileQuery(quantile, "pas_pool_wait_seconds_bucket", "instance"),
      `p${quantile * 100} {{instance}}`,
    ]),
  },
  {
    title: "Calls not let in",
    description: "In the last hour. Full and waited: the process has all it can take. Client share: one client has.",
    unit: "short",
    queries: ["full", "waited", "share"].map((reason) => [
      inLastHour(`pas_admission_refused_total{reason="${reason}"}`),
      reason,
    ]),
  },
];

const events: readonly Graph[] = [
  {
    title: "Lag of events",
    description: "Half and 99 of 100 are in the log after no longer.",
    unit: "s",
    queries: [0.5, 0.99].map((quantile) => [
      quantileQuery(quantile, "pas_event_lag_seconds_bucket", ""),
      `p${quantile * 100}`,
    ]),
  },
  {
    title: "Oldest write that is not announced",
    description: "Above 30 seconds no process brings events into the log.",
    unit: "s",
    queries: [["max(pas_events_unpublished_seconds)", "age"]],
  },
  {
    title: "Sessions",
    description: "What happened to them, a second.",
    unit: "reqps",
    queries: [[rateQuery("pas_sessions_total", "event"), "{{event}}"]],
  },
  {
    title: "Webhooks behind",
    description: "Age of the oldest event that an endpoint which takes webhooks has not come to.",
    unit: "s",
    queries: [["max(pas_webhook_behind_seconds)", "age"]],
  },
  {
    title: "Webhook endpoints",
    description: "By state.",
    unit: "short",
    queries: [["max by (state) (pas_webhook_endpoints)", "{{state}}"]],
  },
];

const surroundings: readonly Graph[] = [
  {
    title: "Audit log",
    description: "Statements a second that could not write it. Their calls are refused.",
    unit: "reqps",
    queries: [["sum(rate(pas_audit_failures_total[$__rate_interval])) or vector(0)", "failed statements"]],
  },
  {
    title: "Traces",
    description: "Spans in the last hour. Failed: the collector did not take them.",
    unit: "short",
    queries: ["exported", "failed"].map((outcome) => [inLastHour(`pas_spans_total{outcome="${outcome}"}`), outcome]),
  },
  {
    title: "Certificates",
    description: "Time until they expire.",
    unit: "s",
    queries: [["min by (certificate, instance) (pas_tls_expiry_seconds)", "{{certificate}} {{instance}}"]],
  },
];

/** The rows, with their names. */
export const parts: readonly (readonly [row: string, graphs: readonly Graph[]])[] = [
  ["Database and admission", database],
  ["Events and webhooks", events],
  ["Surroundings", surroundings],
];
