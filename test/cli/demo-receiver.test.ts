// The demo's receiver takes what the service signed, and nothing else.
import { once } from "node:events";
import { connect } from "node:net";
import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, test } from "vitest";
import { openReceiver } from "../../src/cli/demo/webhooks.ts";

const secret = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;
const body = JSON.stringify({ id: "evt_1", type: "session.scored", data: { sessionId: "1" } });

/** @returns the status of the response, and the bodies that the receiver took */
async function send(headers: Record<string, string>, content = body) {
  const taken: string[] = [];
  const receiver = await openReceiver(
    async () => secret,
    (each) => void taken.push(each),
  );
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  const { status } = await fetch(receiver.url, { method: "POST", headers, body: content });
  return { status, taken };
}

function signed(at = new Date(), by = secret): Record<string, string> {
  return {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(by).sign("evt_1", at, body),
  };
}

test("the demo accepts a body if any of its signatures is valid", async () => {
  expect(await send(signed())).toEqual({ status: 204, taken: [body] });
  const { "webhook-signature": good, ...others } = signed();
  const two = await send({ ...others, "webhook-signature": `v1,AAAA ${good}` });
  expect(two).toEqual({ status: 204, taken: [body] });
});

const other = `whsec_${Buffer.alloc(32, 6).toString("base64")}`;
test.each([
  ["without a signature", {}, body],
  ["with one of another secret", signed(new Date(), other), body],
  ["with one of another body", signed(), body.replace("scored", "erased")],
  ["with one of another id", { ...signed(), "webhook-id": "evt_2" }, body],
  ["of six minutes ago", signed(new Date(Date.now() - 360_000)), body],
])("the demo refuses a body %s", async (_, headers, content) => {
  expect(await send(headers, content)).toEqual({ status: 401, taken: [] });
});

test("a client that disconnects before its request has arrived does not end the demo", async () => {
  const receiver = await openReceiver(
    async () => secret,
    () => undefined,
  );
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));
  const { port, hostname } = new URL(receiver.url);
  const socket = connect(Number(port), hostname);
  socket.write("POST /webhooks HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n{");
  // The server has begun to read.
  await once(socket, "data");
  socket.destroy();
  const { status } = await fetch(receiver.url, { method: "POST", headers: signed(), body });
  expect([status, unhandled]).toEqual([204, []]);
});
