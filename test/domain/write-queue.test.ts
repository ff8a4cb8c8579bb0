// Writers of one session go one after the other; those of different sessions do not wait for each other.
import { expect, test } from "vitest";
import { WriteQueue } from "../../src/domain/concurrent-writes.ts";

const { signal } = new AbortController();
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

test("a task that comes while the second of two runs waits for it", async () => {
  const queue = new WriteQueue();
  const notes: string[] = [];
  const [first, second, third] = [newTask("first", notes), newTask("second", notes), newTask("third", notes)];
  const runs = [first, second].map(({ run }) => queue.run("key", signal, run));
  first.end();
  await runs[0];
  await second.begun;
  runs.push(queue.run("key", signal, third.run));
  third.end();
  expect(await queue.run("other", signal, async () => [...notes])).not.toContain("third begins");
  second.end();
  await Promise.all(runs);
  expect(notes.slice(-4)).toEqual(["second begins", "second ends", "third begins", "third ends"]);
});

test("a failing task gives its error to its own caller, and the next one runs", async () => {
  const queue = new WriteQueue();
  const failure = new Error("failed");
  const failed = queue.run("key", signal, () => Promise.reject(failure));
  const next = queue.run("key", signal, async () => "next");
  await expect(failed).rejects.toBe(failure);
  expect(await next).toBe("next");
});

test(`the task after ${most} that are running or waiting is refused as unavailable, until one has ended`, async () => {
  const queue = new WriteQueue();
  const first = newTask("first", []);
  const runs = [queue.run("key", signal, first.run)];
  for (let count = 1; count < most; count += 1) runs.push(queue.run("key", signal, async () => "next"));
  let isBegun = false;
  const refused = queue.run("key", signal, async () => {
    isBegun = true;
  });
  await expect(refused).rejects.toMatchObject({
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

test("a task whose caller left while it waited is not begun, and the one behind it is", async () => {
  const queue = new WriteQueue();
  const notes: string[] = [];
  const [first, left, last] = [newTask("first", notes), newTask("left", notes), newTask("last", notes)];
  const caller = new AbortController();
  const runs = [queue.run("key", signal, first.run), queue.run("key", caller.signal, left.run)];
  const behind = queue.run("key", signal, last.run);
  await first.begun;
  const reason = new Error("left");
  caller.abort(reason);
  first.end();
  last.end();
  expect(await Promise.allSettled(runs)).toEqual([
    { status: "fulfilled", value: "first" },
    { status: "rejected", reason },
  ]);
  await behind;
  expect(notes).toEqual(["first begins", "first ends", "last begins", "last ends"]);
});

test("a task that runs is not cut short when its caller leaves", async () => {
  const queue = new WriteQueue();
  const task = newTask("task", []);
  const caller = new AbortController();
  const run = queue.run("key", caller.signal, task.run);
  await task.begun;
  caller.abort();
  task.end();
  expect(await run).toBe("task");
});
