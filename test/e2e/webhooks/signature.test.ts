// Signatures and secrets: what Standard Webhooks says of them.
import type { RowDataPacket } from "mysql2/promise";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import { addCaller, startTestApp } from "../../support/app.ts";
import { signal } from "../../support/deadline.ts";
import { worldOfFile } from "../../support/of-file.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { newDeliverer, webhookKey } from "../../support/webhooks/delivering.ts";
import type { Received } from "../../support/webhooks/receiver.ts";

const world = await worldOfFile();

async function receive(count: number, receiver: { received: readonly Received[] }, of = world): Promise<Received> {
  const { run, stop } = newDeliverer(of);
  await expect.poll(async () => run().then(() => receiver.received.length)).toBe(count);
  await stop();
  const last = receiver.received.at(-1);
  if (last === undefined) throw new Error("nothing came");
  return last;
}

function verify(secret: string, { body, headers }: Received): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}

test("the reference library verifies a delivery with its secret, and with no other", async () => {
  const { partnerId, receiver, secret } = await world.addReceiver();
  const { secret: others } = await world.addEndpoint(partnerId, `${receiver.url}/other`, { types: ["session.erased"] });
  const sessionId = await world.publishSession(partnerId);
  const received = await receive(1, receiver);
  expect(verify(secret, received)).toMatchObject({ type: "session.created", data: { sessionId } });
  expect(received.headers).toMatchObject({
    "webhook-id": `evt_${sessionId.replaceAll("-", "")}_created`,
    "content-type": "application/json",
    "user-agent": "pas-webhooks/1",
  });
  expect(() => verify(others, received)).toThrow();
  expect(() => verify(secret, { ...received, body: received.body.replace("created", "started") })).toThrow();
});

test("while two secrets live, either verifies; a third ends the first; after the overlap the new one signs alone", async () => {
  const { partnerId, receiver, endpoint, secret: first } = await world.addReceiver();
  const { secret: second } = await world.rotate(partnerId, endpoint.id, 3_600);
  await world.publishSession(partnerId);
  const one = await receive(1, receiver);
  for (const secret of [first, second]) verify(secret, one);
  const { secret: third } = await world.rotate(partnerId, endpoint.id, 3_600);
  await world.publishSession(partnerId);
  const two = await receive(2, receiver);
  for (const secret of [second, third]) verify(secret, two);
  expect(() => verify(first, two)).toThrow();
  const { secret: last } = await world.rotate(partnerId, endpoint.id, 0);
  await world.publishSession(partnerId);
  const three = await receive(3, receiver);
  verify(last, three);
  expect(three.headers["webhook-signature"]).toMatch(/^v1,\S+$/);
});

test("secrets are encrypted at rest, for their endpoint and their place", async () => {
  const partnerId = await world.addPartner();
  const { endpoint, secret } = await world.addEndpoint(partnerId, "http://127.0.0.1:9/sealed");
  const bytes = Buffer.from(secret.replace("whsec_", ""), "base64");
  const sql = "SELECT * FROM webhook_secrets WHERE endpoint_id = ?";
  const [rows] = await world.connection.query<RowDataPacket[]>(sql, [uuidToBytes(endpoint.id)]);
  expect(rows[0]?.sealed.includes(bytes)).toBe(false);
  const [sealed] = await world.stores.webhooks.listSecrets(endpoint, signal);
  if (sealed === undefined) throw new Error("no secret");
  const { sealer } = world.wiring;
  expect(sealer.open(sealed)).toEqual(bytes);
  expect(sealer.open({ ...sealed, endpointId: partnerId })).toBeUndefined();
  expect(sealer.open({ ...sealed, id: partnerId })).toBeUndefined();
  const broken = Buffer.from(sealed.sealed);
  broken[20] = (broken[20] ?? 0) ^ 1;
  expect(sealer.open({ ...sealed, sealed: broken })).toBeUndefined();
});

test("an older key still decrypts, and events wait for a missing one without counting as failures", async () => {
  const newKey = Buffer.alloc(32, 8);
  const { partnerId, receiver, endpoint, secret } = await world.addReceiver();
  await world.publishSession(partnerId);
  const { createWebhookWiring } = await import("../../../src/process/webhook-wiring.ts");
  const partsOf = (keys: readonly Uint8Array[]) =>
    createWebhookWiring(keys, { DATABASE_URL: undefined, WEBHOOK_ALLOWED_NETWORKS: ["127.0.0.0/8"] });
  const without = newDeliverer({ ...world, wiring: partsOf([newKey]) });
  await expect.poll(async () => without.run().then(() => without.told)).toContain("unreadable");
  const row = async () => (await world.rowsOf("webhook_endpoints", endpoint.id))[0];
  await expect.poll(async () => without.run().then(async () => (await row())?.paused_until)).toBeInstanceOf(Date);
  expect(await row()).toMatchObject({ failures: 0, is_later: 1 });
  await world.connection.query("UPDATE webhook_endpoints SET due_at = NOW(3), paused_until = NULL");
  verify(secret, await receive(1, receiver, { ...world, wiring: partsOf([newKey, webhookKey]) }));
});

test("endpoints cannot be created without a key", async () => {
  const app = await startTestApp({ WEBHOOK_KEY: "" });
  try {
    const { token } = await addCaller(app);
    const input = { url: "http://127.0.0.1:9/", types: ["session.created"] };
    const outcome = await restTransport(app.httpUrl).createWebhookEndpoint({ token }, input);
    expect(outcome).toMatchObject({ ok: false, code: "webhooks_off" });
  } finally {
    await app.stop();
  }
});
