// Partners share the event loop: however many calls one of them makes, another one waits for one of them in each turn.
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { Turns } from "../../../src/kernel/limits/turns.ts";

/**
 * Which partners' calls went on at once, and then in each turn of the event loop.
 * @param ms how long each of them takes
 */
async function goneOn(partners: readonly string[], ms: number): Promise<string[]> {
  let now = 0;
  const turns = new Turns(() => now);
  let gone: string[] = [];
  const goOn = (partner: string) => {
    gone.push(partner);
    now += ms;
  };
  for (const partner of partners) {
    const turn = turns.take(partner);
    if (turn === undefined) goOn(partner);
    else void turn.then(() => goOn(partner));
  }
  const inTurns: string[] = [];
  while (gone.length > 0) {
    inTurns.push(gone.join(" "));
    gone = [];
    await nextTurn();
  }
  return inTurns;
}

test("of calls that take long one of each partner goes on in a turn, the first of them at once", async () => {
  expect(await goneOn(["a", "a", "a", "b", "b"], 2)).toEqual(["a b", "a b", "a"]);
});

test("calls that take little go on in the same turn until they have taken two milliseconds", async () => {
  expect(await goneOn(["a", "a", "a", "a", "b", "a"], 0.5)).toEqual(["a a a a b", "a"]);
});

test("a partner waits for nothing if no other one has called for a second", async () => {
  let now = 0;
  const turns = new Turns(() => now);
  const waits = () => {
    now += 5;
    return turns.take("a") !== undefined;
  };
  expect(turns.take("b")).toBeUndefined();
  expect([waits(), waits(), waits()]).toEqual([false, true, true]);
  for (let turn = 0; turn < 4; turn += 1) await nextTurn();
  now += 1_000;
  expect([waits(), waits(), waits()]).toEqual([false, false, false]);
});

test("a partner that has had its turn goes on at once in a later one", async () => {
  let now = 0;
  const turns = new Turns(() => now);
  expect(turns.take("a")).toBeUndefined();
  now = 5;
  expect(turns.take("a")).toBeInstanceOf(Promise);
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  expect(turns.take("a")).toBeUndefined();
});

test("a partner with several calls rests as long as a long turn took it alone, and no other one waits for it", async () => {
  let now = 0;
  const turns = new Turns(() => now);
  const calls = [turns.begin("a"), turns.begin("a"), turns.begin("b")];
  expect([turns.take("b"), turns.take("a")]).toEqual([undefined, undefined]);
  now = 6;
  await nextTurn();
  const gone: string[] = [];
  const take = (partner: string) => void Promise.resolve(turns.take(partner)).then(() => gone.push(partner));
  take("a");
  // It takes a turn before it runs, and one before its response is written.
  for (const step of ["before", "after", "next"]) {
    take("b");
    now += step === "before" ? 3 : 1;
    await nextTurn();
    await nextTurn();
  }
  expect(gone).toEqual(["b", "b", "b"]);
  now = 12;
  await expect.poll(() => gone).toContain("a");
  for (const call of calls) call[Symbol.dispose]();
});

test("a partner with one call at a time never rests", async () => {
  let now = 0;
  const turns = new Turns(() => now);
  expect([turns.take("b"), turns.take("a")]).toEqual([undefined, undefined]);
  now = 6;
  await nextTurn();
  expect(turns.take("a")).toBeUndefined();
});
