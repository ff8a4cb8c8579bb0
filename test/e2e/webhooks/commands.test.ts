// The commands of webhook endpoints, as operators run them.
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { folderOfFile } from "../../support/folders.ts";
import { worldOfFile } from "../../support/of-file.ts";
import { printedBy } from "../../support/processes/command.ts";
import { runPas } from "../../support/processes/program.ts";
import { newDeliverer, webhookKey } from "../../support/webhooks/delivering.ts";
import { startReceiver } from "../../support/webhooks/receiver.ts";

const world = await worldOfFile();
const folder = folderOfFile();

/** Runs a command. @param keys the first one seals */
async function run(args: readonly string[], keys: readonly Buffer[] = [webhookKey]) {
  const finished = await runPas(["webhooks", ...args], {
    DATABASE_URL: world.url,
    DATA_DIR: folder,
    WEBHOOK_KEY: keys.map((key) => key.toString("base64")).join(" "),
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
  });
  return { ...finished, lines: printedBy(finished) };
}

test("an endpoint is created, listed, tested, disabled, enabled, and gets a new secret and a replay, by commands", async () => {
  const partnerId = await world.addPartner();
  const receiver = await startReceiver();
  const of = ["--partner", partnerId];
  const [made] = (await run(["create", ...of, "--url", receiver.url, "--types", "session.created"])).lines;
  const { endpoint, secret } = made;
  const { endpointId } = endpoint;
  const [listed] = (await run(["list", ...of])).lines;
  expect(listed).toMatchObject({ endpointId, partnerId, types: ["session.created"], url: receiver.url });
  expect(listed).toMatchObject({ state: "healthy", nextAttemptAt: null, backlog: 0 });
  expect((await run(["test", endpointId, ...of])).lines).toMatchObject([{ status: 204, error: null }]);
  const [tested] = receiver.received;
  if (tested === undefined) throw new Error("nothing came");
  new Webhook(secret).verify(tested.body, tested.headers as Record<string, string>);
  expect((await run(["list", ...of, "--failing"])).lines).toEqual([]);
  expect((await run(["disable", endpointId, ...of])).lines).toMatchObject([
    { state: "disabled", disabledReason: "operator" },
  ]);
  expect((await run(["list", ...of, "--failing"])).lines).toMatchObject([{ endpointId }]);
  expect((await run(["enable", endpointId, ...of])).lines).toMatchObject([{ state: "healthy" }]);
  expect((await run(["rotate", endpointId, ...of])).lines[0].secret).toMatch(/^whsec_/);
  const sessionId = await world.publishSession(partnerId);
  const deliverer = newDeliverer(world);
  await expect.poll(async () => deliverer.run().then(() => receiver.received.length)).toBe(2);
  await deliverer.stop();
  const eventId = `evt_${sessionId.replaceAll("-", "")}_created`;
  const event = { eventId, sequence: 1, sessionId };
  const attempts = (await run(["attempts", endpointId, ...of, "--outcome", "succeeded"])).lines;
  expect(attempts).toMatchObject([
    { ...event, type: "session.created", attempt: 1, outcome: "succeeded", status: 204 },
  ]);
  expect((await run(["attempts", endpointId, ...of, "--outcome", "failed"])).lines).toEqual([]);
  expect((await run(["redeliver", endpointId, eventId, ...of])).lines).toEqual([{ redelivered: 1 }]);
  const parked = { ...event, attempts: 0, state: "retrying", deadAt: null };
  expect((await run(["parked", endpointId, ...of])).lines).toMatchObject([parked]);
  expect((await run(["parked", endpointId, ...of, "--state", "dead"])).lines).toEqual([]);
  expect((await run(["replay", endpointId, ...of])).lines).toMatchObject([{ replay: { after: 0, until: 1 } }]);
  const refusal = await run(["test", endpointId, "--partner", await world.addPartner()]);
  expect(refusal).toMatchObject({ code: 1, stdout: "" });
});

test("after a new key was put first, all secrets are sealed with it, and the old key is not needed any more", async () => {
  const newKey = Buffer.alloc(32, 9);
  const partnerId = await world.addPartner();
  const { endpoint } = await world.addEndpoint(partnerId, "http://127.0.0.1:9/reseal");
  const [first] = (await run(["reseal"], [newKey, webhookKey])).lines;
  expect(first).toMatchObject({ current: 0, unreadable: 0 });
  expect(first.resealed).toBeGreaterThan(0);
  expect((await run(["reseal"], [newKey])).lines).toEqual([{ resealed: 0, current: first.resealed, unreadable: 0 }]);
  expect((await run(["reseal"])).lines).toEqual([{ resealed: 0, current: 0, unreadable: first.resealed }]);
  expect((await run(["test", endpoint.id, "--partner", partnerId])).lines).toMatchObject([
    { error: "secret_unreadable" },
  ]);
});
