// What arrives at a time is shared: whoever holds little has room, whatever those do that hold much.
import { expect, test } from "vitest";
import type { Refusal } from "../../src/kernel/errors/refusal.ts";
import { BodyBudget, bytesPerChunk, knownSendersBytes, strangersBytes } from "../../src/kernel/limits/budget.ts";
import { callerOf } from "../../src/kernel/limits/caller.ts";

const mebibyte = 1 << 20;
const small = 300;

/** A message that has begun, of a client or of an address. */
function begin(budget: BodyBudget, sender: string, bytes: number) {
  const isClient = !/[.:]/.test(sender);
  const cuts: Refusal[] = [];
  const own = { knownAs: isClient ? callerOf(sender, sender) : undefined, address: isClient ? "192.0.2.1" : sender };
  const arriving = budget.open(own, (refusal) => void cuts.push(refusal));
  arriving.take(bytes + bytesPerChunk);
  return { arriving, isCut: () => cuts.length === 1, cuts };
}

const many = (count: number, one: (index: number) => ReturnType<typeof begin>) =>
  Array.from({ length: count }, (_, i) => one(i));
const cutOf = (messages: readonly ReturnType<typeof begin>[]) => messages.filter(({ isCut }) => isCut()).length;

test("a client that stalls with all it can leaves room for every other client, up to half of the budget", () => {
  const budget = new BodyBudget();
  const stalled = many(100, () => begin(budget, "slow", mebibyte));
  expect(cutOf(stalled)).toBeGreaterThan(40);
  const others = many(25, (index) => begin(budget, `partner-${index}`, mebibyte));
  expect(cutOf(others)).toBe(0);
  expect(budget.usedBytes.known).toBeLessThanOrEqual(knownSendersBytes);
});

test("a client that sends more than there is room for finishes what it began first", () => {
  const budget = new BodyBudget();
  const sent = many(100, () => begin(budget, "busy", mebibyte));
  expect(sent.slice(0, 50).some(({ isCut }) => isCut())).toBe(false);
  expect(sent.at(-1)?.isCut()).toBe(true);
  expect(sent.at(-1)?.cuts[0]).toMatchObject({ code: "unavailable", retryAfterSeconds: 1 });
});

test("strangers cannot use the budget of known senders", () => {
  const budget = new BodyBudget();
  many(2_000, (index) => begin(budget, `198.51.100.${index % 250}`, 65_000));
  expect(budget.usedBytes.stranger).toBeLessThanOrEqual(strangersBytes);
  const known = many(50, (index) => begin(budget, `partner-${index}`, mebibyte));
  expect(cutOf(known)).toBe(0);
});

test.each([
  ["one network with large messages", () => "198.51.100.7", 65_000],
  ["one network with small messages", () => "198.51.100.7", 1],
  ["thousands of networks with large messages", (index: number) => `2001:db8:0:${index.toString(16)}::1`, 65_000],
  ["thousands of networks with small messages", (index: number) => `2001:db8:0:${index.toString(16)}::1`, 1],
])(
  "while %s stalls, a small message from elsewhere has room, and so has one from the same network",
  (_name, from, bytes) => {
    const budget = new BodyBudget();
    const stalled = many(9_000, (index) => begin(budget, from(index), bytes));
    expect(cutOf(stalled)).toBeGreaterThan(1_000);
    for (const address of ["203.0.113.1", from(8_999)]) {
      const honest = begin(budget, address, small);
      expect(honest.isCut()).toBe(false);
      honest.arriving.end();
    }
  },
);
