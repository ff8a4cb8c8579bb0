// Windows of requests, and for whom they are counted.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toNetwork } from "../../src/kernel/calls/core.ts";
import { RateLimit } from "../../src/limits/rate-limit.ts";
import { countRequest } from "../../src/pipeline/auth/token.ts";

const refusal = { code: "rate_limited" };

function newLimit(requests: number, seconds = 60) {
  const state = { now: 0 };
  return { state, limit: new RateLimit({ requests, seconds }, () => 1_000 * state.now) };
}

describe("a limit for each key", () => {
  test("a limit allows its number of requests in each window, and reports what is left", () => {
    const { state, limit } = newLimit(2);
    expect(limit.consume("a")).toEqual({ limit: 2, remaining: 1, reset: 60, window: 60 });
    state.now = 59;
    expect(limit.consume("a")).toEqual({ limit: 2, remaining: 0, reset: 1, window: 60 });
    expect(() => limit.consume("a")).toThrow(expect.objectContaining({ ...refusal, retryAfterSeconds: 1 }));
    expect(limit.consume("b")).toMatchObject({ remaining: 1 });
    state.now = 60;
    expect(limit.consume("a")).toMatchObject({ remaining: 1, reset: 60 });
  });

  test("a limit refuses until its window ends and no longer, and says when that is and which limit it was", () => {
    const { state, limit } = newLimit(2, 90);
    limit.consume("a");
    limit.consume("a");
    state.now = 30;
    const metadata = { limit: "2", window: "90" };
    const until = (retryAfterSeconds: number) => expect.objectContaining({ ...refusal, retryAfterSeconds, metadata });
    expect(() => limit.consume("a")).toThrow(until(60));
    state.now = 89.5;
    expect(() => limit.consume("a")).toThrow(until(1));
    state.now = 90;
    expect(limit.consume("a")).toMatchObject({ remaining: 1, reset: 90 });
  });

  test("a limit that is not set allows everything", () => {
    const { limit } = newLimit(0);
    for (let time = 0; time < 3; time += 1) expect(limit.consume("a")).toBeUndefined();
  });

  test("a limit keeps the windows of 20,000 keys, and forgets the one that ends first", () => {
    const { state, limit } = newLimit(1);
    for (let index = 0; index < 20_000; index += 1) {
      state.now = index / 1_000;
      limit.consume(`key ${index}`);
    }
    limit.consume("one more");
    for (const key of ["key 1", "key 19999"]) expect(limit.count(key)).toBe(false);
    expect(limit.count("key 0")).toBe(true);
  });

  test("a limit keeps a renewed window longer than those that began before it", () => {
    const { state, limit } = newLimit(1);
    limit.consume("renewed");
    state.now = 30;
    limit.consume("earlier");
    state.now = 60;
    limit.consume("renewed");
    for (let index = 0; index < 19_998; index += 1) limit.consume(`key ${index}`);
    limit.consume("one more");
    expect(["renewed", "earlier"].map((key) => limit.count(key))).toEqual([false, true]);
  });
});

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["::FFFF:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"],
  ["2001:DB8::1", "2001:db8:0:0::/64"],
  ["2001::5:a:b:c:d", "2001:0:0:5::/64"],
  ["::ffff:cb00:7107", "203.0.113.7"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["unknown", "unknown"],
  ["", ""],
])("the address %j counts as %j", (address, network) => {
  expect(toNetwork(address)).toBe(network);
});

/** Ways to write an IPv6 address: from which group on how many zeros are left out, how digits are written, and its end. */
const writings = fc.record({
  groups: fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff })), { minLength: 8, maxLength: 8 }),
  from: fc.nat(7),
  isPadded: fc.boolean(),
  isUpper: fc.boolean(),
  isDotted: fc.boolean(),
});

test("the network of an IPv6 address is its first four groups, however the address is written", () => {
  fc.assert(
    fc.property(writings, ({ groups, from, isPadded, isUpper, isDotted }) => {
      fc.pre(!groups.slice(0, 5).every((group) => group === 0));
      const hex = (group: number) => group.toString(16).padStart(isPadded ? 4 : 1, "0");
      const [high = 0, low = 0] = groups.slice(6);
      const end = isDotted ? [[high >> 8, high & 255, low >> 8, low & 255].join(".")] : [hex(high), hex(low)];
      const written = [...groups.slice(0, 6).map(hex), ...end];
      let zeros = 0;
      while (from + zeros < (isDotted ? 6 : 8) && groups[from + zeros] === 0) zeros += 1;
      const short = `${written.slice(0, from).join(":")}::${written.slice(from + zeros).join(":")}`;
      const address = zeros === 0 ? written.join(":") : short;
      const network = `${groups
        .slice(0, 4)
        .map((group) => group.toString(16))
        .join(":")}::/64`;
      expect([address, toNetwork(isUpper ? address.toUpperCase() : address)]).toEqual([address, network]);
    }),
    { numRuns: 2_000 },
  );
});

test("a request that the limit of a client or of its partner refuses counts for neither, and its caller hears of that limit", () => {
  const limits = { clients: newLimit(3).limit, partners: newLimit(5).limit };
  const count = (client: string) => countRequest({ limits }, { caller: { partner: "partner", client } })?.remaining;
  const refusedBy = (limit: string) => expect.objectContaining({ ...refusal, metadata: { limit, window: "60" } });
  expect(["a", "a", "a"].map(count)).toEqual([2, 1, 0]);
  expect(() => count("a")).toThrow(refusedBy("3"));
  expect(["b", "b"].map(count)).toEqual([1, 0]);
  expect(() => count("b")).toThrow(refusedBy("5"));
  expect(limits.clients.consume("b")?.remaining).toBe(0);
});
