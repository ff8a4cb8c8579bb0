// Partners share the event loop: however many calls one of them makes, another one waits for one of them in each iteration.
import { setImmediate as nextIteration } from "node:timers/promises";
import { expect, test } from "vitest";
import { FairLoop } from "../../src/limits/event-loop.ts";

/**
 * Which partners' calls went on at once, and then in each iteration of the event loop.
 * @param ms how long each of them takes
 */
async function goneOn(partners: readonly string[], ms: number): Promise<string[]> {
  let now = 0;
  const loop = new FairLoop(() => now);
  let gone: string[] = [];
  const goOn = (partner: string) => {
    gone.push(partner);
    now += ms;
  };
  for (const partner of partners) {
    const iteration = loop.waitForTurn(partner);
    if (iteration === undefined) goOn(partner);
    else void iteration.then(() => goOn(partner));
  }
  const inIterations: string[] = [];
  while (gone.length > 0) {
    inIterations.push(gone.join(" "));
    gone = [];
    await nextIteration();
  }
  return inIterations;
}

test("of calls that take long one of each partner goes on in an iteration, the first of them at once", async () => {
  expect(await goneOn(["a", "a", "a", "b", "b"], 2)).toEqual(["a b", "a b", "a"]);
});

test("calls that take little go on in the same iteration until they have taken two milliseconds", async () => {
  expect(await goneOn(["a", "a", "a", "a", "b", "a"], 0.5)).toEqual(["a a a a b", "a"]);
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
  const gone: string[] = [];
  const take = (partner: string) => void Promise.resolve(loop.waitForTurn(partner)).then(() => gone.push(partner));
  take("a");
  // It waits before it runs, and before its response is written.
  for (const step of ["before", "after", "next"]) {
    take("b");
    now += step === "before" ? 3 : 1;
    await nextIteration();
    await nextIteration();
  }
  expect(gone).toEqual(["b", "b", "b"]);
  now = 12;
  await expect.poll(() => gone).toContain("a");
});

test("a partner with one call at a time never pauses", async () => {
  let now = 0;
  const loop = new FairLoop(() => now);
  expect([loop.waitForTurn("b"), loop.waitForTurn("a")]).toEqual([undefined, undefined]);
  now = 6;
  await nextIteration();
  expect(loop.waitForTurn("a")).toBeUndefined();
});
