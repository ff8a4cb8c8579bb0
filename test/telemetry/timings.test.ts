// The service's own histogram against the library's.
import fc from "fast-check";
import { Histogram, Registry } from "prom-client";
import { expect, test } from "vitest";
import { metricsText } from "../../src/telemetry/metrics/exposition.ts";
import { Timings } from "../../src/telemetry/metrics/timings.ts";
import { WorkerSums } from "../../src/telemetry/metrics/worker-sums.ts";

const options = { name: "pas_seconds", help: "Seconds", buckets: [0.0005, 0.0025, 0.25, 1] };
const labelNames = ["rpc", "outcome"] as const;
const openMetrics = "application/openmetrics-text";
const seconds = fc.oneof(fc.constantFrom(0, ...options.buckets, 1.5), fc.double({ min: 0, max: 2, noNaN: true }));
const observations = fc.array(fc.tuple(fc.constantFrom("Create", "Get"), fc.constantFrom("ok", "internal"), seconds));

test("a histogram of seconds tells what the library's tells: as text, as data and added up", async () => {
  await fc.assert(
    fc.asyncProperty(observations, async (all) => {
      const [theirs, ours] = [new Registry(), new Registry()];
      const reference = new Histogram({ ...options, labelNames, registers: [theirs] });
      const timings = new Timings({ ...options, labelNames, registers: [ours] });
      for (const [rpc, outcome, took] of all) {
        reference.observe({ rpc, outcome }, took);
        timings.observe([rpc, outcome], took);
      }
      expect(await metricsText(ours, undefined)).toEqual(await metricsText(theirs, undefined));
      expect(await added(ours)).toEqual(await added(theirs));
    }),
  );
});

test("without labels there is a series before anything is observed", async () => {
  const [theirs, ours] = [new Registry(), new Registry()];
  new Histogram({ ...options, registers: [theirs] });
  new Timings({ ...options, labelNames: [], registers: [ours] });
  expect(await metricsText(ours, undefined)).toEqual(await metricsText(theirs, undefined));
});

test("a trace is the example of its bucket, in OpenMetrics only", async () => {
  const registry = new Registry();
  const timings = new Timings({ ...options, labelNames, registers: [registry] });
  timings.observe(["Get", "ok"], 0.002, "0af7651916cd43dd8448eb211c80319c");
  timings.observe(["Get", "ok"], 0.001);
  const { text } = await metricsText(registry, openMetrics);
  const examples = text.split("\n").filter((line) => line.includes("trace_id"));
  expect(examples).toHaveLength(1);
  expect(examples[0]).toMatch(/le="0.0025".*\} 2 # \{trace_id="0af7651916cd43dd8448eb211c80319c"\} 0.002 \d{10}/);
  expect((await metricsText(registry, undefined)).text).not.toContain("trace_id");
});

/** What two processes tell that have both counted this. */
async function added(registry: Registry): Promise<string> {
  const sums = new WorkerSums();
  sums.tell(1, await registry.getMetricsAsJSON());
  sums.tell(2, await registry.getMetricsAsJSON());
  return (await sums.text([])).text;
}
