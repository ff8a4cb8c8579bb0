import { expect, test } from "vitest";
import { someRecording } from "../../support/builders.ts";
import { signal } from "../../support/deadline.ts";
import { worldOfFile } from "../../support/of-file.ts";
import { newDeliverer } from "../../support/webhooks/delivering.ts";
import type { Answering } from "../../support/webhooks/receiver.ts";

/** By a clock that is ahead no retry is due. */
const ahead = { aheadMs: 24 * 60 * 60_000 };
/** Events of the log that are looked at together. */
const pageSize = 32;

const world = await worldOfFile();

async function newEndpoint(answer?: Answering) {
  const { partnerId, receiver, endpoint } = await world.addReceiver({ answer });
  const publishSessions = (count: number) => world.publishSessions(partnerId, count);
  const isClaimed = async () => (await world.rowsOf("webhook_endpoints", endpoint.id))[0]?.claim_id !== null;
  const typesOf = (sessionId: string) =>
    receiver.received.filter(({ event }) => event.data.sessionId === sessionId).map(({ event }) => event.type);
  return { partnerId, endpoint, received: receiver.received, publishSessions, isClaimed, typesOf };
}

test("each of many pages of events is sent once", async () => {
  const { received, publishSessions } = await newEndpoint();
  const all = 3 * pageSize + 4;
  await publishSessions(all);
  const { run } = newDeliverer(world);
  await expect.poll(async () => run().then(() => received.length)).toBe(all);
  const sequences = received.map(({ event }) => Number(event.sequence));
  expect(new Set(sequences)).toEqual(new Set(Array.from({ length: all }, (_, index) => index + 1)));
});

test("events behind a refused one wait in later pages as well", async () => {
  let refusal = "";
  const { partnerId, received, publishSessions, isClaimed, typesOf } = await newEndpoint(({ event }) => ({
    status: event.data.sessionId === refusal ? 500 : 204,
  }));
  refusal = await world.publishSession(partnerId);
  await publishSessions(pageSize);
  await world.stores.sessions.saveAnswers({ partnerId, id: refusal }, 0, someRecording([1]), signal);
  await world.sequence();
  const { run } = newDeliverer(world, ahead);
  const isOver = async () => {
    await run();
    return received.length > pageSize && !(await isClaimed());
  };
  await expect.poll(isOver).toBe(true);
  expect(received).toHaveLength(1 + pageSize);
  expect(typesOf(refusal)).toEqual(["session.created"]);
});

test("a replay goes on behind its first page, to the last event of its range", async () => {
  const { endpoint, received, publishSessions, isClaimed } = await newEndpoint();
  const [all, until] = [pageSize + 8, pageSize + 4];
  await publishSessions(all);
  const { run } = newDeliverer(world);
  const isIdleAfter = (count: number) => async () => {
    await run();
    return received.length === count && !(await isClaimed());
  };
  await expect.poll(isIdleAfter(all)).toBe(true);
  const { webhooks } = world.stores;
  expect(await webhooks.beginReplay(endpoint, { after: 0, until }, signal)).toBe(true);
  await expect.poll(isIdleAfter(all + until)).toBe(true);
  const replayed = received.slice(all).map(({ event }) => Number(event.sequence));
  expect(new Set(replayed)).toEqual(new Set(Array.from({ length: until }, (_, index) => index + 1)));
  const findReplay = async () => {
    await run();
    return (await webhooks.findEndpoint(endpoint.partnerId, endpoint.id, signal))?.replay;
  };
  await expect.poll(findReplay).toBeNull();
});
