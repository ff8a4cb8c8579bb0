// Metrics in both formats that Prometheus reads.
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CallSpan } from "../../src/kernel/telemetry.ts";
import { certificateExpiries, createMetrics } from "../../src/telemetry/metrics/metrics.ts";
import { folderOfTest } from "../support/folders.ts";
import { copyCertificates } from "../support/processes/certificates.ts";

const call = { rpc: "S/M", transport: "grpc", outcome: "ok", seconds: 0.002 } as const;
const traceId = "0123456789abcdef0123456789abcdef";

test("a traced call is an exemplar of its bucket, in OpenMetrics only, which ends with its end marker", async () => {
  const metrics = createMetrics(() => ({}));
  metrics.observeCall({ ...call, span: { traceId } as CallSpan });
  metrics.observeCall({ ...call, span: undefined });
  const open = await metrics.scrape("application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.3");
  expect(open.contentType).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
  const example = `pas_calls_seconds_bucket{le="0.0025",rpc="S/M",transport="grpc",outcome="ok"} 2 # {trace_id="${traceId}"} 0.002`;
  expect(open.text).toContain(example);
  expect(open.text.endsWith("# EOF\n")).toBe(true);
  const plain = await metrics.scrape();
  expect(plain.contentType).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(plain.text).not.toContain("trace_id");
  expect(plain.text).toContain('pas_calls_seconds_count{rpc="S/M",transport="grpc",outcome="ok"} 2');
});

test("a certificate that a process uses is reported with the seconds until it expires", async () => {
  const folder = folderOfTest();
  copyCertificates(folder);
  const certificates = await certificateExpiries({ grpc: join(folder, "server.pem"), gateway: undefined });
  const { text } = await createMetrics(() => ({}), { certificates }).scrape();
  const [, seconds] = /^pas_tls_expiry_seconds\{certificate="grpc"\} (\S+)$/m.exec(text) ?? [];
  expect(Number(seconds)).toBeGreaterThan(3600);
  expect(text).not.toContain('certificate="gateway"');
});
