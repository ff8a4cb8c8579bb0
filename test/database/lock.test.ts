// One process at a time has the lock of a data folder, and a holder that is gone holds nobody up.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { tryLock, withLock } from "../../src/database/embedded/lock.ts";
import { folderOfTest } from "../support/folders.ts";

function newLock(): string {
  const folder = folderOfTest();
  return join(folder, "embedded.lock");
}

test.each(["exclusive", "shared"] as const)("a killed process leaves no %s lock", async (kind) => {
  const path = newLock();
  const module = new URL("../../src/database/embedded/lock.ts", import.meta.url).href;
  const script = `
    import { tryLock } from ${JSON.stringify(module)};
    process.stdout.write(String(tryLock(${JSON.stringify(path)}, "${kind}") !== undefined));
    setInterval(() => {}, 1_000);`;
  const holder = spawn(process.execPath, ["--input-type=module", "--eval", script]);
  onTestFinished(() => void holder.kill("SIGKILL"));
  const [output] = await once(holder.stdout, "data");
  expect(String(output)).toBe("true");
  expect(tryLock(path, "exclusive")).toBeUndefined();
  const ended = once(holder, "exit");
  holder.kill("SIGKILL");
  await ended;
  expect(await withLock(path, async () => "taken")).toBe("taken");
});

test("several share a lock, and nobody has it alone until the last one releases it", () => {
  const path = newLock();
  const [one, other] = [tryLock(path, "shared"), tryLock(path, "shared")];
  one?.();
  expect(tryLock(path, "exclusive")).toBeUndefined();
  other?.();
  const alone = tryLock(path, "exclusive");
  expect(alone).toBeDefined();
  expect(tryLock(path, "shared")).toBeUndefined();
  alone?.();
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
