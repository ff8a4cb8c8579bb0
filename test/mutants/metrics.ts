// Faults in what operators read.
import type { Mutant } from "./mutant.ts";

const units = { project: "pure", tests: ["test/telemetry/units.test.ts"] } as const;
const service = { project: "mariadb", tests: ["test/e2e/operation/metrics.test.ts"] } as const;
const logs = { project: "mariadb", tests: ["test/e2e/operation/logs.test.ts"] } as const;
const observers = "src/telemetry/observers.ts";

export const metricMutants: readonly Mutant[] = [
  {
    fault: "lines of the log tell seconds as milliseconds",
    file: observers,
    replace: "      ms: Math.round(seconds * 1e4) / 10,",
    by: "      ms: Math.round(seconds * 1e4) / 1e4,",
    ...logs,
  },
  {
    fault: "a call over HTTP is logged once more as a request",
    file: observers,
    replace: "if (isReported || (status",
    by: "if ((status",
    ...logs,
  },
  {
    fault: "lines of the log do not name the client",
    file: observers,
    replace: "      clientId,\n      partnerId,\n      outcome,\n",
    by: "      partnerId,\n      outcome,\n",
    ...logs,
  },
  {
    fault: "refusals are logged as trouble of the service",
    file: "src/telemetry/observers.ts",
    replace: 'troubles.has(outcome) ? "warn" : "info"',
    by: '"warn"',
    ...logs,
  },
  {
    fault: "attempts of webhooks are told in milliseconds",
    file: "src/telemetry/logs/background-log.ts",
    replace: "tookMs / 1000",
    by: "tookMs",
    ...units,
  },
  {
    fault: "statements and waits are told in milliseconds",
    file: "src/telemetry/metrics/families/process-metrics.ts",
    replace: "(now() - startedAt) / 1000",
    by: "now() - startedAt",
    ...units,
  },
  {
    fault: "certificates expire a thousand times as late",
    file: "src/telemetry/metrics/families/process-metrics.ts",
    replace: "(at - clock()) / 1000",
    by: "at - clock()",
    ...units,
  },
  {
    fault: "the interval of a job is told in milliseconds",
    file: "src/telemetry/logs/background-log.ts",
    replace: "intervalMs / 1000",
    by: "intervalMs",
    ...units,
  },
  {
    fault: "calls that callers should leave are counted for nobody",
    file: "src/telemetry/metrics/families/call-metrics.ts",
    replace: "deprecatedCalls.inc({ rpc, client_id: client })",
    by: 'deprecatedCalls.inc({ rpc, client_id: "none" })',
    ...units,
  },
  {
    fault: "statements that were stored count as failures of the audit log",
    file: "src/telemetry/metrics/families/process-metrics.ts",
    replace: "if (isStored) batches",
    by: "if (!isStored) batches",
    ...units,
  },
  {
    fault: "calls are told in milliseconds",
    file: "src/process/core.ts",
    replace: "const now = () => performance.now() / 1000;",
    by: "const now = () => performance.now();",
    ...service,
  },
  {
    fault: "requests are told in milliseconds",
    file: "src/transport/http/server.ts",
    replace: "const now = () => performance.now() / 1000;",
    by: "const now = () => performance.now();",
    ...service,
  },
  {
    fault: "calls of a gateway are told in milliseconds",
    file: "src/transport/remote-core/remote-core.ts",
    replace: "const end = (code: string) => observe(rpc, code, (now() - startedAt) / 1000);",
    by: "const end = (code: string) => observe(rpc, code, now() - startedAt);",
    ...service,
  },
  {
    fault: "runs of jobs are told in milliseconds",
    file: "src/jobs/scheduled-job.ts",
    replace: "seconds: (timers.now() - startedAt) / 1000",
    by: "seconds: timers.now() - startedAt",
    ...service,
  },
  {
    fault: "the age of what is to be announced is told in milliseconds",
    file: "src/store/events/event-store.ts",
    replace: "unpublished_since, NOW(3)) / 1000000 AS seconds",
    by: "unpublished_since, NOW(3)) / 1000 AS seconds",
    ...service,
  },
  {
    fault: "events that are held are told as seconds of what is to be announced",
    file: "src/telemetry/observers.ts",
    replace: "metrics.events.held.set(events)",
    by: "metrics.events.unpublished.set(events)",
    project: "pure",
    tests: ["test/telemetry/units.test.ts"],
  },
  {
    fault: "calls that are not let in are counted nowhere",
    file: "src/process/app.ts",
    replace: "createAdmission(config, metrics.admission)",
    by: "createAdmission(config)",
    project: "mariadb",
    tests: ["test/pipeline/overload.test.ts"],
  },
];
