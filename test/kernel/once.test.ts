// What is made for the first who asks.
import { expect, test } from "vitest";
import { once } from "../../src/kernel/once.ts";

test("concurrent callers share one computation, which is repeated only after it failed", async () => {
  const outcomes = [Promise.reject(new Error("away")), Promise.resolve("made"), Promise.resolve("made again")];
  let calls = 0;
  const get = once(() => {
    const outcome = outcomes[calls];
    calls += 1;
    return outcome ?? Promise.reject(new Error("asked too often"));
  });
  expect(await Promise.allSettled([get(), get()])).toMatchObject([{ status: "rejected" }, { status: "rejected" }]);
  expect(calls).toBe(1);
  expect(await Promise.all([get(), get(), get()])).toEqual(["made", "made", "made"]);
  expect(await get()).toBe("made");
  expect(calls).toBe(2);
});
