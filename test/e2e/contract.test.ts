// The contract over REST, also through a gateway of its own, and what all transports have in common.
import { expect, test } from "vitest";
import { bodyOf, fullAnswers } from "./cases/case.ts";
import { restTransports, rpcTransports, testContract } from "./cases/contract.ts";

const running = testContract(restTransports);

test("the same answers give equal results through every transport", async () => {
  const { alice } = running().callers;
  const results = await Promise.all(
    Object.values({ ...restTransports, ...rpcTransports }).map(async (open) => {
      const transport = open(running());
      const created = bodyOf(await transport.createSession(alice, {}));
      if (created.assessment === undefined) throw new Error("no assessment");
      const answers = fullAnswers({ assessment: created.assessment });
      bodyOf(await transport.recordAnswers(alice, created.sessionId, answers));
      const completed = bodyOf(await transport.completeSession(alice, created.sessionId));
      transport.close();
      return completed.results;
    }),
  );
  expect(results[0]?.values).toHaveLength(19);
  for (const each of results) expect(each).toEqual(results[0]);
});
