// Rules and dashboard, on a real Prometheus that scrapes a real service: every query finds something, and an alert
// fires.
import { execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { prepareDatabase } from "../../src/cli/migrate.ts";
import { readConfig } from "../../src/config.ts";
import { startEmbeddedDatabase } from "../../src/database/embedded/database.ts";
import { startApp } from "../../src/process/app.ts";
import { startGatewayApp } from "../../src/process/gateway-app.ts";
import { createLogger } from "../../src/telemetry/logger.ts";
import { fetchToken } from "../support/databases/partners.ts";
import { killServerOf } from "../support/databases/servers/embedded-server.ts";
import { folderOfFile } from "../support/folders.ts";
import { copyCertificates } from "../support/processes/certificates.ts";
import { startCollector } from "../support/processes/collector.ts";
import { freePort } from "../support/processes/free-port.ts";
import { isServed } from "../support/processes/loopback.ts";
import { runPas } from "../support/processes/program.ts";
import { provide } from "../support/run/programs.ts";
import { restTransport } from "../support/transports/rest-transport.ts";
import { until } from "../support/until.ts";

interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly annotations?: { readonly runbook_url: string };
}
interface Scenario {
  readonly alert_rule_test?: readonly { readonly alertname: string; readonly exp_alerts: readonly unknown[] }[];
  readonly promql_expr_test?: readonly {
    readonly expr: string;
    readonly exp_samples: readonly { readonly labels: string }[];
  }[];
}
interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}
interface Found {
  readonly status: string;
  readonly data: {
    readonly result: readonly { readonly metric: Record<string, string>; readonly value: [number, string] }[];
  };
}

const run = promisify(execFile);
const rulesFile = "deploy/prometheus/rules.yaml";
const rules: readonly Rule[] = parse(readFileSync(rulesFile, "utf8")).groups.flatMap(
  ({ rules: each }: { rules: Rule[] }) => each,
);
const { panels } = JSON.parse(readFileSync("deploy/grafana/service.json", "utf8")) as { panels: readonly Panel[] };
const queries = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));

const program = await provide("prometheus");
const folder = folderOfFile();
const dataDir = join(folder, "database");
const database = await startEmbeddedDatabase({ dataDir, log: () => undefined });
await prepareDatabase({ say: () => undefined }, database);
copyCertificates(folder);
const collector = await startCollector();
const file = (name: string) => join(folder, name);
const config = readConfig({
  ...{ HTTP_PORT: "0", GRPC_PORT: "0", OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: "1" },
  ...{ GRPC_TLS_CERT_FILE: file("server.pem"), GRPC_TLS_KEY_FILE: file("server.key") },
});
const log = createLogger("silent");
const app = await startApp({ config, role: "all", database, log });
const pas = async (...words: string[]) => JSON.parse((await runPas(words, { DATA_DIR: dataDir })).stdout);
const { partnerId } = await pas("partner", "create", "--name", "Test");
const scopes = ["--scopes", "sessions:write sessions:read"];
const token = await fetchToken(
  app.httpUrl,
  await pas("client", "create", "--partner", partnerId, "--name", "c", ...scopes),
);
const internal = await pas("partner", "create", "--name", "Gateway", "--internal");
const client = await pas("client", "create", "--partner", internal.partnerId, "--name", "g", "--scopes", "gateway");
const core = { url: `https://127.0.0.1:${app.grpcPort}`, ...client };
const hop = readConfig({ HTTP_PORT: "0", CORE_TLS_CA_FILE: file("ca.pem") });
const gateway = await startGatewayApp({ config: hop, core, log });
const hosts = [app, gateway].map(({ httpUrl }) => new URL(httpUrl).host);
const scraping = {
  global: { scrape_interval: "1s", evaluation_interval: "1s" },
  rule_files: [resolve(rulesFile)],
  scrape_configs: [{ job_name: "pas", static_configs: [{ targets: hosts }] }],
};
await writeFile(join(folder, "prometheus.yaml"), JSON.stringify(scraping));
const address = `127.0.0.1:${await freePort()}`;
const url = `http://${address}`;
const options = [
  `--config.file=${join(folder, "prometheus.yaml")}`,
  `--storage.tsdb.path=${join(folder, "data")}`,
  `--web.listen-address=${address}`,
];
const prometheus = spawn(program, options, { stdio: "ignore" });
await until(() => isServed(`${url}/-/ready`));
afterAll(async () => {
  prometheus.kill("SIGKILL");
  await gateway.stop();
  await app.stop();
  await collector.close();
  await database.stop();
});

async function query(expression: string): Promise<Found["data"]["result"]> {
  const response = await fetch(`${url}/api/v1/query`, {
    method: "POST",
    body: new URLSearchParams({ query: expression }),
  });
  const queryResult = (await response.json()) as Found;
  expect([expression, queryResult.status]).toEqual([expression, "success"]);
  return queryResult.data.result;
}

