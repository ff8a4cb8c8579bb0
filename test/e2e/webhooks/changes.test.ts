// Changes of an endpoint reach whoever delivers to it at that moment, within a second.
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { changeKnownMs } from "../../../src/domain/webhooks/endpoint.ts";
import { worldOfFile } from "../../support/of-file.ts";
import { type DeliveryWorld, newDeliverer } from "../../support/webhooks/delivering.ts";
import { type Answer, type Received, startReceiver } from "../../support/webhooks/receiver.ts";

const acceptance: Answer = { status: 204 };

const world = await worldOfFile();

/** An endpoint of two events with a deliverer that waits for the answer to the first, which came already. */
async function underWay() {
  const partnerId = await world.addPartner();
  const { promise: firstAnswer, resolve } = Promise.withResolvers<Answer>();
  const receiver = await startReceiver(({ event }) => (event.sequence === "1" ? firstAnswer : acceptance));
  const { endpoint, secret } = await world.addEndpoint(partnerId, receiver.url, { includeExternalId: true });
  const externalIds = ["Ada", "Bob"];
  for (const externalId of externalIds) await world.addSession(partnerId, { externalId });
  await world.sequence();
  // The deliverer's time stands still, but for what is said here.
  let passedMs = 0;
  const { run, results } = newDeliverer(world, { monotonic: () => passedMs });
  await run();
  await expect.poll(() => receiver.received.length).toBe(1);
  const { received } = receiver;
  const letGo = () => resolve(acceptance);
  const untilReceived = async (count: number, of: readonly Received[] = received) => {
    await expect.poll(async () => run().then(() => of.length)).toBe(count);
    return of.at(-1) as Received;
  };
  const update = async (change: Parameters<DeliveryWorld["update"]>[1]) => {
    await world.update(partnerId, { endpointId: endpoint.id, ...change });
    passedMs += changeKnownMs;
  };
  const rotate = async () => {
    const rotated = await world.rotate(partnerId, endpoint.id, 0);
    passedMs += changeKnownMs;
    return rotated;
  };
  return { secret, received, results, run, letGo, untilReceived, update, rotate };
}

function isSignedWith(secret: string, { body, headers }: Received): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

test("only the new secret signs a second after a rotation without an overlap, and nothing comes twice", async () => {
  const { secret: old, received, letGo, untilReceived, rotate } = await underWay();
  const { secret } = await rotate();
  letGo();
  const second = await untilReceived(2);
  expect([isSignedWith(secret, second), isSignedWith(old, second)]).toEqual([true, false]);
  expect(received.map(({ event }) => event.sequence)).toEqual(["1", "2"]);
});

test("an endpoint that is disabled gets nothing a second later", async () => {
  const { received, results, run, letGo, update } = await underWay();
  await update({ enabled: false });
  letGo();
  await expect.poll(() => results.length).toBe(1);
  await run();
  expect(received).toHaveLength(1);
});

/** A deliverer with a claim of nine events, four of which wait for their answers. */
async function fourUnderWay() {
  const waiting: (() => void)[] = [];
  const { partnerId, receiver, endpoint } = await world.addReceiver({
    answer: ({ event }) =>
      event.sequence === "1" ? acceptance : new Promise((resolve) => waiting.push(() => resolve(acceptance))),
  });
  await world.publishSession(partnerId);
  let passedMs = 0;
  const { run, results } = newDeliverer(world, { monotonic: () => passedMs });
  // It answers, so it gets four at a time.
  await expect.poll(async () => run().then(() => results.length)).toBe(1);
  await world.publishSessions(partnerId, 9);
  await expect.poll(async () => run().then(() => waiting.length)).toBe(4);
  const answerLate = () => {
    passedMs += changeKnownMs;
    for (const answer of waiting.splice(0)) answer();
  };
  const disable = () => world.update(partnerId, { endpointId: endpoint.id, enabled: false });
  return { received: receiver.received, waiting, results, run, answerLate, disable };
}

test("of many events that are claimed together, none is sent a second after the endpoint was disabled", async () => {
  const { received, results, run, answerLate, disable } = await fourUnderWay();
  await disable();
  answerLate();
  await expect.poll(() => results.length).toBe(1 + 4);
  await run();
  expect(received).toHaveLength(1 + 4);
});

test("a claim goes on with all its connections after a second, if its endpoint is as it was", async () => {
  const { waiting, answerLate } = await fourUnderWay();
  answerLate();
  await expect.poll(() => waiting.length).toBe(4);
});

test("a new URL gets all events from a second later on, without external ids if they were removed", async () => {
  const { received, letGo, untilReceived, update } = await underWay();
  const elsewhere = await startReceiver();
  await update({ url: elsewhere.url, includeExternalId: false });
  letGo();
  await untilReceived(1, elsewhere.received);
  expect(received).toHaveLength(1);
  expect(elsewhere.received.map(({ event }) => [event.sequence, event.data.externalId])).toEqual([["2", undefined]]);
});

/** An endpoint whose events are always described too late for a claim that was just made. @param meanwhile what the partner does */
async function lateDeliverer(meanwhile: (endpointId: string, partnerId: string) => Promise<unknown>) {
  const { partnerId, receiver, endpoint } = await world.addReceiver({ includeExternalId: true });
  await world.publishSession(partnerId);
  let now = 0;
  const shards = world.shards.map((shard) => ({
    ...shard,
    events: {
      ...shard.events,
      async findExternalIds(...args: Parameters<typeof shard.events.findExternalIds>) {
        now += changeKnownMs;
        await meanwhile(endpoint.id, partnerId);
        return shard.events.findExternalIds(...args);
      },
    },
  }));
  return { receiver, ...newDeliverer({ ...world, shards }, { monotonic: () => now }) };
}

test("an event arrives however long the transaction that claims it takes", async () => {
  const { partnerId, receiver } = await world.addReceiver();
  await world.publishSession(partnerId);
  let now = 0;
  const shards = world.shards.map((shard) => ({
    ...shard,
    deliveries: {
      ...shard.deliveries,
      async settleAndClaim(...work: Parameters<typeof shard.deliveries.settleAndClaim>) {
        now += 4_000;
        return shard.deliveries.settleAndClaim(...work);
      },
    },
  }));
  const { run } = newDeliverer({ ...world, shards }, { monotonic: () => now });
  await expect.poll(async () => run().then(() => receiver.received.length)).toBe(1);
});

test("an event arrives however late it can be described, unless its endpoint was changed meanwhile", async () => {
  const { receiver, run } = await lateDeliverer(async () => undefined);
  await expect.poll(async () => run().then(() => receiver.received.length)).toBe(1);
  const elsewhere = await startReceiver();
  let changes = 0;
  const changed = await lateDeliverer(async (endpointId, partnerId) => {
    changes += 1;
    if (changes === 1) await world.update(partnerId, { endpointId, url: elsewhere.url });
  });
  await expect.poll(async () => changed.run().then(() => elsewhere.received.length)).toBe(1);
  expect(changed.receiver.received).toEqual([]);
});
