// Refusals in great number leave the event loop to others, those of one partner to those of another as well.
import { expect, test } from "vitest";
import { refusalPacing } from "../../src/pipeline/limits/admission.ts";

const [flooder, other] = ["a", "b"].map((partner) => ({ partner, client: "client" })) as never as [never, never];

test("the first refusal of a partner is sent at once, however many of another partner are delayed", async () => {
  const next = refusalPacing();
  const order: string[] = [];
  const note = (name: string) => () => void order.push(name);
  const all = Array.from({ length: 20 }, (_, index) => next(flooder).then(note(`a${index}`)));
  await next(other).then(note("b"));
  expect(order).toEqual(["a0", "b"]);
  await Promise.all(all);
  expect(order.slice(2)).toEqual(Array.from({ length: 19 }, (_, index) => `a${index + 1}`));
});

test("further refusals are sent at once when a thousand are delayed", async () => {
  const next = refusalPacing();
  let gone = 0;
  const all = Array.from({ length: 1_500 }, () => next(flooder).then(() => (gone += 1)));
  await new Promise(setImmediate);
  expect(gone).toBeGreaterThanOrEqual(500);
  expect(gone).toBeLessThan(600);
  await Promise.all(all);
});