/** Grafana's variable has a value here that no scrape which comes late, or not at all, makes too short. */
const inGrafana = (expression: string) => expression.replaceAll("$__rate_interval", "10m");

test("each alert fires in one scenario, and does not fire in another", async () => {
  const { stdout } = await run(await provide("promtool"), ["test", "rules", "deploy/prometheus/rules.test.yaml"]);
  expect(stdout).toContain("SUCCESS");
  const { tests }: { tests: Scenario[] } = parse(readFileSync("deploy/prometheus/rules.test.yaml", "utf8"));
  const looks = tests.flatMap((scenario) => scenario.alert_rule_test ?? []);
  const lookedFor = (isFiring: boolean) =>
    new Set(looks.filter((look) => look.exp_alerts.length > 0 === isFiring).map(({ alertname }) => alertname));
  // In one scenario what has a limit is at it, and nothing is told; in another it is just beyond.
  const counts = tests.flatMap((scenario) => scenario.promql_expr_test ?? []).filter(({ expr }) => /ALERTS/.test(expr));
  expect(counts.filter(({ exp_samples: samples }) => samples.length === 0)).toHaveLength(1);
  const limited = counts.flatMap(({ exp_samples: samples }) =>
    samples.flatMap(({ labels }) => /alertname="(\w+)"/.exec(labels)?.[1] ?? []),
  );
  const alerts = new Set(rules.flatMap(({ alert }) => alert ?? []));
  expect([...alerts.difference(lookedFor(true))]).toEqual([]);
  expect([...alerts.difference(lookedFor(false)).difference(new Set(limited))]).toEqual([]);
});

test("every alert leads to a chapter of the runbook", () => {
  const headings = [...readFileSync("docs/runbook.md", "utf8").matchAll(/^#+ (.+)$/gm)].map(([, words = ""]) =>
    words
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );
  const anchors = rules.flatMap(({ annotations }) => annotations?.runbook_url.split("#")[1] ?? []);
  expect(anchors.length).toBeGreaterThan(7);
  expect(anchors.filter((anchor) => !headings.includes(anchor))).toEqual([]);
});

test("rules and dashboard name only metrics that the service has", async () => {
  const texts = [app, gateway].map(async ({ httpUrl }) => (await fetch(`${httpUrl}/metrics`)).text());
  const text = (await Promise.all(texts)).join("\n");
  const metricNames = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name = ""]) => name));
  const expressions = [...rules, ...queries].map(({ expr }) => expr);
  const matches = expressions.flatMap((expr) => [...expr.matchAll(/\b((?:pas|nodejs|process)_\w+)/g)]);
  const names = [...new Set(matches.map(([, name = ""]) => name.replace(/_(count|bucket|sum)$/, "")))];
  expect(names.length).toBeGreaterThan(7);
  expect(names.filter((name) => !metricNames.has(name))).toEqual([]);
});

describe("a monitored service", () => {
  beforeAll(async () => {
    const transport = restTransport(app.httpUrl);
    await until(async () => {
      await transport.createSession({ token }, {});
      await transport.getSession({ token }, "00000000-0000-7000-8000-000000000000");
      return (await query('pas:slo_bad_calls:ratio_rate1h{slo="api-latency"} >= 0')).length > 0;
    });
    // What is looked at once in a while.
    await until(async () => (await query("pas_webhook_endpoints")).length > 0);
    // What is counted once in a while is counted while somebody calls, also through the gateway.
    const through = restTransport(gateway.httpUrl);
    for (const series of ["pas_job_seconds_count", "pas_event_lag_seconds_count"]) {
      await until(async () => {
        await transport.createSession({ token }, {});
        const creation = await through.createSession({ token }, {});
        if (creation.ok) await transport.completeSession({ token }, creation.body.sessionId);
        return (await query(inGrafana(`sum(rate(${series}[$__rate_interval])) > 0`))).length > 0;
      });
    }
  });

  test.each(queries.filter(({ expr }) => !expr.includes("hosted-")))(
    "the dashboard's graph $title finds something: $expr",
    async ({ expr }) => {
      // After a scrape that failed nothing has a value until the next one.
      await until(async () => (await query(inGrafana(expr))).length > 0, 60_000);
    },
  );

  test("no alert but those of speed fires while the service is well, and one pages when its database is killed", async () => {
    // What tells of a slow machine is not asked: this one may be slow.
    const ofSpeed = "Pas(CallsWait|EventLoopLags|WaitsForConnections)";
    const alerts = `ALERTS{alertstate="firing",slo!~".+-latency",alertname!~"${ofSpeed}"}`;
    const firing = async () =>
      (await query(alerts)).map(({ metric }) => [metric.alertname, metric.severity, metric.slo]);
    expect(await firing()).toEqual([]);
    const transport = restTransport(app.httpUrl);
    await killServerOf(dataDir);
    const callAndAsk = () => transport.createSession({ token }, {}).then(firing);
    await expect.poll(callAndAsk).toContainEqual(["PasBudgetBurns", "page", "api-availability"]);
  });
});
