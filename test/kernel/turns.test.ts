// Long work gives way to calls.
import { setImmediate as turnOfLoop } from "node:timers/promises";
import { expect, test } from "vitest";
import { createYield } from "../../src/kernel/calls/yield.ts";

test("other work in the event loop runs before the next piece", async () => {
  const order: string[] = [];
  setImmediate(() => order.push("a call"));
  await createYield(() => false)();
  expect([...order, "the next piece"]).toEqual(["a call", "the next piece"]);
});

test("while other calls are served, the next piece waits longer than one of their turns", async () => {
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const pauses: number[] = [];
  const pause = (milliseconds: number) => {
    pauses.push(milliseconds);
    return over;
  };
  let isServing = true;
  const yieldToCalls = createYield(() => isServing, pause);
  let isOver = false;
  const turn = yieldToCalls().then(() => {
    isOver = true;
  });
  for (let count = 0; count < 5; count += 1) await turnOfLoop();
  expect([isOver, pauses]).toEqual([false, [expect.toSatisfy((milliseconds: number) => milliseconds > 0)]]);
  end();
  await turn;
  isServing = false;
  await yieldToCalls();
  expect(pauses).toHaveLength(1);
});
