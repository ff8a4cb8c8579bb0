// Tracing by itself: when it is on, what happens without a collector, and what is loaded where it is off.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { readConfig } from "../../src/config.ts";
import { createResource, type Tracing } from "../../src/telemetry/spans.ts";
import { openTracing } from "../../src/telemetry/telemetry.ts";
import { closedAt } from "../support/closing.ts";
import { startCollector } from "../support/processes/collector.ts";

const collectorOfTest = closedAt(onTestFinished, startCollector);

async function open(environment: Record<string, string>) {
  const counts = { exported: 0, failed: 0 };
  const tracing = await openTracing(readConfig(environment), (outcome, spans) => {
    counts[outcome] += spans;
  });
  return { tracing: tracing as Tracing, counts };
}

test("no traces are recorded without a collector", async () => {
  expect((await open({})).tracing).toBeUndefined();
});

/** The names of the spans that a collector gets of one call. */
async function collected(environment: (url: string) => Record<string, string>) {
  const collector = await collectorOfTest();
  const tracing = await openTracing(readConfig(environment(collector.url)), () => undefined);
  const span = tracing?.sample({
    name: "sampled",
    startedAt: performance.now(),
    traceparent: undefined,
  });
  span?.end({}, false);
  await tracing?.stop();
  return collector.spans.map(({ name }) => name);
}

test.each<[name: string, environment: (url: string) => Record<string, string>]>([
  ["the endpoint and every call", (url) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_SAMPLER_ARG: "1" })],
  [
    "the endpoint of traces",
    (url) => ({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/v1/traces`, OTEL_TRACES_SAMPLER_ARG: "1" }),
  ],
  [
    "both endpoints, of which that of traces counts",
    (url) => ({
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1",
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/v1/traces`,
      OTEL_TRACES_SAMPLER_ARG: "1",
    }),
  ],
  ["always_on", (url) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_SAMPLER: "always_on" })],
  [
    "parentbased_always_on",
    (url) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_SAMPLER: "parentbased_always_on" }),
  ],
])("a call is traced with %s", async (_name, environment) => {
  expect(await collected(environment)).toEqual(["sampled"]);
});

test.each([
  { OTEL_SDK_DISABLED: "true" },
  { OTEL_SDK_DISABLED: "TRUE" },
  { OTEL_TRACES_EXPORTER: "none" },
  { OTEL_TRACES_SAMPLER: "always_off" },
])("%j turns tracing off", async (off) => {
  const on = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1", OTEL_TRACES_SAMPLER_ARG: "1" };
  expect((await open({ ...on, ...off })).tracing).toBeUndefined();
});

test.each([
  ["OTEL_SDK_DISABLED", "yes"],
  ["OTEL_TRACES_EXPORTER", "zipkin"],
  ["OTEL_TRACES_EXPORTER", "otlp,console"],
  ["OTEL_TRACES_SAMPLER", "jaeger_remote"],
  ["OTEL_TRACES_SAMPLER_ARG", "2"],
  ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
  ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "http/json"],
  ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "collector:4318"],
])("the start refuses %s=%s by its name", (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(name);
});

test("spans carry the attributes of OTEL_RESOURCE_ATTRIBUTES", () => {
  vi.stubEnv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(createResource("assessments").attributes).toMatchObject({
    "service.name": "assessments",
    "deployment.environment.name": "test",
  });
});

test("a call has at most a hundred spans below its own", async () => {
  const collector = await collectorOfTest();
  const { tracing } = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: "1" });
  const observer = tracing.traceStatements({ beginWait: () => () => {}, beginStatement: () => () => {} });
  const start = { name: "many", startedAt: performance.now(), traceparent: undefined };
  const span = tracing.sample(start);
  span?.run(() => {
    for (let index = 0; index < 150; index += 1) observer.beginStatement("SELECT x", "SELECT ? FROM x")();
  });
  // Nothing runs for it any more.
  observer.beginStatement("SELECT y", "SELECT ? FROM y")();
  span?.end({}, false);
  await tracing.stop();
  expect(collector.spans.filter(({ name }) => name === "SELECT x")).toHaveLength(100);
  expect(collector.spans.filter(({ name }) => name === "SELECT y")).toEqual([]);
  expect(collector.spans.filter(({ name }) => name === "many")).toHaveLength(1);
});

test.each([
  ["is not there", async () => "http://127.0.0.1:1"],
  ["refuses spans", async () => (await collectorOfTest(400)).url],
])(
  "a collector that %s loses spans, which are counted, and delays a stop by two seconds at most",
  async (_what, place) => {
    const { tracing, counts } = await open({
      OTEL_EXPORTER_OTLP_ENDPOINT: await place(),
      OTEL_TRACES_SAMPLER_ARG: "1",
    });
    tracing.sample({ name: "lost", startedAt: performance.now(), traceparent: undefined })?.end({}, true);
    await tracing.stop();
    expect(counts.exported).toBe(0);
  },
);

test("only the API of OpenTelemetry, which metrics use, is loaded without a collector", async () => {
  const loaded = async (environment: Record<string, string>) => {
    const script = `
      import { registerHooks } from "node:module";
      const seen = [];
      registerHooks({ resolve(name, context, next) { const found = next(name, context); seen.push(found.url); return found; } });
      const { openTracing } = await import("./src/telemetry/telemetry.ts");
      const { readConfig } = await import("./src/config.ts");
      await import("./src/process/app.ts");
      await openTracing(readConfig(process.env), () => undefined);
      console.log(seen.filter((url) => /@opentelemetry.(?!api.)/.test(url)).length);
      process.exit(0);`;
    const options = { env: { PATH: process.env.PATH ?? "", ...environment } };
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], options);
    return Number(stdout);
  };
  expect(await loaded({})).toBe(0);
  expect(await loaded({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" })).toBeGreaterThan(0);
});
