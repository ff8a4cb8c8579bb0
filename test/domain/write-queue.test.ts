// Writers of one session go one after the other; those of different sessions do not wait for each other.
import { expect, test } from "vitest";
import { WriteQueue } from "../../src/domain/concurrent-writes.ts";
import { signal } from "../support/deadline.ts";

const most = 128;

/** A task that notes its begin and end, and ends when told. */
function newTask(name: string, notes: string[]) {
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const run = async () => {
    notes.push(`${name} begins`);
    begun.resolve();
    await gate.promise;
    notes.push(`${name} ends`);
    return name;
  };
  return { run, begun: begun.promise, end: gate.resolve, fail: gate.reject };
}

test("tasks of one key run one after the other, in the order they came", async () => {
  const queue = new WriteQueue();
  const notes: string[] = [];
  const tasks = ["a", "b", "c"].map((name) => newTask(name, notes));
  const runs = tasks.map(({ run }) => queue.run("key", signal, run));
  for (const { end } of tasks.toReversed()) end();
  expect(await Promise.all(runs)).toEqual(["a", "b", "c"]);
  expect(notes).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});

test(`the task after ${most} that are running or waiting is refused as unavailable, until one has ended`, async () => {
  const queue = new WriteQueue();
  const first = newTask("first", []);
  const runs = [queue.run("key", signal, first.run)];
  for (let count = 1; count < most; count += 1) runs.push(queue.run("key", signal, async () => "next"));
  let isBegun = false;
  const refusal = queue.run("key", signal, async () => {
    isBegun = true;
  });
  await expect(refusal).rejects.toMatchObject({
    code: "unavailable",
    message: "Too many writes to this session are waiting.",
    retryAfterSeconds: 1,
  });
  expect(await queue.run("other", signal, async () => "free")).toBe("free");
  first.end();
  expect(await Promise.all(runs)).toHaveLength(most);
  expect(isBegun).toBe(false);
  expect(await queue.run("key", signal, async () => "again")).toBe("again");
});
