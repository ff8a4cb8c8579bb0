// Who called of late is written down once in a while, and not with each call.
import { expect, test } from "vitest";
import { ClientUses } from "../../src/pipeline/auth/token.ts";
import { signal } from "../support/deadline.ts";

function newUses() {
  const saved: (readonly string[])[] = [];
  const state = { isAway: false };
  const uses = new ClientUses({
    async saveClientUses(ids) {
      if (state.isAway) throw new Error("away");
      saved.push(ids);
    },
  });
  return { uses, saved, state };
}

test("a client that calls many times is written once, and again only after it called again", async () => {
  const { uses, saved } = newUses();
  for (const clientId of ["a", "b", "a", "a"]) uses.markUsed(clientId);
  await uses.save(signal);
  expect(saved).toEqual([["a", "b"]]);
  await uses.save(signal);
  expect(saved).toHaveLength(1);
  uses.markUsed("b");
  await uses.save(signal);
  expect(saved).toEqual([["a", "b"], ["b"]]);
});

test("a use that could not be written is written the next time", async () => {
  const { uses, saved, state } = newUses();
  uses.markUsed("a");
  state.isAway = true;
  await expect(uses.save(signal)).rejects.toThrow("away");
  state.isAway = false;
  uses.markUsed("b");
  await uses.save(signal);
  expect(saved).toEqual([["a", "b"]]);
});

test("a thousand clients are remembered", async () => {
  const { uses, saved } = newUses();
  for (let index = 0; index < 1_100; index += 1) uses.markUsed(String(index));
  await uses.save(signal);
  expect(saved.map((ids) => ids.length)).toEqual([1_000]);
});
