// Empty folders, which are removed afterwards.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";

/** For all tests of a file. */
export function folderOfFile(): string {
  return newFolder(afterAll);
}

/** For the test that runs. */
export function folderOfTest(): string {
  return newFolder(onTestFinished);
}

function newFolder(atEnd: (remove: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), "pas-test-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
