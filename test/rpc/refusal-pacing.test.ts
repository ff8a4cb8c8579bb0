// Small tasks in great number, and the event loop between them.
import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import { expect, test } from "vitest";
import { RefusalPacing } from "../../src/rpc/limits/refusal-pacing.ts";

/** Starts so many tasks; `done` holds those that have had their turn, in order. */
function start(turns: RefusalPacing, count: number) {
  const done: number[] = [];
  const all = Array.from({ length: count }, (_, index) => turns.next().then(() => done.push(index)));
  return { done, all: Promise.all(all) };
}

test("a few tasks have their turn at once, all of them in the order in which they came", async () => {
  const { done, all } = start(new RefusalPacing(), 100);
  await turnOfTheLoop();
  expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  await all;
  expect(done).toEqual(Array.from({ length: 100 }, (_, index) => index));
});

test("a flood of tasks lets the event loop turn between them", async () => {
  const { done, all } = start(new RefusalPacing(), 100);
  let turnsSeen = 0;
  while (done.length < 100) {
    await turnOfTheLoop();
    turnsSeen += 1;
  }
  await all;
  expect(turnsSeen).toBeGreaterThanOrEqual(12);
});

test("tasks beyond what may wait do not wait", async () => {
  const turns = new RefusalPacing();
  const { done, all } = start(turns, 4096);
  const beyond = start(turns, 10);
  await beyond.all;
  expect(done).toEqual([]);
  await all;
});
