// Windows of requests, and for whom they are counted.
import { describe, expect, test } from "vitest";
import { networkOf } from "../../src/kernel/calls/network.ts";
import { RateLimit } from "../../src/pipeline/limits/rate-limits.ts";

const refused = { code: "rate_limited" };

function newLimit(requests: number, seconds = 60) {
  const state = { now: 0 };
  return { state, limit: new RateLimit({ requests, seconds }, () => state.now) };
}

describe("a limit", () => {
  test("lets through as many requests as it has in a window, tells what is left, and begins anew with the next one", () => {
    const { state, limit } = newLimit(2);
    expect(limit.consume("a")).toEqual({ limit: 2, remaining: 1, reset: 60, window: 60 });
    state.now = 59;
    expect(limit.consume("a")).toEqual({ limit: 2, remaining: 0, reset: 1, window: 60 });
    expect(() => limit.consume("a")).toThrow(expect.objectContaining({ ...refused, retryAfterSeconds: 1 }));
    expect(limit.consume("b")).toMatchObject({ remaining: 1 });
    state.now = 60;
    expect(limit.consume("a")).toMatchObject({ remaining: 1, reset: 60 });
  });

  test("checks without counting", () => {
    const { limit } = newLimit(1);
    for (let time = 0; time < 3; time += 1) limit.check("a");
    limit.consume("a");
    expect(() => limit.check("a")).toThrow(expect.objectContaining(refused));
    limit.check("b");
  });

  test("of none lets everything through", () => {
    const { limit } = newLimit(0);
    for (let time = 0; time < 3; time += 1) expect(limit.consume("a")).toBeUndefined();
    limit.check("a");
  });

  test("keeps the windows of 20,000 keys and forgets the one that ends first", () => {
    const { state, limit } = newLimit(1);
    for (let index = 0; index < 20_000; index += 1) {
      state.now = index / 1_000;
      limit.consume(`key ${index}`);
    }
    for (const key of ["key 0", "key 1", "key 19999"]) expect(() => limit.check(key)).toThrow();
    limit.consume("one more");
    limit.check("key 0");
    for (const key of ["key 1", "key 19999"]) expect(() => limit.check(key)).toThrow();
  });
});

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["::FFFF:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"],
  ["2001:DB8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["unknown", "unknown"],
  ["", ""],
])("the address %j counts as %j", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
