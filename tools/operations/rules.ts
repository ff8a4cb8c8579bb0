// Rules of Prometheus: how fast each objective's budget burns, and what somebody has to be told.
import { stringify } from "yaml";
import { type Alert, runbook } from "./alert.ts";
import { burns, minCallsPerSecond, type Objective, objectives, windows } from "./objectives.ts";
import { partAlerts } from "./part-alerts.ts";

/** The content of deploy/prometheus/rules.yaml. */
export function rulesDocument(): string {
  const groups = [
    { name: "pas-objectives", rules: objectives.flatMap(recordings) },
    { name: "pas-burn-rates", rules: objectives.flatMap(burnAlerts) },
    { name: "pas-causes", rules: [...causeAlerts, ...partAlerts] },
  ];
  return `# Written by \`npm run docs\` from tools/operations.\n${stringify({ groups }, { lineWidth: 0 })}`;
}

/** Share of bad calls within each window. */
function recordings({ name, bad, calls }: Objective) {
  return windows.map((window) => ({
    record: `pas:slo_bad_calls:ratio_rate${window}`,
    expr: `${bad(window)} / ${calls(window)}`,
    labels: { slo: name },
  }));
}

function burnAlerts({ name, summary, budget, calls }: Objective): Alert[] {
  const page = name.endsWith("-latency") ? "calls-are-slow" : "metrics";
  return burns.map(({ rate, short, long, severity }) => {
    const beyond = (window: string) => `pas:slo_bad_calls:ratio_rate${window}{slo="${name}"} > ${rate} * ${budget}`;
    return {
      alert: "PasBudgetBurns",
      expr: `${beyond(short)} and ${beyond(long)} and on () ${calls(short)} > ${minCallsPerSecond}`,
      labels: { severity, slo: name, window: long },
      annotations: { summary: `${summary} The budget burns ${rate} times too fast.`, runbook_url: runbook(page) },
    };
  });
}

const runsOfJobs = (outcome: string) => `sum by (background_job) (increase(pas_job_seconds_count{${outcome}}[1h]))`;

const causeAlerts: readonly Alert[] = [
  {
    alert: "PasNotScraped",
    expr: 'up{job="pas"} == 0 or absent(up{job="pas"})',
    for: "1m",
    labels: { severity: "page" },
    annotations: {
      summary: "A process does not answer Prometheus, or there is none.",
      runbook_url: runbook("health-and-readiness"),
    },
  },
  {
    alert: "PasDefect",
    expr: 'sum by (instance) (increase(pas_defects_total[10m])) > 0 or sum by (instance) (increase(pas_calls_seconds_count{outcome="internal"}[10m])) > 0',
    labels: { severity: "page" },
    annotations: {
      summary: "The service made a mistake; the log has it at level error.",
      runbook_url: runbook("scoring-failed"),
    },
  },
  {
    alert: "PasWaitsForConnections",
    expr: 'min_over_time(pas_database_connections{state="pending"}[1m]) > 0',
    for: "1m",
    labels: { severity: "ticket" },
    annotations: {
      summary: "Callers wait for connections to the database.",
      runbook_url: runbook("overloaded-503-or-429"),
    },
  },
  {
    alert: "PasCallsWait",
    expr: 'min_over_time(pas_calls_in_flight{state="waiting"}[1m]) > 0',
    for: "1m",
    labels: { severity: "ticket" },
    annotations: { summary: "A process has all the calls it can take.", runbook_url: runbook("overloaded-503-or-429") },
  },
  {
    alert: "PasEventLoopLags",
    expr: "nodejs_eventloop_lag_p99_seconds > 0.1",
    for: "5m",
    labels: { severity: "ticket" },
    annotations: { summary: "A process has more to do than its processor can.", runbook_url: runbook("metrics") },
  },
  {
    alert: "PasRestarts",
    expr: "changes(process_start_time_seconds[15m]) > 3",
    labels: { severity: "ticket" },
    annotations: { summary: "A process starts again and again.", runbook_url: runbook("health-and-readiness") },
  },
  {
    alert: "PasBackgroundJobFails",
    // A run that fails is repeated, so one that succeeds ends the trouble.
    expr: `${runsOfJobs('outcome=~"failed|deadline_exceeded"')} > 3 unless ${runsOfJobs('outcome="ok"')} > 0`,
    labels: { severity: "ticket" },
    annotations: {
      summary: "A background job has failed for an hour and not succeeded once.",
      runbook_url: runbook("background-jobs"),
    },
  },
  {
    alert: "PasBackgroundJobLate",
    // Every process tells of every job from its start on, so one that never gets its lease grows old as well.
    expr:
      "time() - max by (background_job) (pas_job_last_success_timestamp_seconds) > " +
      "3 * max by (background_job) (pas_job_interval_seconds) + 900",
    labels: { severity: "ticket" },
    annotations: {
      summary: "No process has done the work of a background job for three of its intervals and 15 minutes.",
      runbook_url: runbook("background-jobs"),
    },
  },
  {
    alert: "PasClocksDisagree",
    expr: "max by (instance) (pas_clock_skewed) > 0",
    for: "5m",
    labels: { severity: "ticket" },
    annotations: {
      summary: "The clock of a host is not that of the database.",
      runbook_url: runbook("the-clock-of-a-host-is-off"),
    },
  },
];
