// The receivers of docs/webhooks.md as they are written there, by deliveries of our own and by what anybody can send.
import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Webhook } from "standardwebhooks";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventTypes } from "../../../src/domain/events/event-types.ts";
import { folderOfTest } from "../../support/folders.ts";
import { freePort } from "../../support/processes/free-port.ts";
import { provide } from "../../support/run/programs.ts";
import { newDeliverer, openDeliveryWorld } from "../../support/webhooks/delivering.ts";

interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A delivery of the service, and the secret of its endpoint. */
async function deliver(): Promise<{ readonly secret: string; readonly sent: Delivery }> {
  const world = await openDeliveryWorld();
  onTestFinished(() => world.close());
  const { partnerId, receiver, secret } = await world.addReceiver();
  await world.publishSession(partnerId);
  const { run, stop } = newDeliverer(world);
  await expect.poll(() => run().then(() => receiver.received.length)).toBe(1);
  await stop();
  const [received] = receiver.received;
  if (received === undefined) throw new Error("nothing came");
  const signatureHeaders = ["webhook-id", "webhook-timestamp", "webhook-signature"];
  const headers = Object.fromEntries(signatureHeaders.map((name) => [name, String(received.headers[name])]));
  return { secret, sent: { headers, body: received.body } };
}

type Change = (sent: Delivery) => Delivery;

const withNames =
  (change: (name: string) => string): Change =>
  ({ headers, body }) => ({
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [change(name), value])),
    body,
  });
const without =
  (name: string): Change =>
  ({ headers: { [name]: _, ...headers }, body }) => ({ headers, body });
const withHeader =
  (name: string, change: (value: string) => string): Change =>
  ({ headers, body }) => ({ headers: { ...headers, [name]: change(headers[name] ?? "") }, body });
const withBody =
  (change: (body: string) => string): Change =>
  ({ headers, body }) => ({ headers, body: change(body) });

/** What comes, and whether it is the service's. */
const deliveries: readonly (readonly [what: string, change: Change, isGenuine: boolean])[] = [
  ["a delivery", (delivery) => delivery, true],
  [
    "names as frameworks write them",
    withNames((name) => name.replaceAll(/\b[a-z]/g, (first) => first.toUpperCase())),
    true,
  ],
  ["names in capitals", withNames((name) => name.toUpperCase()), true],
  ["another body", withBody((body) => body.replace("created", "started")), false],
  ["no body", withBody(() => ""), false],
  ["no id", without("webhook-id"), false],
  ["no time", without("webhook-timestamp"), false],
  ["no signature", without("webhook-signature"), false],
  ["six minutes ago", withHeader("webhook-timestamp", (at) => String(Number(at) - 360)), false],
  ["a time that is none", withHeader("webhook-timestamp", () => "abc"), false],
  ["an endless time", withHeader("webhook-timestamp", () => "9".repeat(4_000)), false],
  ["letters beyond ASCII in the signature", withHeader("webhook-signature", () => "v1,é"), false],
  ["letters beyond ASCII in the id", withHeader("webhook-id", () => "é"), false],
  ["a signature that is none", withHeader("webhook-signature", () => ","), false],
  ["a signature of another version", withHeader("webhook-signature", (all) => all.replace("v1", "v2")), false],
];

/** The first sample of the page in a language. */
function findSample(language: string): string {
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(readFileSync("docs/webhooks.md", "utf8"))?.[1] ?? "";
}

test("the Python of docs/webhooks.md tells deliveries from what anybody can send, and never raises", async () => {
  const python = await provide("/usr/bin/python3");
  const { secret, sent: delivery } = await deliver();
  const call =
    "import json, sys\nsecret, all = json.load(sys.stdin)\nprint(json.dumps([verify(secret, each['headers'], each['body'].encode()) for each in all]))";
  const input = JSON.stringify([secret, deliveries.map(([, change]) => change(delivery))]);
  const output: boolean[] = JSON.parse(
    execFileSync(python, ["-c", `${findSample("python")}\n${call}`], { input }).toString(),
  );
  expect(deliveries.map(([what], index) => [what, output[index]])).toEqual(
    deliveries.map(([what, , isGenuine]) => [what, isGenuine]),
  );
});

describe("the TypeScript of docs/webhooks.md", () => {
  /** Starts the receiver. @returns a function that sends it something, and what it has printed */
  async function start(secret: string) {
    const folder = folderOfTest();
    await symlink(resolve("node_modules"), join(folder, "node_modules"));
    await writeFile(join(folder, "receiver.mts"), findSample("ts"));
    const port = await freePort();
    const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret };
    const child = spawn(process.execPath, [join(folder, "receiver.mts")], { env });
    onTestFinished(() => void child.kill());
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (text += data));
    const send = async ({ headers, body }: Delivery) => {
      // Bytes of headers are sent as they are.
      const raw = Object.entries(headers).map(
        ([name, value]) => [name, Buffer.from(value).toString("latin1")] as const,
      );
      return (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers: raw.map(([...pair]) => pair), body }))
        .status;
    };
    await expect.poll(() => send({ headers: {}, body: "" }).catch(() => undefined)).toBe(401);
    return { send, printed: () => text };
  }

  test("tells deliveries from what anybody can send, and lives", async () => {
    const { secret, sent: delivery } = await deliver();
    const { send, printed } = await start(secret);
    const answers = [];
    for (const [what, change] of deliveries) answers.push([what, await send(change(delivery))]);
    expect(answers).toEqual(deliveries.map(([what, , isGenuine]) => [what, isGenuine ? 204 : 401]));
    // The same event came three times.
    await expect.poll(printed).toMatch(/^session\.created [0-9a-f-]{36}\n$/);
  });

  test("prints what an event of any type is of, and nothing of a test", async () => {
    const secret = `whsec_${Buffer.alloc(24, 1).toString("base64")}`;
    const { send, printed } = await start(secret);
    const webhook = new Webhook(secret);
    const of = (type: string) =>
      type === "webhook.test" ? { endpointId: "e" } : type.startsWith("group.") ? { groupId: "g" } : { sessionId: "s" };
    const types = [...eventTypes, "webhook.test"];
    for (const [index, type] of types.entries()) {
      const body = JSON.stringify({ id: `evt_${index}`, type, data: of(type) });
      const now = new Date();
      const headers = {
        "webhook-id": `evt_${index}`,
        "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
        "webhook-signature": webhook.sign(`evt_${index}`, now, body),
      };
      expect(await send({ headers, body })).toBe(204);
    }
    const lines = types.flatMap((type) =>
      Object.values(of(type)).flatMap((id) => (type === "webhook.test" ? [] : [`${type} ${id}`])),
    );
    await expect.poll(printed).toBe(`${lines.join("\n")}\n`);
  });
});
