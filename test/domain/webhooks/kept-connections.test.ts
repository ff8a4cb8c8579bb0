// How many connections of webhooks are kept while nobody uses them: four of an origin, 4,096 of all.
import { errors } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { Connections } from "../../../src/webhooks/sending/connections.ts";

const maxOfOrigin = 4;
const maxOfAll = 4_096;

function newConnections() {
  const connections = new Connections(() => {
    throw new Error("nothing is sent");
  });
  onTestFinished(() => connections.endIdle());
  /** As many new connections as that, all of them in use. */
  const takeNew = (origin: string, count: number) =>
    Array.from({ length: count }, () => connections.take(origin, true));
  return { connections, takeNew };
}

test("of an origin four are kept and the fifth is closed; the one that was used last is used again", () => {
  const { connections, takeNew } = newConnections();
  const taken = takeNew("http://one.test", maxOfOrigin + 1);
  for (const each of taken) connections.giveBack(each);
  expect(taken.map(({ client }) => client.destroyed)).toEqual([false, false, false, false, true]);
  const again = Array.from({ length: maxOfOrigin }, () => connections.take("http://one.test", false));
  expect(again.map((each) => taken.indexOf(each))).toEqual([3, 2, 1, 0]);
  for (const origin of ["http://one.test", "http://another.test"]) {
    expect(connections.take(origin, false)).toMatchObject({ isUsed: false });
  }
});

test("one that is kept goes when its receiver closes it, one in use does not; either has a place no longer", () => {
  const { connections, takeNew } = newConnections();
  const [kept, inUse, ended, next] = takeNew("http://one.test", maxOfOrigin);
  if (!kept || !inUse || !ended || !next) throw new Error("no connection");
  for (const each of [kept, ended]) connections.giveBack(each);
  for (const { client, origin } of [kept, inUse]) {
    client.emit("disconnect", new URL(origin), [client], new errors.SocketError("closed"));
  }
  connections.end(ended);
  expect([kept, inUse, ended].map(({ client }) => client.destroyed)).toEqual([true, false, true]);
  const further = takeNew("http://one.test", maxOfOrigin - 2);
  for (const each of [inUse, next, ...further]) connections.giveBack(each);
  expect([inUse, next, ...further].some(({ client }) => client.destroyed)).toBe(false);
});

test("in the end those are closed that nobody uses", () => {
  const { connections, takeNew } = newConnections();
  const [kept, inUse] = takeNew("http://one.test", 2);
  if (!kept || !inUse) throw new Error("no connection");
  connections.giveBack(kept);
  connections.endIdle();
  expect([kept.client.destroyed, inUse.client.destroyed]).toEqual([true, false]);
});

test("of all origins 4,096 are kept, and one more once another is in use again", () => {
  const { connections, takeNew } = newConnections();
  const origins = Array.from({ length: maxOfAll / maxOfOrigin }, (_, index) => `http://${index}.test`);
  for (const origin of origins) for (const each of takeNew(origin, maxOfOrigin)) connections.giveBack(each);
  const [further, next] = takeNew("http://further.test", 2);
  if (further === undefined || next === undefined) throw new Error("no connection");
  connections.giveBack(further);
  expect(further.client.destroyed).toBe(true);
  expect(connections.take("http://0.test", false).isUsed).toBe(true);
  connections.giveBack(next);
  expect(next.client.destroyed).toBe(false);
});

test("one that is used again and again takes one place, and none while it is used", () => {
  const { connections } = newConnections();
  const kept = connections.take("http://one.test", false);
  for (let count = 0; count <= maxOfAll; count += 1) {
    connections.giveBack(kept);
    expect(connections.take("http://one.test", false)).toBe(kept);
  }
});
