// Metrics of certificates, and the count of each client's calls, which is bounded.
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Outcome } from "../../src/kernel/errors/refusal.ts";
import { createLogger } from "../../src/telemetry/logger.ts";
import { createTelemetry, readCertificateExpiries } from "../../src/telemetry/telemetry.ts";
import { someCallEvent } from "../support/builders.ts";
import { folderOfTest } from "../support/folders.ts";
import { copyCertificates } from "../support/processes/certificates.ts";

test("a certificate that a process uses is reported with the seconds until it expires", async () => {
  const folder = folderOfTest();
  copyCertificates(folder);
  const certificates = await readCertificateExpiries({ grpc: join(folder, "server.pem"), gateway: undefined });
  const { text } = await createTelemetry(createLogger("silent"), { certificates }).scrape();
  const [, seconds] = /^pas_tls_expiry_seconds\{certificate="grpc"\} (\S+)$/m.exec(text) ?? [];
  expect(Number(seconds)).toBeGreaterThan(3600);
  expect(text).not.toContain('certificate="gateway"');
});

function observed() {
  const { observeCall: observe, scrape } = createTelemetry(createLogger("silent"), { monotonic: () => 0 });
  const call = (clientId: string | undefined, outcome: Outcome, seconds = 0.001) =>
    observe(someCallEvent({ clientId, outcome, seconds }));
  const counts = async () => {
    const text = (await scrape()).text;
    const lines = [...text.matchAll(/^pas_client_calls_total\{client_id="([^"]+)",class="(\w+)"\} (\d+)$/gm)];
    return Object.fromEntries(lines.map(([, id, kind, count]) => [`${id} ${kind}`, Number(count)]));
  };
  return { call, counts, scrape };
}

test("calls are counted by client, and by whose fault it was", async () => {
  const { call, counts } = observed();
  const outcomes = ["ok", "ok", "not_found", "rate_limited", "caller_gone", "internal", "unavailable"] as const;
  for (const outcome of [...outcomes, "deadline_exceeded"] as const) call("a", outcome);
  call(undefined, "unauthenticated");
  expect(await counts()).toEqual({ "a ok": 2, "a refused": 3, "a failed": 3, "none refused": 1 });
});

test("only the first thousand clients have a label of their own, and no call is lost", async () => {
  const { call, counts } = observed();
  for (let round = 0; round < 2; round += 1) {
    for (let client = 0; client < 1_500; client += 1) call(`client-${client}`, "ok");
  }
  const values = await counts();
  expect(Object.keys(values)).toHaveLength(1_001);
  expect([values["client-0 ok"], values["client-999 ok"], values["other ok"]]).toEqual([2, 2, 1_000]);
});

test("a call that cannot be counted is reported as a defect, and its caller notices nothing", async () => {
  const { call, scrape } = observed();
  call("a", "ok", Number.NaN);
  expect((await scrape()).text).toContain('pas_defects_total{source="end of a call"} 1');
});
