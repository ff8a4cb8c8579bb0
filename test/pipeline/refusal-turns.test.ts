// Refusals in great number leave the event loop to others, those of one partner to those of another as well.
import { expect, test } from "vitest";
import { createRefusalTurns } from "../../src/pipeline/limits/admission.ts";

/** A function that resolves when a refusal of the partner is sent. */
function refusals() {
  const turns = createRefusalTurns();
  return async (partner: string) => turns.take(partner);
}

test("the first refusal of a partner is sent at once, however many of another partner are delayed", async () => {
  const next = refusals();
  const order: string[] = [];
  const note = (name: string) => () => void order.push(name);
  const all = Array.from({ length: 20 }, (_, index) => next("a").then(note(`a${index}`)));
  await next("b").then(note("b"));
  expect(order).toEqual(["a0", "b"]);
  await Promise.all(all);
  expect(order.slice(2)).toEqual(Array.from({ length: 19 }, (_, index) => `a${index + 1}`));
});

test("further refusals are sent at once when a thousand are delayed", async () => {
  const next = refusals();
  let gone = 0;
  const all = Array.from({ length: 1_500 }, () => next("a").then(() => (gone += 1)));
  await new Promise(setImmediate);
  expect(gone).toBeGreaterThanOrEqual(500);
  expect(gone).toBeLessThan(600);
  await Promise.all(all);
});
