// What operators read after a history that is known: every metric of the runbook, with its unit and its labels.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { EndpointState } from "../../src/domain/webhooks/endpoint.ts";
import type { Job } from "../../src/jobs/job.ts";
import { releaseVersion } from "../../src/kernel/release.ts";
import { createBacklogJob } from "../../src/process/background-jobs.ts";
import { createLogger } from "../../src/telemetry/logger.ts";
import { createTelemetry, type Telemetry } from "../../src/telemetry/telemetry.ts";

const now = 1_790_000_000_000;
const day = 24 * 60 * 60 * 1000;

/** Telemetry of a process that has done each thing once, and took a quarter of a second for it. */
async function telemetryOfHistory() {
  let monotonic = 1_000;
  const telemetry = createTelemetry(createLogger("silent"), {
    revision: "abc",
    certificates: { grpc: now + day },
    clock: () => now,
    monotonic: () => monotonic,
  });
  telemetry.addSource("arrivingBytes", () => ({ authenticated: 7, unauthenticated: 8 }));
  telemetry.addSource("connections", () => ({ used: 1, free: 2, pending: 3 }));
  telemetry.addSource("calls", () => ({ running: 4, waiting: 5, idle: 6 }));
  telemetry.addSource("connectionBytes", () => ({ unauthenticated: 9 }));
  const ended = { requestId: "r", traceparent: undefined, span: undefined, seconds: 0.25 } as const;
  const about = { transport: "rest", clientId: "client", partnerId: undefined, violation: undefined } as const;
  telemetry.observeCall({ ...ended, ...about, rpc: "S/Old", outcome: "not_found", cause: undefined });
  const request = { route: "/v1/things", method: "GET", status: 404, code: undefined, isReported: true } as const;
  telemetry.observeRequest({ ...ended, ...request });
  telemetry.observeRefused("share");
  const ends = [telemetry.statements.beginStatement("SELECT sessions", "SELECT 1"), telemetry.statements.beginWait()];
  monotonic += 250;
  for (const end of ends) end();
  telemetry.observePublished([
    { type: "session.created", mode: "hosted", lagMs: 50 },
    { type: "session.erased", mode: null, lagMs: 200 },
    { type: "other.done", mode: null, lagMs: 0 },
  ]);
  telemetry.upkeep.observeUnpublished(12);
  telemetry.observeAuditFailure();
  const { deliveries, jobs } = telemetry;
  deliveries.observeAttempt("endpoint", { status: 204, error: null, tookMs: 250 }, true);
  deliveries.observeAttempt("endpoint", { status: 500, error: null, tookMs: 250 }, false);
  deliveries.observeAttempt("endpoint", { status: null, error: "timeout", tookMs: 250 }, false);
  deliveries.observeDead("endpoint");
  await readBacklog(telemetry, { healthy: 20, down: 15, disabled: 21 }, 16);
  jobs.observeStarted({ name: "retention", intervalMs: 90_000 } as Job);
  jobs.observe({ job: "retention", outcome: "failed", seconds: 0.25 });
  telemetry.reportDefect(new Error("no such value"), "scoring");
  telemetry.observeClock("The clocks differ.");
  telemetry.observeSpans("failed", 19);
  return telemetry;
}

/** A run of the job that reads what is waiting for webhooks. */
async function readBacklog(
  { deliveries: metrics }: Telemetry,
  endpoints: Readonly<Record<EndpointState, number>>,
  behindSeconds: number,
): Promise<void> {
  const deliveries = { readDeliveryState: async () => ({ endpoints, behindSeconds }) };
  await createBacklogJob({ deliveries }, metrics).run(new AbortController().signal);
}

test("every metric of the runbook has its unit and its labels", async () => {
  const { text } = await (await telemetryOfHistory()).scrape();
  const lines = text.split("\n").filter((line) => /^pas_(?!\w+_bucket)/.test(line));
  const findSeries = (name: string) =>
    lines.filter((line) => line.startsWith(name) && /[ {]/.test(line.charAt(name.length)));
  /** A histogram of so many values of a quarter of a second. */
  const quarter = (name: string, ...labels: string[]) =>
    labels.flatMap((label) => [`${name}_sum${label} 0.25`, `${name}_count${label} 1`]);
  const expected = [
    ...quarter("pas_calls_seconds", '{rpc="S/Old",transport="rest",outcome="not_found"}'),
    ...quarter("pas_http_requests_seconds", '{route="/v1/things",method="GET",status="404"}'),
    ...quarter("pas_statements_seconds", '{statement="SELECT sessions"}'),
    ...quarter("pas_pool_wait_seconds", ""),
    "pas_event_lag_seconds_sum 0.25",
    "pas_event_lag_seconds_count 3",
    ...quarter("pas_webhook_attempts_seconds", '{outcome="succeeded"}', '{outcome="refused"}', '{outcome="timeout"}'),
    ...quarter("pas_job_seconds", '{background_job="retention",outcome="failed"}'),
    'pas_client_calls_total{client_id="client",class="refused"} 1',
    'pas_admission_refused_total{reason="share"} 1',
    `pas_build_info{version="${releaseVersion}",revision="abc"} 1`,
    'pas_tls_expiry_seconds{certificate="grpc"} 86400',
    'pas_arriving_bytes{sender="authenticated"} 7',
    'pas_arriving_bytes{sender="unauthenticated"} 8',
    'pas_connection_bytes{sender="unauthenticated"} 9',
    'pas_defects_total{source="scoring"} 1',
    'pas_database_connections{state="used"} 1',
    'pas_database_connections{state="free"} 2',
    'pas_database_connections{state="pending"} 3',
    'pas_calls_in_flight{state="running"} 4',
    'pas_calls_in_flight{state="waiting"} 5',
    'pas_calls_in_flight{state="idle"} 6',
    'pas_sessions_total{mode="hosted",event="created"} 1',
    'pas_sessions_total{mode="unknown",event="erased"} 1',
    "pas_events_unpublished_seconds 12",
    "pas_audit_failures_total 1",
    "pas_webhook_dead_total 1",
    'pas_webhook_endpoints{state="healthy"} 20',
    'pas_webhook_endpoints{state="down"} 15',
    'pas_webhook_endpoints{state="disabled"} 21',
    "pas_webhook_behind_seconds 16",
    'pas_job_last_success_timestamp_seconds{background_job="retention"} 1790000000',
    'pas_job_interval_seconds{background_job="retention"} 90',
    "pas_clock_skewed 1",
    'pas_spans_total{outcome="failed"} 19',
  ];
  expect(lines.toSorted()).toEqual(expected.toSorted());
  const explained = [...readFileSync("docs/runbook.md", "utf8").matchAll(/^\| `(pas_\w+)` \|/gm)].map(
    ([, name = ""]) => name,
  );
  for (const name of explained) {
    expect([name, [name, `${name}_sum`].some((each) => findSeries(each).length > 0)]).toEqual([name, true]);
  }
});
