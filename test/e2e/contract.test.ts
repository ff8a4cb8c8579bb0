// The contract over REST, and what all doors have in common.
import { expect, test } from "vitest";
import { bodyOf, fullAnswers } from "./cases/case.ts";
import { restDoors, rpcDoors, testContract } from "./cases/contract.ts";

const running = testContract(restDoors);

test("the same answers give equal results through every door", async () => {
  const { alice } = running().callers;
  const results = await Promise.all(
    Object.values({ ...restDoors, ...rpcDoors }).map(async (open) => {
      const door = open(running());
      const created = bodyOf(await door.createSession(alice, {}));
      if (created.assessment === undefined) throw new Error("no assessment");
      const answers = fullAnswers({ assessment: created.assessment });
      bodyOf(await door.recordAnswers(alice, created.sessionId, answers));
      const completed = bodyOf(await door.completeSession(alice, created.sessionId));
      door.close();
      return completed.results;
    }),
  );
  expect(results[0]?.values).toHaveLength(19);
  for (const each of results) expect(each).toEqual(results[0]);
});
