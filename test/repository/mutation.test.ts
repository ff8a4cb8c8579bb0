// What is mutated, and what of a change is.
import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { rangesIn, rangesOf } from "../../tools/mutate/changed-lines.ts";
import { folderNamed, folders } from "../../tools/mutate/folders.ts";
import { percentOf, readReport } from "../../tools/mutate/report.ts";
import scores from "../../tools/mutate/scores.json" with { type: "json" };

test("every folder that is mutated has files, and tests of its own", () => {
  for (const { name, files, tests } of folders) {
    const [wanted, left] = [
      files.filter((glob) => !glob.startsWith("!")),
      files.filter((glob) => glob.startsWith("!")),
    ];
    const exclude = left.map((glob) => glob.slice(1));
    expect([name, globSync(wanted, { exclude }).length > 0]).toEqual([name, true]);
    for (const glob of [...tests, ...wanted]) expect([glob, globSync(glob).length > 0]).toEqual([glob, true]);
  }
  expect(() => folderNamed("nothing")).toThrow("values-bridge/scoring");
  expect(Object.keys(scores).filter((name) => !folders.some((folder) => folder.name === name))).toEqual([]);
});

test("of a change the lines are mutated that it adds or changes, in the folders that are mutated", () => {
  const diff = [
    "--- a/src/domain/audit/acts.ts",
    "+++ b/src/domain/audit/acts.ts",
    "@@ -3 +3 @@ import",
    "@@ -10,2 +11,4 @@ export",
    "@@ -20,2 +24,0 @@ removed",
    "--- a/src/domain/audit/audit-port.ts",
    "+++ b/src/domain/audit/audit-port.ts",
    "@@ -1 +1 @@",
    "+++ b/src/gateway/gateway.ts",
    "@@ -0,0 +1,9 @@",
  ].join("\n");
  const ranges = rangesIn(diff);
  expect(ranges).toEqual([
    "src/domain/audit/acts.ts:3-3",
    "src/domain/audit/acts.ts:11-14",
    "src/domain/audit/audit-port.ts:1-1",
    "src/gateway/gateway.ts:1-9",
  ]);
  expect(rangesOf(folderNamed("domain"), ranges)).toEqual(ranges.slice(0, 2));
  expect(rangesOf(folderNamed("webhooks"), ranges)).toEqual([]);
});

test("a mutant that never ends is noticed; one that no test runs is counted apart", () => {
  const folder = mkdtempSync(join(tmpdir(), "pas-mutation-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const at = { start: { line: 2, column: 3 }, end: { line: 2, column: 8 } };
  const statuses = ["Killed", "Timeout", "Killed", "Survived", "NoCoverage", "CompileError"];
  const mutants = statuses.map((status) => ({ status, mutatorName: "Sum", replacement: "a - b", location: at }));
  const path = join(folder, "report.json");
  writeFileSync(path, JSON.stringify({ files: { "src/sum.ts": { source: "// Sums.\n  a + b;\n", mutants } } }));
  const { score, survivors } = readReport(path);
  expect(score).toEqual({ noticed: 3, survived: 1, uncovered: 1 });
  expect(percentOf(score)).toBe(75);
  expect(survivors).toEqual([
    expect.objectContaining({
      file: "src/sum.ts",
      line: 2,
      text: "a + b;",
      replaced: "a + b",
      mutator: "Sum",
      replacement: "a - b",
    }),
  ]);
  expect(percentOf({ noticed: 0, survived: 0, uncovered: 7 })).toBeNull();
});
