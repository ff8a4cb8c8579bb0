// Places that many share: whoever holds few has room, whatever those do that hold many.
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Refusal } from "../../../src/kernel/errors/refusal.ts";
import { toCaller } from "../../../src/kernel/limits/caller.ts";
import { type ArrivingMessage, ArrivingMessages, FairBudget, slowBytes } from "../../../src/kernel/limits/memory.ts";
import { listenOnLoopback } from "../../support/processes/loopback.ts";

/** A hundred places, and the names of those that lost theirs, in order. The holder of `a1` is `a`. */
function hundred() {
  const lost: string[] = [];
  const places = new FairBudget(100);
  const take = (name: string, count: number) => places.take(name.slice(0, 1), count, () => void lost.push(name));
  return { places, lost, take };
}

test("one holder may have all places; if others need some, the holder of the most loses its oldest", () => {
  const { places, lost, take } = hundred();
  for (const name of ["a1", "a2", "b1"]) take(name, 30);
  take("a3", 10);
  expect([places.taken, lost]).toEqual([100, []]);
  take("b2", 20);
  expect([places.taken, lost]).toEqual([90, ["a1"]]);
});

test("among holders of about as many, a new one displaces the oldest", () => {
  const { lost, take } = hundred();
  for (let index = 0; index < 20; index += 1) take(String.fromCharCode(97 + index), 5);
  take("z", 7);
  expect(lost).toEqual(["a", "b"]);
});

test("all places are free again, whether they are released, lost, or released twice", () => {
  const { places, lost, take } = hundred();
  const releases = Array.from({ length: 50 }, (_, index) => take(`${index % 5}`, 7));
  expect(lost.length).toBeGreaterThan(30);
  for (const release of [...releases, ...releases]) release();
  expect(places.taken).toBe(0);
});

/** Messages that are arriving, and a function that begins one of a client or of an address. */
function slowBodies() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const bodies = new ArrivingMessages();
  const begin = (sender: string, bytes: number) => {
    const isClient = !/[.:]/.test(sender);
    const refusals: Refusal[] = [];
    const own = { knownAs: isClient ? toCaller(sender, sender) : undefined, address: isClient ? "192.0.2.1" : sender };
    return { refusals, ...bodies.begin(own, bytes, (refusal) => void refusals.push(refusal)) };
  };
  const many = (count: number, sender: (index: number) => string, bytes: number) =>
    Array.from({ length: count }, (_, index) => begin(sender(index), bytes));
  return { bodies, begin, many };
}

const refusedOf = (messages: readonly { readonly refusals: readonly Refusal[] }[]) =>
  messages.filter(({ refusals }) => refusals.length > 0).length;

test("a message that arrives within half a second takes no places, and a slow or large one those of its bytes", () => {
  const { bodies, begin } = slowBodies();
  const [quick, slow, large] = [begin("a", 20_000), begin("a", 20_000), begin("192.0.2.1", 100_000)];
  large.reserve();
  vi.advanceTimersByTime(400);
  expect(bodies.memory.reservedBytes).toEqual({ authenticated: 0, unauthenticated: 7 << 14 });
  quick.end();
  vi.advanceTimersByTime(400);
  expect(bodies.memory.reservedBytes.authenticated).toBe(2 << 14);
  for (const each of [slow, large]) each.end();
  expect(bodies.memory.reservedBytes).toEqual({ authenticated: 0, unauthenticated: 0 });
  vi.advanceTimersByTime(1_000);
  expect(vi.getTimerCount()).toBe(0);
});

test("a partner that stalls with all it can loses its oldest messages to others, who lose none", () => {
  const { bodies, many } = slowBodies();
  const stalled = many(100, () => "slow", 1 << 20);
  vi.advanceTimersByTime(1_000);
  expect([refusedOf(stalled), stalled[0]?.refusals[0]]).toMatchObject([
    44,
    { code: "unavailable", retryAfterSeconds: 1 },
  ]);
  const others = many(25, (index) => `partner-${index}`, 1 << 20);
  vi.advanceTimersByTime(1_000);
  expect([refusedOf(others), refusedOf(stalled)]).toEqual([0, 69]);
  expect(bodies.memory.reservedBytes.authenticated).toBe(slowBytes.authenticated);
});

test.each([
  ["one network", () => "198.51.100.7"],
  ["thousands of networks", (index: number) => `2001:db8:0:${index.toString(16)}::1`],
])("while %s stalls, a slow message from elsewhere has room, and known senders keep theirs", (_name, from) => {
  const { bodies, begin, many } = slowBodies();
  const known = many(50, (index) => `partner-${index}`, 1 << 20);
  const stalled = many(9_000, from, 65_000);
  vi.advanceTimersByTime(1_000);
  expect(refusedOf(stalled)).toBe(9_000 - slowBytes.unauthenticated / (1 << 16));
  const honest = begin("203.0.113.1", 300);
  vi.advanceTimersByTime(1_000);
  expect([
    refusedOf([honest]),
    refusedOf(known),
    bodies.memory.reservedBytes.unauthenticated <= slowBytes.unauthenticated,
  ]).toEqual([0, 0, true]);
});

test("a message that came while the whole process paused is not slow", async () => {
  const bodies = new ArrivingMessages();
  let isSlow = false;
  const sender = { knownAs: undefined, address: "192.0.2.1" };
  const server = createServer((socket) => {
    let message: ArrivingMessage | undefined;
    socket.on("data", () => {
      message?.end();
      if (message !== undefined) return socket.end();
      message = bodies.begin(
        sender,
        20_000,
        () => undefined,
        () => {
          isSlow = true;
        },
      );
      return socket.write("more, please");
    });
  });
  onTestFinished(() => void server.close());
  const client = connect(await listenOnLoopback(server), "127.0.0.1");
  client.write("the beginning");
  await once(client, "data");
  client.write("the end");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800);
  await once(client, "close");
  expect(isSlow).toBe(false);
});
