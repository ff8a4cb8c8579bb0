// The receiver in Python of docs/webhooks.md, by a delivery of our own.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { provide } from "../support/programs.ts";
import { newDeliverer, openDeliveryWorld } from "../support/webhooks/delivering.ts";
import { startReceiver } from "../support/webhooks/receiver.ts";

test("the Python of docs/webhooks.md verifies a delivery, and neither another body nor one of six minutes ago", async () => {
  const python = await provide("/usr/bin/python3");
  const world = await openDeliveryWorld();
  onTestFinished(() => world.close());
  const partnerId = await world.addPartner();
  const receiver = await startReceiver();
  const { secret } = await world.addEndpoint(partnerId, receiver.url);
  await world.addSession(partnerId);
  await world.sequence();
  const { run, stop } = newDeliverer(world);
  await expect.poll(() => run().then(() => receiver.received.length)).toBe(1);
  await stop();
  const [received] = receiver.received;
  if (received === undefined) throw new Error("nothing came");
  const { body, headers } = received;
  const [, program = ""] = /```python\n([\s\S]*?)```/.exec(readFileSync("docs/webhooks.md", "utf8")) ?? [];
  const call =
    "import json, sys\nsecret, headers, body = json.load(sys.stdin)\nprint(verify(secret, headers, body.encode()))";
  const verifies = (content: string, about: typeof headers = headers) => {
    const input = JSON.stringify([secret, about, content]);
    return execFileSync(python, ["-c", `${program}\n${call}`], { input })
      .toString()
      .trim();
  };
  expect(verifies(body)).toBe("True");
  expect(verifies(body.replace("created", "started"))).toBe("False");
  const old = String(Number(headers["webhook-timestamp"]) - 360);
  expect(verifies(body, { ...headers, "webhook-timestamp": old })).toBe("False");
});
