// Windows of requests, and for whom they are counted.
import { describe, expect, test } from "vitest";
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
