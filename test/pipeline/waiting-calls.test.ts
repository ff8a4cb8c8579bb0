// How many calls of a process may wait has a bound; that of each client is a case of the contract.
import { expect, test } from "vitest";
import { toCaller } from "../../src/kernel/calls/caller.ts";
import { createWaitingCalls } from "../../src/services/events/event-service.ts";

test("the 257th waiting call of the process is refused", async () => {
  const { signal } = new AbortController();
  const calls = createWaitingCalls();
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const running = Array.from({ length: 256 }, (_, index) =>
    calls.run(toCaller(`partner ${index % 16}`, `client ${index % 32}`), signal, () => promise),
  );
  // One that is let in although it should be refused ends at once, so that this test fails and does not hang.
  await expect(calls.run(toCaller("b", "other"), signal, async () => undefined)).rejects.toMatchObject({
    code: "unavailable",
    message: "Too many calls wait for events. Ask without waiting.",
    retryAfterSeconds: 1,
  });
  end();
  await Promise.all(running);
});
