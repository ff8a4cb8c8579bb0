// Metrics in both formats that Prometheus reads, and those of several processes as those of one.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { expect, onTestFinished, test } from "vitest";
import type { CallSpan } from "../../src/kernel/telemetry.ts";
import type { MetricsSnapshot } from "../../src/telemetry/metrics/exposition.ts";
import { certificateExpiries } from "../../src/telemetry/metrics/families/process-metrics.ts";
import { createMetrics } from "../../src/telemetry/metrics/metrics.ts";
import { WorkerSums } from "../../src/telemetry/metrics/worker-sums.ts";
import { copyCertificates } from "../support/processes/certificates.ts";

const call = { rpc: "S/M", transport: "grpc", outcome: "ok", seconds: 0.002 } as const;
const traceId = "0123456789abcdef0123456789abcdef";

test("a traced call is an example of its bucket, in OpenMetrics alone, which ends with its end", async () => {
  const metrics = createMetrics(() => ({}));
  metrics.observeCall({ ...call, span: { traceId } as CallSpan });
  metrics.observeCall({ ...call, span: undefined });
  const open = await metrics.scrape("application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.3");
  expect(open.contentType).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
  const example = `pas_calls_seconds_bucket{le="0.0025",rpc="S/M",door="grpc",outcome="ok"} 2 # {trace_id="${traceId}"} 0.002`;
  expect(open.text).toContain(example);
  expect(open.text.endsWith("# EOF\n")).toBe(true);
  const plain = await metrics.scrape();
  expect(plain.contentType).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(plain.text).not.toContain("trace_id");
  expect(plain.text).toContain('pas_calls_seconds_count{rpc="S/M",door="grpc",outcome="ok"} 2');
});

test("counters have their names in either format, whichever was asked for before", async () => {
  const metrics = createMetrics(() => ({}));
  metrics.defects.inc({ what: "scoring" });
  for (const accept of [undefined, "application/openmetrics-text", undefined]) {
    const { text } = await metrics.scrape(accept);
    expect(text).toContain('pas_defects_total{what="scoring"} 1');
    expect(text).not.toContain("_total_total");
    expect(text).toContain(accept === undefined ? "# TYPE pas_defects_total counter" : "# TYPE pas_defects counter");
  }
});

test("a certificate that a process shows is told with the seconds that it is good for", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pas-certificates-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  copyCertificates(folder);
  const certificates = await certificateExpiries({ grpc: join(folder, "server.pem"), gateway: undefined });
  const { text } = await createMetrics(() => ({}), { certificates }).scrape();
  const [, seconds] = /^pas_tls_expiry_seconds\{certificate="grpc"\} (\S+)$/m.exec(text) ?? [];
  expect(Number(seconds)).toBeGreaterThan(3600);
  expect(text).not.toContain('certificate="gateway"');
});

/** What a worker tells that has so much of everything. */
function reported(amount: number): Promise<MetricsSnapshot> {
  const registry = new Registry();
  const registers = [registry];
  new Counter({ name: "c_total", help: "c", registers, labelNames: ["kind"] }).inc({ kind: "a" }, amount);
  new Histogram({ name: "h_seconds", help: "h", registers, buckets: [1, 10] }).observe(amount);
  new Gauge({ name: "held", help: "g", registers }).set(amount);
  new Gauge({ name: "behind", help: "b", registers, aggregator: "max" }).set(amount);
  return registry.getMetricsAsJSON();
}

const lineOf = (text: string, name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);

test("counts of workers are added up, and none falls when a worker ends and another one begins", async () => {
  const sums = new WorkerSums();
  sums.tell(1, await reported(2));
  sums.tell(2, await reported(5));
  const read = async () => {
    const { text } = await sums.text([]);
    return ['c_total\\{kind="a"\\}', "h_seconds_count", "h_seconds_sum", "held", "behind"].map((name) =>
      lineOf(text, name),
    );
  };
  expect(await read()).toEqual([7, 2, 7, 7, 5]);
  sums.tell(2, await reported(6));
  expect(await read()).toEqual([8, 2, 8, 8, 6]);
  await sums.end(2);
  // What it counted is kept, what it held is not held any more.
  expect(await read()).toEqual([8, 2, 8, 2, 2]);
  sums.tell(3, await reported(1));
  await sums.end(1);
  expect(await read()).toEqual([9, 3, 9, 1, 1]);
});

test("the process that adds up says when it began", async () => {
  const own = createMetrics(() => ({}));
  const { text } = await new WorkerSums().text(await own.snapshot());
  expect(lineOf(text, "process_start_time_seconds")).toBeGreaterThan(1_700_000_000);
});
