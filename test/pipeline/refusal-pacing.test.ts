// Refusals in great number, and the event loop between them.
import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import { expect, test } from "vitest";
import { RefusalPacing } from "../../src/pipeline/limits/paced-admission.ts";

/** A clock that a test sets, in milliseconds, and that counts how often it is asked. */
function newPacing() {
  const time = { now: 0, asked: 0 };
  const now = () => {
    time.asked += 1;
    return time.now;
  };
  return { time, pacing: new RefusalPacing(now) };
}

/** Starts so many refusals; `done` holds those that have had their turn, in order. */
function start(pacing: RefusalPacing, count: number) {
  const done: number[] = [];
  const all = Array.from({ length: count }, (_, index) => pacing.next().then(() => done.push(index)));
  return { done, all: Promise.all(all) };
}

test("a few refusals have their turn at once, all of them in the order in which they came", async () => {
  const { done, all } = start(newPacing().pacing, 100);
  await turnOfTheLoop();
  expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  await all;
  expect(done).toEqual(Array.from({ length: 100 }, (_, index) => index));
});

test("many refusals let the event loop turn between them", async () => {
  const { done, all } = start(newPacing().pacing, 100);
  let turnsSeen = 0;
  while (done.length < 100) {
    await turnOfTheLoop();
    turnsSeen += 1;
  }
  await all;
  expect(turnsSeen).toBeGreaterThanOrEqual(12);
});

test("of a flood a hundred have their turn, and then 250 a second", async () => {
  const { time, pacing } = newPacing();
  const { done, all } = start(pacing, 1_000);
  const soon = { timeout: 30_000, interval: 5 };
  for (const [now, expected] of [
    [0, 100],
    [40, 110],
    [60, 115],
    [260, 165],
    [10_000, 265],
  ] as const) {
    time.now = now;
    await expect.poll(() => done.length, soon).toBe(expected);
    for (let turn = 0; turn < 100; turn += 1) await turnOfTheLoop();
    expect(done).toHaveLength(expected);
  }
  while (done.length < 1_000) {
    time.now += 1_000;
    await turnOfTheLoop();
  }
  await all;
});

test("refusals beyond what may wait do not wait", async () => {
  const { time, pacing } = newPacing();
  const { done, all } = start(pacing, 1_000);
  const beyond = start(pacing, 10);
  await Promise.race([beyond.all, turnOfTheLoop()]);
  expect(beyond.done).toHaveLength(10);
  expect(done).toEqual([]);
  while (done.length < 1_000) {
    time.now += 1_000;
    await turnOfTheLoop();
  }
  await all;
});

test("nothing goes on when no refusal waits any more", async () => {
  const { time, pacing } = newPacing();
  await start(pacing, 20).all;
  const { asked } = time;
  for (let turns = 0; turns < 100; turns += 1) await turnOfTheLoop();
  expect(time.asked).toBe(asked);
});

test("refusals that wait for their time leave the event loop to others until then", async () => {
  const { time, pacing } = newPacing();
  const { done, all } = start(pacing, 101);
  while (done.length < 100) await turnOfTheLoop();
  const { asked } = time;
  for (let turns = 0; turns < 1_000; turns += 1) await turnOfTheLoop();
  // By a timer, not by each turn.
  expect(time.asked - asked).toBeLessThan(500);
  time.now = 4;
  await all;
});
