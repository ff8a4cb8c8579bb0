// Faults in what a process does beside requests: log, watch, commands, embedded database.
import type { Mutant } from "./mutant.ts";

const ofPages = { project: "mariadb", tests: ["test/e2e/commands/pages.test.ts"] } as const;

export const processMutants: readonly Mutant[] = [
  {
    fault: "lines of the log have no limit",
    file: "src/telemetry/logs/line-limits.ts",
    replace: "if (second.written >= maxLinesPerSecond) {",
    by: "if (second.written >= maxLinesPerSecond * 1e9) {",
    project: "pure",
    tests: ["test/telemetry/log-lines.test.ts"],
  },
  {
    fault: "a caller that leaves is somebody's trouble",
    file: "src/telemetry/observers.ts",
    replace: 'new Set(["ok", "caller_gone"])',
    by: 'new Set(["ok"])',
    project: "mariadb",
    tests: ["test/transport/http/requests.test.ts"],
  },
  {
    fault: "nobody watches readiness",
    file: "src/process/background-jobs.ts",
    replace: "await readiness();",
    by: "",
    project: "mariadb",
    tests: ["test/transport/grpc/readiness-watch.test.ts"],
  },
  {
    fault: "the watch of readiness is not started",
    file: "src/process/app.ts",
    replace: "  jobs.start(readinessWatch(readiness, shards.check));\n",
    by: "",
    project: "mariadb",
    tests: ["test/transport/grpc/readiness-watch.test.ts"],
  },
  {
    fault: "commands run on an old schema",
    file: "src/cli/database.ts",
    replace: "if (pending.length > 0) throw new Error(",
    by: "if (pending.length < 0) throw new Error(",
    project: "mariadb",
    tests: ["test/e2e/commands/commands.test.ts"],
  },
  {
    fault: "a lock whose pid another process has now is held for ever",
    file: "src/database/embedded/lock.ts",
    replace: "return found !== undefined && found.start === start;",
    by: 'return found !== undefined && found.start !== "" && start !== "";',
    project: "pure",
    tests: ["test/database/lock.test.ts"],
  },
  {
    fault: "an operator is shown the first thousand partners alone",
    file: "src/cli/partners/partner-lists.ts",
    replace: 'while (pageToken !== "")',
    by: "while (all.length < 0)",
    ...ofPages,
  },
  {
    fault: "an operator is shown the first 500 events alone",
    file: "src/cli/events/events.ts",
    replace: "while (!page.isEnd)",
    by: "while (page.last < 0)",
    ...ofPages,
  },
  {
    fault: "commands reach the first 500 endpoints alone",
    file: "src/cli/events/webhooks.ts",
    replace: "page.length < pageSize",
    by: "page.length <= pageSize",
    ...ofPages,
  },
  {
    fault: "an operator is shown the first hundred groups alone",
    file: "src/cli/sessions/groups.ts",
    replace: 'if (page.next === "") return;',
    by: "return;",
    ...ofPages,
  },
  {
    fault: "a certificate that is good for some hours is told to have expired",
    file: "src/cli/doctor/certificates.ts",
    replace: "if (days < 0)",
    by: "if (days <= 0)",
    project: "mariadb",
    tests: ["test/e2e/operation/doctor.test.ts"],
  },
  {
    fault: "a job of one shard keeps those of all others from running",
    file: "src/process/background-jobs.ts",
    replace: 'shard === "" ? job :',
    by: "shard !== undefined ? job :",
    project: "pure",
    tests: ["test/jobs/background-jobs.test.ts"],
  },
];
