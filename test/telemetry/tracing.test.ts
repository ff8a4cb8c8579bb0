// Tracing by itself: what is recorded afterwards, what happens without a collector, and what is loaded where it is off.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { readConfig } from "../../src/config.ts";
import type { CallEvent } from "../../src/kernel/telemetry.ts";
import { openTracing, unreadVariables } from "../../src/telemetry/tracing/open-tracing.ts";
import { resourceOf } from "../../src/telemetry/tracing/spans.ts";
import type { Tracing } from "../../src/telemetry/tracing/tracing.ts";
import { startCollector } from "../support/processes/collector.ts";

const call: CallEvent = {
  rpc: "SessionService/GetSession",
  transport: "grpc",
  requestId: "one",
  traceparent: "00-0123456789abcdef0123456789abcdef-fedcba9876543210-00",
  span: undefined,
  clientId: undefined,
  partnerId: undefined,
  outcome: "ok",
  violation: undefined,
  seconds: 0.01,
  cause: undefined,
};

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
  const collector = await startCollector();
  onTestFinished(() => collector.close());
  const tracing = await openTracing(readConfig(environment(collector.url)), () => undefined);
  const span = tracing?.sample({ name: "sampled", startedAt: performance.now(), traceparent: undefined });
  tracing?.endCall({ ...call, span });
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

test("variables of OpenTelemetry that nobody reads are known by name", () => {
  const environment = {
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=x",
    OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: "1000",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
    OTEL_SERVICE_NAME: "assessments",
    OTEL_PROPAGATORS: "b3",
    OTEL_BSP_MAX_QUEUE_SIZE: "10",
    PATH: "/bin",
  };
  expect(unreadVariables(readConfig(environment))).toEqual(["OTEL_PROPAGATORS", "OTEL_BSP_MAX_QUEUE_SIZE"]);
});

test("spans carry the attributes of OTEL_RESOURCE_ATTRIBUTES", () => {
  vi.stubEnv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(resourceOf("assessments").attributes).toMatchObject({
    "service.name": "assessments",
    "deployment.environment.name": "test",
  });
});

test("unsampled calls are recorded if they failed or were slow, at most twenty a second", async () => {
  const collector = await startCollector();
  onTestFinished(() => collector.close());
  const { tracing, counts } = await open({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_TRACES_SAMPLER_ARG: "0",
  });
  expect(tracing.sample({ name: "x", startedAt: 0, traceparent: undefined })).toBeUndefined();
  // All of it happens in the same second.
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  tracing.endCall(call);
  tracing.endCall({ ...call, outcome: "not_found" });
  tracing.endCall({ ...call, seconds: 1.5 });
  for (const outcome of ["internal", "unavailable", "deadline_exceeded"] as const)
    tracing.endCall({ ...call, outcome });
  for (let index = 0; index < 100; index += 1) tracing.endCall({ ...call, outcome: "unavailable" });
  clock.mockRestore();
  await tracing.stop();
  expect(collector.spans).toHaveLength(20);
  expect(counts).toEqual({ exported: 20, failed: 0 });
  expect(collector.spans.slice(0, 4).map(({ attributes, isError }) => [attributes["pas.outcome"], isError])).toEqual([
    ["ok", false],
    ["internal", true],
    ["unavailable", true],
    ["deadline_exceeded", true],
  ]);
  expect(collector.spans[0]?.seconds).toBeCloseTo(1.5, 1);
  expect(collector.spans[0]).toMatchObject({
    traceId: call.traceparent?.slice(3, 35),
    parentSpanId: "fedcba9876543210",
  });
});

test("a call has at most a hundred spans below its own", async () => {
  const collector = await startCollector();
  onTestFinished(() => collector.close());
  const { tracing } = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: "1" });
  const observer = tracing.alsoStatements({ beginWait: () => () => {}, beginStatement: () => () => {} });
  const start = { name: "many", startedAt: performance.now(), traceparent: undefined };
  const span = tracing.sample(start);
  span?.run(() => {
    for (let index = 0; index < 150; index += 1) observer.beginStatement("SELECT x", "SELECT ? FROM x")();
  });
  // Nothing runs for it any more.
  observer.beginStatement("SELECT y", "SELECT ? FROM y")();
  tracing.endCall({ ...call, span });
  await tracing.stop();
  expect(collector.spans.filter(({ name }) => name === "SELECT x")).toHaveLength(100);
  expect(collector.spans.filter(({ name }) => name === "SELECT y")).toEqual([]);
  expect(collector.spans.filter(({ name }) => name === "many")).toHaveLength(1);
});

test.each([
  ["is not there", async () => "http://127.0.0.1:1"],
  [
    "refuses spans",
    async () => {
      const collector = await startCollector(400);
      onTestFinished(() => collector.close());
      return collector.url;
    },
  ],
])(
  "a collector that %s loses spans, which are counted, and delays a stop by two seconds at most",
  async (_what, place) => {
    const { tracing, counts } = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: await place() });
    tracing.endCall({ ...call, outcome: "internal" });
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
      const { openTracing } = await import("./src/telemetry/tracing/open-tracing.ts");
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
