// The unit of systemd lets the service do what it does: a call of the system that it forbids would fail, or end the process.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { folderOfTest } from "../support/folders.ts";
import { provide } from "../support/run/programs.ts";

const run = promisify(execFile);

/** The calls that a name of a filter stands for: itself, or those of its set. */
async function expandCalls(name: string): Promise<string[]> {
  if (!name.startsWith("@")) return [name];
  const { stdout } = await run(await provide("systemd-analyze"), ["--no-pager", "syscall-filter", name]);
  const members = stdout.split("\n").flatMap((line) => /^ {4}([@\w]\S*)/.exec(line)?.[1] ?? []);
  return (await Promise.all(members.map(expandCalls))).flat();
}

/** The calls that the unit takes away again from those that it allows. */
async function forbidden(): Promise<string[]> {
  const unit = await readFile("deploy/systemd/pas@.service", "utf8");
  const calls = new Set<string>();
  for (const [, sign, names = ""] of unit.matchAll(/^SystemCallFilter=(~?)(.+)$/gm)) {
    for (const call of (await Promise.all(names.split(" ").map(expandCalls))).flat()) {
      if (sign === "~") calls.add(call);
      else calls.delete(call);
    }
  }
  return [...calls];
}

const drawing = `
import { createReportRenderer } from "./src/products/values-bridge/report-rendering/renderer.ts";
import { createRenderingThread } from "./src/products/values-bridge/report-rendering/thread.ts";
import { neutralBranding, reportWith } from "./test/support/reports/reports.ts";
const renderer = createReportRenderer(createRenderingThread());
const { body } = await renderer.renderReport({ model: reportWith({ 1: [24, 12] }), format: "pdf", branding: neutralBranding });
console.log(Buffer.from(body.subarray(0, 5)).toString());
await renderer.close();`;

test("a report is drawn without a call that the unit forbids", async () => {
  const calls = await forbidden();
  expect(calls).toEqual(expect.arrayContaining(["setrlimit", "chown"]));
  const folder = folderOfTest();
  const traced = join(folder, "traced");
  const filter = `trace=${calls.map((call) => `?${call}`).join(",")}`;
  const node = [process.execPath, "--input-type=module", "--eval", drawing];
  const { stdout } = await run(await provide("strace"), [
    "-f",
    "-qq",
    "-e",
    "signal=none",
    "-o",
    traced,
    "-e",
    filter,
    ...node,
  ]);
  expect(stdout.trim()).toBe("%PDF-");
  expect(await readFile(traced, "utf8")).toBe("");
});
