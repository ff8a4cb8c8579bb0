// The sender of webhooks by itself.
import { createSecretKey } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { onTestFinished } from "vitest";
import {
  AddressGuard,
  createDestinationCheck,
  createNameResolver,
} from "../../../src/webhooks/sending/destinations.ts";
import { HttpWebhookSender } from "../../../src/webhooks/sending/sender.ts";

/** A sender until the test ends. @param nameServer that it asks. @param allowedNetworks where it may send although they are private */
export function newSender(nameServer: string, ...allowedNetworks: readonly string[]) {
  const guard = new AddressGuard(allowedNetworks);
  const resolve = createNameResolver([nameServer]);
  const sender = new HttpWebhookSender({ guard, resolve, monotonic: () => performance.now() });
  onTestFinished(() => sender.close());
  const message = { id: "evt_1", body: "{}", secrets: [createSecretKey(Buffer.alloc(32))] };
  const send = async (url: string, { sentAt = new Date(), signal = new AbortController().signal } = {}) => {
    const result = await sender.send({ ...message, url, sentAt }, signal);
    // A connection is free in the next turn of the event loop.
    await setImmediate();
    return result;
  };
  return { sender, send, check: createDestinationCheck(guard, resolve) };
}
