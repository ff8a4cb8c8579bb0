// Alerts of single parts of the service: what the runbook's table of metrics asks to be told.

import { connectionsBytes } from "../../src/limits/connections.ts";
import { slowBytes } from "../../src/limits/memory.ts";
import { type Alert, runbook } from "./alert.ts";

const ofProcess = (series: string, window: string) => `sum by (instance) (rate(${series}[${window}]))`;
const p99 = (buckets: string) => `histogram_quantile(0.99, sum by (instance, le) (rate(${buckets}[5m])))`;

export const partAlerts: readonly Alert[] = [
  {
    alert: "PasAuditFails",
    // While nothing goes well the database is away, and another page says so.
    expr: `sum by (instance) (increase(pas_audit_failures_total[5m])) > 0 and on (instance) ${ofProcess('pas_calls_seconds_count{outcome="ok"}', "1m")} > 0`,
    for: "2m",
    labels: { severity: "page" },
    annotations: {
      summary: "Calls are refused since the audit log cannot be written, though the database answers.",
      runbook_url: runbook("the-audit-log-is-not-written"),
    },
  },
  {
    alert: "PasEventsUnpublished",
    expr: "max(pas_events_unpublished_seconds) > 30",
    for: "1m",
    labels: { severity: "page" },
    annotations: {
      summary: "Writes wait to be announced: no process brings events into the log, or one transaction does not end.",
      runbook_url: runbook("background-jobs"),
    },
  },
  {
    alert: "PasEventsLag",
    expr: `${p99("pas_event_lag_seconds_bucket")} > 2`,
    for: "5m",
    labels: { severity: "ticket" },
    annotations: {
      summary: "One of a hundred events comes later than 2 seconds after its write.",
      runbook_url: runbook("background-jobs"),
    },
  },
  {
    alert: "PasWebhooksBehind",
    expr: "max(pas_webhook_behind_seconds) > 60",
    for: "5m",
    labels: { severity: "ticket" },
    annotations: {
      summary: "Endpoints that take webhooks do not get them in time.",
      runbook_url: runbook("webhooks-do-not-arrive"),
    },
  },
  {
    alert: "PasPoolWaits",
    expr: `${p99("pas_pool_wait_seconds_bucket")} > 0.1`,
    for: "5m",
    labels: { severity: "ticket" },
    annotations: {
      summary: "One of a hundred callers waits more than 100 ms for a connection to the database.",
      runbook_url: runbook("overloaded-503-or-429"),
    },
  },
  {
    alert: "PasCallsNotAdmitted",
    expr: `${ofProcess('pas_admission_refused_total{reason=~"full|waited"}', "5m")} > 0`,
    for: "5m",
    labels: { severity: "ticket" },
    annotations: {
      summary: "A process has refused calls for 5 minutes, since it has all it can take.",
      runbook_url: runbook("overloaded-503-or-429"),
    },
  },
  {
    alert: "PasRequestsArriveSlowly",
    expr: `min_over_time(pas_arriving_bytes{sender="authenticated"}[1m]) > ${slowBytes.authenticated / 2} or min_over_time(pas_arriving_bytes{sender="unauthenticated"}[1m]) > ${slowBytes.unauthenticated / 2}`,
    labels: { severity: "ticket" },
    annotations: {
      summary:
        "Requests that are still arriving hold more than half of what authenticated callers, or others, may hold.",
      runbook_url: runbook("somebody-is-hostile"),
    },
  },
  {
    alert: "PasConnectionsHoldTheirMost",
    // Where there is no room the oldest one is closed, so that what they hold stays just below its most.
    expr: `min_over_time(pas_connection_bytes{sender="unauthenticated"}[1m]) > ${Math.round(0.9 * connectionsBytes)}`,
    labels: { severity: "ticket" },
    annotations: {
      summary:
        "Connections of callers who are not known hold more than nine tenths of what they may hold; the oldest are closed.",
      runbook_url: runbook("somebody-is-hostile"),
    },
  },
  {
    alert: "PasCertificateExpires",
    expr: "min by (instance, certificate) (pas_tls_expiry_seconds) < 14 * 86400",
    labels: { severity: "ticket" },
    annotations: {
      summary: "A certificate that a process shows expires within 14 days.",
      runbook_url: runbook("rotation-of-secrets"),
    },
  },
  {
    alert: "PasTracesLost",
    expr: `${ofProcess('pas_spans_total{outcome="failed"}', "5m")} > 0`,
    for: "10m",
    labels: { severity: "ticket" },
    annotations: { summary: "The collector has taken no traces for 10 minutes.", runbook_url: runbook("traces") },
  },
];
