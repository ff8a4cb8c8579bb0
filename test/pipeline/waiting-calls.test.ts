// How many calls may wait has bounds, for each client and for all.
import { expect, test } from "vitest";
import { toCaller } from "../../src/kernel/limits/caller.ts";
import { newWaitingCalls } from "../../src/services/events/event-service.ts";

const { signal } = new AbortController();
const [one, other] = [toCaller("a", "one"), toCaller("b", "other")];

/** A call that is let in although it should be refused ends at once, so that its test fails and does not hang. */
const over = async () => undefined;

function newWait() {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  return { wait: () => promise, end };
}

test("a client's ninth call is refused, and may wait when another has ended", async () => {
  const calls = newWaitingCalls();
  const waits = Array.from({ length: 8 }, newWait);
  const running = waits.map(({ wait: work }) => calls.run(one, signal, work));
  const { wait, end } = newWait();
  await expect(calls.run(one, signal, over)).rejects.toMatchObject({
    code: "rate_limited",
    message: "A client may have 8 calls that wait for events, and its partner 128.",
    retryAfterSeconds: 1,
  });
  const beside = calls.run(other, signal, wait);
  waits[0]?.end();
  await running[0];
  const again = calls.run(one, signal, wait);
  for (const each of waits) each.end();
  end();
  await Promise.all([...running, beside, again]);
  expect(calls.state.running).toBe(0);
});

test("the 257th waiting call of the process is refused", async () => {
  const calls = newWaitingCalls();
  const { wait, end } = newWait();
  const running = Array.from({ length: 256 }, (_, index) =>
    calls.run(toCaller(`partner ${index % 16}`, `client ${index % 32}`), signal, wait),
  );
  await expect(calls.run(other, signal, over)).rejects.toMatchObject({
    code: "unavailable",
    message: "Too many calls wait for events. Ask without waiting.",
    retryAfterSeconds: 1,
  });
  end();
  await Promise.all(running);
  await calls.run(other, signal, over);
});

test("a wait that fails frees its place", async () => {
  const calls = newWaitingCalls();
  await expect(calls.run(one, signal, () => Promise.reject(new Error("cut")))).rejects.toThrow("cut");
  expect(calls.state.running).toBe(0);
});
