// Compare and swap: an attempt that lost its race is made again, until the deadline is near.
import { expect, test } from "vitest";
import { retryUntilStored } from "../../src/domain/concurrent-writes.ts";

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
    deadline: { signal: controller.signal, endsAt: start + ms },
  };
}

test("after lost races the attempt is made again until it succeeds", async () => {
  const { monotonic, deadline } = timeline(10_000);
  let attempts = 0;
  const result = await retryUntilStored({ monotonic, random: noJitter }, deadline, async () => {
    attempts += 1;
    return attempts === 12 ? "done" : undefined;
  });
  expect([result, attempts]).toEqual(["done", 12]);
});

test("races that are lost again and again end as a conflict while there is time to tell", async () => {
  const { monotonic, pass, deadline } = timeline(1000);
  let attempts = 0;
  const settled = retryUntilStored({ monotonic, random: noJitter }, deadline, async () => {
    attempts += 1;
    pass(90);
  });
  await expect(settled).rejects.toMatchObject({ name: "Refusal", code: "conflict" });
  expect(monotonic()).toBeLessThan(deadline.endsAt);
  // After the tenth attempt 900 of 1000 ms have passed, which leaves just enough; after the eleventh it is too late.
  expect(attempts).toBe(11);
});

test("a deadline that passes during a pause ends it with the signal's reason", async () => {
  const { monotonic, abort, deadline } = timeline(10_000);
  let attempts = 0;
  const settled = retryUntilStored({ monotonic, random: noJitter }, deadline, async () => {
    attempts += 1;
    abort(new Error("the deadline passed"));
  });
  await expect(settled).rejects.toMatchObject({ name: "AbortError", cause: new Error("the deadline passed") });
  expect(attempts).toBe(1);
});
