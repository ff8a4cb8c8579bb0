// Partners share the event loop: however many calls one of them makes, another one waits for one of them in each iteration.
import { setImmediate as nextIteration } from "node:timers/promises";
import { expect, test } from "vitest";
import { FairLoop } from "../../src/limits/event-loop.ts";

/**
 * Runs calls of partners, all begun at once.
 * @param ms how long each of them takes
 * @returns the partners whose calls ran at once, and then in each iteration of the event loop
 */
async function runCalls(partners: readonly string[], ms: number): Promise<string[]> {
  let now = 0;
  const loop = new FairLoop(() => now);
  let ranCalls: string[] = [];
  const run = (partner: string) => {
    ranCalls.push(partner);
    now += ms;
  };
  for (const partner of partners) {
    const turn = loop.waitForTurn(partner);
    if (turn === undefined) run(partner);
    else void turn.then(() => run(partner));
  }
  const iterations: string[] = [];
  while (ranCalls.length > 0) {
    iterations.push(ranCalls.join(" "));
    ranCalls = [];
    await nextIteration();
  }
  return iterations;
}

test("of calls that take long one of each partner goes on in an iteration, the first of them at once", async () => {
  expect(await runCalls(["a", "a", "a", "b", "b"], 2)).toEqual(["a b", "a b", "a"]);
});

test("calls that take little go on in the same iteration until they have taken two milliseconds", async () => {
  expect(await runCalls(["a", "a", "a", "a", "b", "a"], 0.5)).toEqual(["a a a a b", "a"]);
});

test("a partner waits for nothing if no other one has called for a second", async () => {
  let now = 0;
  const loop = new FairLoop(() => now);
  const waits = () => {
    now += 5;
    return loop.waitForTurn("a") !== undefined;
  };
  expect(loop.waitForTurn("b")).toBeUndefined();
  expect([waits(), waits(), waits()]).toEqual([false, true, true]);
  for (let count = 0; count < 4; count += 1) await nextIteration();
  now += 1_000;
  expect([waits(), waits(), waits()]).toEqual([false, false, false]);
});

test("a partner that has had its turn goes on at once in a later one", async () => {
  let now = 0;
  const loop = new FairLoop(() => now);
  expect(loop.waitForTurn("a")).toBeUndefined();
  now = 5;
  expect(loop.waitForTurn("a")).toBeInstanceOf(Promise);
  for (let count = 0; count < 3; count += 1) await nextIteration();
  expect(loop.waitForTurn("a")).toBeUndefined();
});

test("a partner with several calls pauses as long as a long iteration took it alone, and no other one waits for it", async () => {
  let now = 0;
  const loop = new FairLoop(() => now);
  for (const partner of ["a", "a", "b"]) loop.begin(partner);
  expect([loop.waitForTurn("b"), loop.waitForTurn("a")]).toEqual([undefined, undefined]);
  now = 6;
  await nextIteration();
  const ranCalls: string[] = [];
  const startCall = (partner: string) =>
    void Promise.resolve(loop.waitForTurn(partner)).then(() => ranCalls.push(partner));
  startCall("a");
  // It waits before it runs, and before its response is written.
  for (const step of ["before", "after", "next"]) {
    startCall("b");
    now += step === "before" ? 3 : 1;
    await nextIteration();
    await nextIteration();
  }
  expect(ranCalls).toEqual(["b", "b", "b"]);
  now = 12;
  await expect.poll(() => ranCalls).toContain("a");
});

test("a partner with one call at a time never pauses", async () => {
  let now = 0;
  const loop = new FairLoop(() => now);
  expect([loop.waitForTurn("b"), loop.waitForTurn("a")]).toEqual([undefined, undefined]);
  now = 6;
  await nextIteration();
  expect(loop.waitForTurn("a")).toBeUndefined();
});
