// The runbook says what there is: its metrics, its commands, its variables and its links are held to the code.
import { existsSync, globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { errorRows } from "../../src/kernel/errors/error-table.ts";
import {
  createBackgroundJobs,
  createBacklogJob,
  createDeliveryJobs,
  createLogJobs,
  createReadinessJob,
} from "../../src/process/background-jobs.ts";
import { createLogger } from "../../src/telemetry/logger.ts";
import { createTelemetry } from "../../src/telemetry/telemetry.ts";
import { storesOfNothing, testDependencies } from "../support/dependencies.ts";
import { runPas } from "../support/processes/program.ts";

const runbook = readFileSync("docs/runbook.md", "utf8");

/** Lines of the shell blocks, those that go on in the next line joined with it. */
const shellLines = [...runbook.matchAll(/^ *```sh\n(.*?)^ *```$/gms)].flatMap(([, block = ""]) =>
  block
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== ""),
);
const commands = [...new Set(shellLines.filter((line) => line.startsWith("pas ")))];

test("every metric of ours, and every value that its state can have, is explained", async () => {
  const telemetry = createTelemetry(createLogger("silent"));
  telemetry.addSource("arrivingBytes", () => ({}));
  telemetry.addSource("connections", () => ({ used: 0, free: 0, pending: 0 }));
  telemetry.addSource("calls", () => ({ running: 0, waiting: 0, idle: 0 }));
  telemetry.addSource("connectionBytes", () => ({}));
  const text = (await telemetry.scrape()).text;
  const names = [...text.matchAll(/^# TYPE (pas_\w+)/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThanOrEqual(4);
  const explainedNames = [...runbook.matchAll(/^\| `(pas_\w+)` \|/gm)].map(([, name]) => name);
  expect(explainedNames.toSorted()).toEqual(names.toSorted());
  for (const [, state] of text.matchAll(/^pas_\w+\{state="(\w+)"\}/gm)) expect(runbook).toContain(`\`${state}\``);
});

test("every outcome it explains is a code of the error table", () => {
  const codes: readonly string[] = errorRows.map(({ code }) => code);
  const table = runbook.slice(runbook.indexOf("| Outcome |"), runbook.indexOf("The rest (`nodejs_"));
  const named = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, code = ""]) => code);
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((code) => !codes.includes(code))).toEqual([]);
});

test("the runbook has commands", () => {
  expect(commands.length).toBeGreaterThan(9);
});

// A database that is not there and an address that is not ours: whatever is well said fails for that, and no other, reason.
const environment = {
  DATABASE_URL: "mysql://nobody@127.0.0.1:1/nothing",
  HOST: "203.0.113.1",
  HTTP_PORT: "0",
  GRPC_PORT: "0",
  LOG_LEVEL: "silent",
};

test.each(commands)("%s is a valid call of the command", async (line) => {
  const words = (line.match(/"[^"]*"|\S+/g) ?? []).slice(1).map((word) =>
    word
      .replaceAll('"', "")
      .replace(/^\$\w+_ID$/, crypto.randomUUID())
      .replace(/^FILE$/, "src/products/values-bridge/definition/values-bridge.json"),
  );
  const { code } = await runPas(words, environment);
  expect(code).toBe(line.startsWith("pas assessment check") ? 0 : 1);
});

test("the tests that the runbook names exist", () => {
  for (const [path] of runbook.matchAll(/test\/[\w/-]+\.test\.ts/g)) expect(existsSync(path)).toBe(true);
});

/** Chapters without commands, with what shows them. */
const shownElsewhere: Readonly<Record<string, string>> = { "Somebody is hostile": "test/security" };

test("every incident of the runbook happens in a test, which runs the commands of its chapter", () => {
  const [, incidents = ""] = runbook.split("\n## Incidents\n");
  const [text = ""] = incidents.split("\n## ");
  const headings = [...text.matchAll(/^### (.*)$/gm)].map(([, heading = ""]) => heading);
  expect(headings.length).toBeGreaterThan(15);
  const tests = globSync("test/faults/runbook/*.test.ts").map((file) => readFileSync(file, "utf8"));
  const run = headings.filter((heading) => tests.some((source) => source.includes(`commandsOf("${heading}")`)));
  expect([...run, ...Object.keys(shownElsewhere)].toSorted()).toEqual(headings.toSorted());
});

test("every background job is in the table of the runbook, as it is in code", () => {
  const dependencies = testDependencies(storesOfNothing());
  const nothing = {
    observeUnpublished: () => undefined,
    observeAnchor: () => undefined,
  };
  const sequencing = {
    sequencer: { run: async () => undefined },
    log: { expireEvents: async () => false },
  };
  const jobs = [
    createReadinessJob(async () => undefined),
    ...createBackgroundJobs(dependencies, nothing, readConfig({})),
    ...createLogJobs(dependencies, sequencing, readConfig({})),
  ];
  const time = (ms: number) => (ms > 60_000 ? `${ms / 60_000} min` : ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`);
  const rows = jobs.map(({ name, intervalMs, deadlineMs, isExclusive }) => {
    const where = isExclusive ? "one process" : "each process";
    return `| \`${name}\` | ${time(intervalMs)} | ${time(deadlineMs)} | ${where} |`;
  });
  const deliveries = {
    wakeEndpoints: async () => undefined,
    readDeliveryState: async () => ({ endpoints: { healthy: 0, down: 0, disabled: 0 }, behindSeconds: 0 }),
  };
  const deliverer = { leaseMs: 10_000, run: async () => undefined };
  const delivering = [
    ...createDeliveryJobs({ deliveries }, deliverer),
    createBacklogJob({ deliveries }, createTelemetry(createLogger("silent")).deliveries),
  ];
  for (const job of delivering) {
    const where = job.isExclusive ? "one process" : "each process that delivers";
    expect(runbook).toContain(`| \`${job.name}\` | ${time(job.intervalMs)} | ${time(job.deadlineMs)} | ${where} |`);
  }
  for (const row of rows) expect(runbook).toContain(row);
  const table = runbook.slice(runbook.indexOf("| Job |"), runbook.indexOf("A job that runs in one process"));
  expect(table.match(/^\| `/gm)).toHaveLength(jobs.length + delivering.length);
});
