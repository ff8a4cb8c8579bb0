// A process that only delivers: webhooks go out, nothing else is served, and a stop gives everything back.

import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { startDeliverApp } from "../../../src/process/deliver-app.ts";
import { createLogger } from "../../../src/telemetry/logger.ts";
import { worldOfFile } from "../../support/of-file.ts";
import { webhookKey } from "../../support/webhooks/delivering.ts";
import { startReceiver } from "../../support/webhooks/receiver.ts";

const world = await worldOfFile();

/** Starts a process that delivers, until the test ends or it is stopped. */
async function startDeliverer(level: "debug" | "error", key: Buffer) {
  const logLines: string[] = [];
  const config = readConfig({ HTTP_PORT: "0", WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8" });
  const log = createLogger(level, { write: (line) => logLines.push(line) });
  const app = await startDeliverApp({ config, database: world.address, webhookKeys: [key], log });
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await app.stop();
    isStopped = true;
  };
  onTestFinished(stop);
  return { app, logLines, stop };
}

test("a deliverer sends the events of the log, has metrics for operators, and serves no partner", async () => {
  const { app, logLines, stop } = await startDeliverer("debug", webhookKey);
  const partnerId = await world.addPartner();
  const receiver = await startReceiver(({ event }) => ({ status: event.sequence === "1" ? 503 : 204 }));
  const { endpoint } = await world.addEndpoint(partnerId, `${receiver.url}?key=word`, { includeExternalId: true });
  for (const externalId of ["Ada Lovelace", "Bob"]) await world.addSession(partnerId, { externalId });
  await world.sequence();
  await expect.poll(() => receiver.received.length).toBe(2);
  const metrics = async () => (await fetch(`${app.httpUrl}/metrics`)).text();
  const count = 'pas_webhook_attempts_seconds_count{outcome="succeeded"} 1';
  await expect.poll(metrics).toContain(count);
  expect(await metrics()).toContain('pas_webhook_attempts_seconds_count{outcome="refused"} 1');
  expect((await fetch(`${app.httpUrl}/readyz`)).status).toBe(200);
  for (const path of ["/v1/events", "/v1/webhook-endpoints", "/openapi.json"]) {
    expect((await fetch(app.httpUrl + path)).status).toBe(404);
  }
  await stop();
  const claimed = "SELECT id FROM webhook_endpoints WHERE claim_id IS NOT NULL";
  expect((await world.connection.query(claimed))[0]).toEqual([]);
  // Endpoints are named by id; where they are, who the persons are and what was sent is nobody's business.
  const text = logLines.join("\n");
  expect(text).toContain(endpoint.id);
  for (const secret of ["127.0.0.1", "word", "Ada", "evt_"]) expect(text).not.toContain(secret);
});

test("secrets that no key opens are an error in the log, and nothing is sent", async () => {
  const { partnerId, receiver, endpoint } = await world.addReceiver();
  await world.publishSession(partnerId);
  const { logLines } = await startDeliverer("error", Buffer.alloc(32, 8));
  await expect.poll(() => logLines.join("")).toContain("no key of WEBHOOK_KEY opens");
  expect(logLines.map((line) => JSON.parse(line).endpointId)).toContain(endpoint.id);
  expect(receiver.received).toEqual([]);
});
