// One process at a time has the lock of a data folder, and a holder that is gone holds nobody up.
import { mkdtempSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { withLock } from "../../src/database/embedded/lock.ts";
import { thisProcess } from "../../src/database/embedded/process.ts";

function newLock(): string {
  const folder = mkdtempSync(join(tmpdir(), "pas-lock-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "embedded.lock");
}

test.each([
  ["a process that is gone", () => "4194304@1"],
  ["a process whose pid another one has now", () => `${process.pid}@before-${thisProcess().start}`],
  ["nobody that can be told", () => "nonsense"],
])("a lock that was left by %s is taken over at once", { timeout: 30_000 }, async (_, holder) => {
  const path = newLock();
  symlinkSync(holder(), path);
  const { pid, start } = thisProcess();
  expect(await withLock(path, async () => readlinkSync(path))).toBe(`${pid}@${start}`);
});

test("while one call has the lock another one waits, and then has it", async () => {
  const path = newLock();
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = withLock(path, async () => {
    order.push("first begins");
    await gate.promise;
    order.push("first ends");
  });
  const second = withLock(path, async () => void order.push("second begins"));
  gate.resolve();
  await Promise.all([first, second]);
  expect(order).toEqual(["first begins", "first ends", "second begins"]);
});

test("work that fails gives the lock back", async () => {
  const path = newLock();
  await expect(withLock(path, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await withLock(path, async () => "done")).toBe("done");
});
