// Cases of webhook endpoints that did not take what they were sent: what one is told of them, and what has them tried again.
import { expect } from "vitest";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import type { BodyOf, Outcome, Rpc } from "../../support/transports/transports.ts";
import { startReceiver } from "../../support/webhooks/receiver.ts";
import { bodyOf, type Cases, casesOf, newPartner, newSession, type World } from "./case.ts";

/** An endpoint of a new partner that has not taken anything for long: it is tried in an hour. */
async function endpointDown(given: World) {
  const { world, app, transport, as } = await newPartner(given);
  let isUp = true;
  const receiver = await startReceiver(() => ({ status: isUp ? 204 : 500 }));
  const call = async <R extends Rpc>(name: R, input: object = {}) => {
    const target = name.startsWith("list") ? {} : endpoint;
    return bodyOf((await transport.call(as, name, { ...target, ...input })) as Outcome<BodyOf<R>>);
  };
  let endpoint = {};
  const types = ["session.created"];
  const created = await call("createWebhookEndpoint", { url: receiver.url, types });
  const { endpointId } = created.endpoint;
  endpoint = { endpointId };
  const add = () => newSession(world);
  const receivedIds = () => receiver.received.map(({ event }) => event.data.sessionId);
  const { sessionId } = await add();
  await expect.poll(receivedIds).toContain(sessionId);
  await expect.poll(async () => (await call("getWebhookEndpoint")).sequence).toBe("1");
  isUp = false;
  const failing = `UPDATE webhook_endpoints SET failures = 9, failing_since = NOW(3) - INTERVAL 12 MINUTE,
    paused_until = NOW(3) + INTERVAL 1 HOUR, due_at = paused_until WHERE id = ?`;
  await app.database.connection.query(failing, [uuidToBytes(endpointId)]);
  return {
    call,
    add,
    receivedIds,
    deliveredId: `evt_${sessionId.replaceAll("-", "")}_created`,
    comeBack: () => {
      isUp = true;
    },
  };
}

/** What ends the pause of an endpoint. */
const wakers: readonly (readonly [string, Rpc, (deliveredId: string) => object])[] = [
  ["a test that is taken", "testWebhookEndpoint", () => ({})],
  ["it is enabled", "updateWebhookEndpoint", () => ({ enabled: true })],
  ["an event is sent again", "redeliverEvents", (deliveredId) => ({ eventIds: [deliveredId] })],
  ["a replay", "replayEvents", () => ({})],
];

export const webhookStateCases: Cases = {
  "an endpoint reports whether it accepts events, when it is tried next, and what waits for it": async (world) => {
    const { call, add, comeBack } = await endpointDown(world);
    const state = async () => {
      const { status, nextAttemptAt, backlog, ...endpoint } = await call("getWebhookEndpoint");
      return { status, state: endpoint.state, backlog, isPaused: (nextAttemptAt ?? null) !== null };
    };
    await add();
    await add();
    await expect.poll(state).toEqual({ status: "enabled", state: "down", backlog: 2, isPaused: true });
    const [listed] = (await call("listWebhookEndpoints")).endpoints;
    expect(listed).toEqual(await call("getWebhookEndpoint"));
    // A test that is not taken leaves it alone.
    await call("testWebhookEndpoint");
    expect(await state()).toMatchObject({ state: "down", isPaused: true });
    const off = { status: "disabled", state: "disabled", backlog: 2, isPaused: false };
    await call("updateWebhookEndpoint", { enabled: false });
    expect(await state()).toEqual(off);
    comeBack();
    await call("testWebhookEndpoint");
    expect(await state()).toEqual(off);
    await call("updateWebhookEndpoint", { enabled: true });
    const healthy = { status: "enabled", state: "healthy", backlog: 0, isPaused: false };
    await expect.poll(state).toEqual(healthy);
  },
  ...casesOf(wakers, ([what, name, inputOf]) => ({
    [`an endpoint that works again is tried at once after ${what}`]: async (world) => {
      const { call, add, receivedIds, deliveredId, comeBack } = await endpointDown(world);
      const { sessionId } = await add();
      await expect.poll(async () => (await call("getWebhookEndpoint")).backlog).toBe(1);
      expect(receivedIds()).not.toContain(sessionId);
      comeBack();
      await call(name, inputOf(deliveredId));
      await expect.poll(receivedIds).toContain(sessionId);
      await expect.poll(async () => (await call("getWebhookEndpoint")).state).toBe("healthy");
    },
  })),
};
