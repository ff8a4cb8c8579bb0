// Partners share the event loop: however many calls one of them makes, another one waits for one of them in each turn.
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { Turns } from "../../../src/kernel/limits/turns.ts";

/** Which partners' calls went on at once, and then in each turn of the event loop. */
async function goneOn(partners: readonly string[]): Promise<string[]> {
  const turns = new Turns();
  let gone: string[] = [];
  for (const partner of partners) {
    const turn = turns.take(partner);
    if (turn === undefined) gone.push(partner);
    else void turn.then(() => gone.push(partner));
  }
  const inTurns: string[] = [];
  while (gone.length > 0) {
    inTurns.push(gone.join(" "));
    gone = [];
    await nextTurn();
  }
  return inTurns;
}

test("one call of each partner goes on in a turn, the first of them at once", async () => {
  expect(await goneOn(["a", "a", "a", "b", "b"])).toEqual(["a b", "a b", "a"]);
});

test("a partner that has had its turn goes on at once in a later one", async () => {
  const turns = new Turns();
  expect(turns.take("a")).toBeUndefined();
  expect(turns.take("a")).toBeInstanceOf(Promise);
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  expect(turns.take("a")).toBeUndefined();
});
