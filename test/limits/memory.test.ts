// Memory that many share: small holders get what they need, whatever large ones do.
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { toCaller } from "../../src/kernel/calls/core.ts";
import type { Refusal } from "../../src/kernel/errors/refusal.ts";
import { type Connection, Connections } from "../../src/limits/connections.ts";
import { type ArrivingMessage, ArrivingMessages, MemoryBudget, slowBytes } from "../../src/limits/memory.ts";
import { listenOnLoopback } from "../support/processes/loopback.ts";

/** A hundred bytes, and the names of those whose reservation was evicted, in order. The holder of `a1` is `a`. */
function hundred() {
  const evicted: string[] = [];
  const budget = new MemoryBudget({ authenticated: 100, unauthenticated: 0 });
  const reserve = (name: string, bytes: number) => {
    const caller = toCaller(name.slice(0, 1), name);
    return budget.reserve({ caller, address: "192.0.2.1" }, bytes, () => void evicted.push(name));
  };
  return { budget, evicted, reserve };
}

test("one holder may reserve all; if others need some, the largest holder loses its oldest reservation", () => {
  const { budget, evicted, reserve } = hundred();
  for (const name of ["a1", "a2", "b1"]) reserve(name, 30);
  reserve("a3", 10);
  expect([budget.reservedBytes.authenticated, evicted]).toEqual([100, []]);
  reserve("b2", 20);
  expect([budget.reservedBytes.authenticated, evicted]).toEqual([90, ["a1"]]);
});

test("among holders of about as many, a new one displaces the oldest", () => {
  const { evicted, reserve } = hundred();
  for (let index = 0; index < 20; index += 1) reserve(String.fromCharCode(97 + index), 5);
  reserve("z", 7);
  expect(evicted).toEqual(["a", "b"]);
});

test("all is free again, whether it is released, evicted, or released twice", () => {
  const { budget, evicted, reserve } = hundred();
  const reservations = Array.from({ length: 50 }, (_, index) => reserve(`${index % 5}`, 7));
  expect(evicted.length).toBeGreaterThan(30);
  for (const reservation of [...reservations, ...reservations]) reservation.release();
  expect(budget.reservedBytes.authenticated).toBe(0);
});

test("bytes that a connection holds count as those of its client once there is one, and its calls do not", async () => {
  const memory = new MemoryBudget({ authenticated: 1 << 20, unauthenticated: 1 << 20 });
  const connections = new Connections(memory, () => false);
  const opened = Promise.withResolvers<Connection | undefined>();
  const server = createServer((socket) => opened.resolve(connections.add(socket)));
  onTestFinished(() => void server.close());
  const client = connect(await listenOnLoopback(server), "127.0.0.1");
  const connection = await opened.promise;
  connection?.addCall();
  connection?.addBytes(1_000);
  expect(memory.reservedBytes).toEqual({ authenticated: 0, unauthenticated: (128 << 10) + 1_000 });
  for (const partner of ["a", "b"]) connection?.setCaller(toCaller(partner, partner));
  connection?.addCall();
  expect(memory.reservedBytes).toEqual({ authenticated: (32 << 10) + 1_000, unauthenticated: 0 });
  connection?.addBytes(-1_000);
  expect(memory.reservedBytes).toEqual({ authenticated: 32 << 10, unauthenticated: 0 });
  client.destroy();
  await vi.waitUntil(() => memory.reservedBytes.authenticated === 0);
  connection?.addBytes(1_000);
  expect(memory.reservedBytes).toEqual({ authenticated: 0, unauthenticated: 0 });
});

/** Messages that are arriving, and a function that begins one of a client or of an address. */
function slowBodies() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const bodies = new ArrivingMessages();
  const begin = (sender: string, bytes: number) => {
    const isClient = !/[.:]/.test(sender);
    const refusals: Refusal[] = [];
    const own = { caller: isClient ? toCaller(sender, sender) : undefined, address: isClient ? "192.0.2.1" : sender };
    return { refusals, ...bodies.begin(own, bytes, (refusal) => void refusals.push(refusal)) };
  };
  const many = (count: number, sender: (index: number) => string, bytes: number) =>
    Array.from({ length: count }, (_, index) => begin(sender(index), bytes));
  return { bodies, begin, many };
}

const refusedOf = (messages: readonly { readonly refusals: readonly Refusal[] }[]) =>
  messages.filter(({ refusals }) => refusals.length > 0).length;

test("a message that arrives within half a second reserves nothing, and a slow or large one its bytes", () => {
  const { bodies, begin } = slowBodies();
  const [quick, slow, large] = [begin("a", 20_000), begin("a", 20_000), begin("192.0.2.1", 100_000)];
  large.reserve();
  vi.advanceTimersByTime(400);
  expect(bodies.memory.reservedBytes).toEqual({ authenticated: 0, unauthenticated: 100_000 });
  quick.end();
  vi.advanceTimersByTime(400);
  expect(bodies.memory.reservedBytes.authenticated).toBe(20_000);
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
  const partners = many(50, (index) => `partner-${index}`, 1 << 20);
  const stalled = many(9_000, from, 1 << 16);
  vi.advanceTimersByTime(1_000);
  expect(refusedOf(stalled)).toBe(9_000 - slowBytes.unauthenticated / (1 << 16));
  const honest = begin("203.0.113.1", 300);
  vi.advanceTimersByTime(1_000);
  expect([
    refusedOf([honest]),
    refusedOf(partners),
    bodies.memory.reservedBytes.unauthenticated <= slowBytes.unauthenticated,
  ]).toEqual([0, 0, true]);
});

test("a message that came while the whole process paused is not slow", async () => {
  const bodies = new ArrivingMessages();
  let isSlow = false;
  const sender = { caller: undefined, address: "192.0.2.1" };
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
