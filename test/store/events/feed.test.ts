// How long a reader of the feed waits: no longer than leaves a second to tell its caller, by the clock of its deadline.

import { expect, onTestFinished, test, vi } from "vitest";
import { readFeed } from "../../../src/services/events/event-service.ts";
import { EventWatch } from "../../../src/services/events/event-watch.ts";
import { someId } from "../../support/builders.ts";
import { signal } from "../../support/deadline.ts";
import { testDependencies } from "../../support/dependencies.ts";
import { storesOfFile } from "../../support/of-file.ts";

const nothing = { events: [], next: "0", atEnd: true };
const query = { after: "", waitSeconds: 20, pageSize: 0, types: [], includeExternalId: false };
const monotonic = () => 0;

const database = await storesOfFile();

/** Begins to read the empty feed of a partner, with a deadline that is so far away. Somebody else waits as well. */
async function read(deadlineMs: number) {
  const watch = new EventWatch(() => [{ name: "", events: database.events }]);
  onTestFinished(() => watch.stop());
  // The first look wakes everybody.
  await watch.waitForChange(someId(), signal);
  void watch.waitForChange(someId(), signal);
  const { promise: isIdle, resolve: wait } = Promise.withResolvers<"waits">();
  const waitOutside = <T>(_reason: string, change: () => Promise<T>) => {
    wait("waits");
    return change();
  };
  const deps = { ...testDependencies(database), watch, monotonic };
  const page = readFeed(deps, someId(), query, { signal, endsAt: deadlineMs, waitOutside });
  return { watch, page, isIdle };
}

test("a wait ends a second before the deadline of its call", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { watch, page, isIdle } = await read(15_000);
  await isIdle;
  vi.advanceTimersByTime(13_999);
  expect(watch.waiting).toBe(2);
  vi.advanceTimersByTime(1);
  expect(watch.waiting).toBe(1);
  expect(await page).toEqual(nothing);
});

test.each([1_000, 900])("a call whose deadline is %i ms away does not wait: it reads once", async (ms) => {
  const { page, isIdle } = await read(ms);
  expect(await Promise.race([isIdle, page])).toEqual(nothing);
});
