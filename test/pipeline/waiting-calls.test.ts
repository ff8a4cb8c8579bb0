// How many calls may wait has bounds, for each client and for all.
import { expect, test } from "vitest";
import { newWaitingCalls } from "../../src/services/events/event-service.ts";

/** A call that is let in although it should be refused ends at once, so that its test fails and does not hang. */
const over = async () => undefined;

function newWait() {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  return { wait: () => promise, end };
}

test("a client's ninth call is refused, and may wait when another has ended", async () => {
  const calls = newWaitingCalls();
  const waits = Array.from({ length: 8 }, newWait);
  const running = waits.map(({ wait }) => calls.run("one", wait));
  const { wait, end } = newWait();
  await expect(calls.run("one", over)).rejects.toMatchObject({
    code: "rate_limited",
    message: "A client may have 8 calls that wait for events.",
    retryAfterSeconds: 1,
  });
  const other = calls.run("other", wait);
  waits[0]?.end();
  await running[0];
  const again = calls.run("one", wait);
  for (const each of waits) each.end();
  end();
  await Promise.all([...running, other, again]);
  expect(calls.taken).toBe(0);
});

test("with each call that ends there is room for one more of its client, and no further one", async () => {
  const calls = newWaitingCalls();
  const waits = Array.from({ length: 8 }, newWait);
  const running = waits.map(({ wait }) => calls.run("one", wait));
  for (let ended = 0; ended < 3; ended += 1) {
    waits[ended]?.end();
    await running[ended];
    const next = newWait();
    waits.push(next);
    running.push(calls.run("one", next.wait));
    await expect(calls.run("one", over)).rejects.toMatchObject({ code: "rate_limited" });
  }
  for (const { end } of waits) end();
  await Promise.all(running);
  expect(calls.taken).toBe(0);
});

test("the 257th call of all is refused", async () => {
  const calls = newWaitingCalls();
  const { wait, end } = newWait();
  const running = Array.from({ length: 256 }, (_, index) => calls.run(`client ${index % 32}`, wait));
  await expect(calls.run("another", over)).rejects.toMatchObject({
    code: "unavailable",
    message: "Too many calls wait for events. Ask without waiting.",
    retryAfterSeconds: 1,
  });
  end();
  await Promise.all(running);
  await calls.run("another", over);
});

test("a wait that fails is over as well", async () => {
  const calls = newWaitingCalls();
  await expect(calls.run("one", () => Promise.reject(new Error("cut")))).rejects.toThrow("cut");
  expect(calls.taken).toBe(0);
});
