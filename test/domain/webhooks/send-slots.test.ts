// Who sends next: most places are for endpoints that are known to take webhooks, and nobody goes without one.
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { SendSlots } from "../../../src/webhooks/lease/send-slots.ts";

function askerOf(slots: SendSlots) {
  const taken: string[] = [];
  const leaving = new Map<string, () => void>();
  return {
    taken,
    async ask(name: string, isHealthy: boolean): Promise<void> {
      void slots.acquire(isHealthy).then((leave) => {
        taken.push(name);
        leaving.set(name, leave);
      });
      await turn();
    },
    async leave(name: string): Promise<void> {
      leaving.get(name)?.();
      await turn();
    },
  };
}

test.each([
  [1, 1],
  [3, 1],
  [4, 1],
  [7, 1],
  [8, 2],
  [16, 4],
])("of %i places %i are for endpoints without a recent success, at a time", async (total, share) => {
  const { ask, taken } = askerOf(new SendSlots(total));
  for (let index = 0; index <= total; index += 1) await ask(`other ${index}`, false);
  expect(taken).toHaveLength(share);
  for (let index = 0; index <= total; index += 1) await ask(`healthy ${index}`, true);
  expect(taken).toHaveLength(total);
});

test("a place that is given back is taken by whoever waited longest, of those who may", async () => {
  const { ask, leave, taken } = askerOf(new SendSlots(4));
  for (const name of ["other", "next other"]) await ask(name, false);
  for (const name of ["one", "two", "three", "four", "five"]) await ask(name, true);
  expect(taken).toEqual(["other", "one", "two", "three"]);
  await leave("one");
  expect(taken.slice(4)).toEqual(["four"]);
  await leave("other");
  expect(taken.slice(5)).toEqual(["next other"]);
  await leave("two");
  expect(taken.slice(6)).toEqual(["five"]);
});

test("the share is free again with each that leaves, however often", async () => {
  const { ask, leave, taken } = askerOf(new SendSlots(4));
  for (let index = 0; index < 10; index += 1) {
    await ask(`other ${index}`, false);
    await leave(`other ${index}`);
  }
  expect(taken).toHaveLength(10);
  for (const name of ["last", "one too many"]) await ask(name, false);
  expect(taken.slice(10)).toEqual(["last"]);
});
