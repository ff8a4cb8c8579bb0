// Compare and swap: an attempt that lost its race is made again, until the deadline is near.
import { expect, test } from "vitest";
import { compareAndSwap } from "../../src/domain/concurrent-writes.ts";
import { Refusal } from "../../src/kernel/errors/refusal.ts";

const start = Date.UTC(2026, 10, 20);
const noJitter = (length: number) => new Uint8Array(length);

/** A deadline after so many milliseconds of a monotonic clock that only the test moves. */
function timeline(ms: number) {
  const controller = new AbortController();
  let now = start;
  return {
    monotonic: () => now,
    pass: (passed: number) => {
      now += passed;
    },
    abort: (reason: Error) => controller.abort(reason),
    deadline: { signal: controller.signal, at: start + ms },
  };
}

test("after lost races the attempt is made again until it succeeds", async () => {
  const { monotonic, deadline } = timeline(10_000);
  let attempts = 0;
  const result = await compareAndSwap({ monotonic, random: noJitter }, deadline, async () => {
    attempts += 1;
    return attempts === 12 ? "done" : undefined;
  });
  expect([result, attempts]).toEqual(["done", 12]);
});

test("an error of the attempt ends it at once", async () => {
  const { monotonic, deadline } = timeline(1000);
  const error = new Refusal("not_found", "gone");
  let attempts = 0;
  const settled = compareAndSwap({ monotonic, random: noJitter }, deadline, async () => {
    attempts += 1;
    throw error;
  });
  await expect(settled).rejects.toBe(error);
  expect(attempts).toBe(1);
});

test("races that are lost again and again end as a conflict while there is time to tell", async () => {
  const { monotonic, pass, deadline } = timeline(1000);
  let attempts = 0;
  const settled = compareAndSwap({ monotonic, random: noJitter }, deadline, async () => {
    attempts += 1;
    pass(90);
  });
  await expect(settled).rejects.toMatchObject({ name: "Refusal", code: "conflict" });
  expect(monotonic()).toBeLessThan(deadline.at);
  // After the tenth attempt 900 of 1000 ms have passed, which leaves just enough; after the eleventh it is too late.
  expect(attempts).toBe(11);
});

test.each([
  [900, 2],
  [901, 1],
])(
  "a race lost after %i of 1000 ms leaves time for %i attempt(s): 100 ms stay for the answer",
  async (ms, expected) => {
    const { monotonic, pass, deadline } = timeline(1000);
    let attempts = 0;
    const settled = compareAndSwap({ monotonic, random: noJitter }, deadline, async () => {
      attempts += 1;
      pass(attempts === 1 ? ms : 100);
    });
    await expect(settled).rejects.toMatchObject({ code: "conflict" });
    expect(attempts).toBe(expected);
  },
);

// All but a 256th part of the longest pause: 1 ms, twice as much after each race, 64 ms at most.
test.each([
  [3, 8, true],
  [3, 7, false],
  [8, 64, true],
  [8, 63, false],
])(
  "after %i races before it, one that is lost %i ms before there is time to tell is followed by a pause: %s",
  async (races, left, isTriedAgain) => {
    const { monotonic, pass, deadline } = timeline(1000);
    let attempts = 0;
    const settled = compareAndSwap({ monotonic, random: (length) => Buffer.alloc(length, 255) }, deadline, async () => {
      attempts += 1;
      if (attempts === races + 1) pass(900 - left);
      return attempts > races + 1 ? "done" : undefined;
    });
    if (isTriedAgain) expect(await settled).toBe("done");
    else await expect(settled).rejects.toMatchObject({ code: "conflict" });
  },
);

test("a deadline that passes during a pause ends it with the signal's reason", async () => {
  const { monotonic, abort, deadline } = timeline(10_000);
  let attempts = 0;
  const settled = compareAndSwap({ monotonic, random: noJitter }, deadline, async () => {
    attempts += 1;
    abort(new Error("the deadline passed"));
  });
  await expect(settled).rejects.toMatchObject({ name: "AbortError", cause: new Error("the deadline passed") });
  expect(attempts).toBe(1);
});
