// What a change touches, as ranges of lines that Stryker takes.
import { execFileSync, spawnSync } from "node:child_process";
import { matchesGlob } from "node:path";
import type { MutatedFolder } from "./folders.ts";

/** Added or changed lines since a commit, as `file:first-last`; undefined if git does not know the commit. */
export function changedSince(commit: string): readonly string[] | undefined {
  const { status } = spawnSync("git", ["rev-parse", "--verify", "--quiet", `${commit}^{commit}`], { stdio: "ignore" });
  if (status !== 0) return undefined;
  const options = ["diff", "--unified=0", "--no-color", "--diff-filter=AM", commit, "--", "src"];
  return rangesIn(execFileSync("git", options, { encoding: "utf8", maxBuffer: 256 * 1024 * 1024 }));
}

/** The same of the text of a diff without context. */
export function rangesIn(diff: string): string[] {
  let file = "";
  return diff.split("\n").flatMap((line) => {
    if (line.startsWith("+++ b/")) file = line.slice("+++ b/".length);
    const hunk = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line);
    const [, first = "", count = "1"] = hunk ?? [];
    if (hunk === null || count === "0") return [];
    return [`${file}:${first}-${Number(first) + Number(count) - 1}`];
  });
}

/** Those of the ranges that are in files of the folder. */
export function rangesOf({ files }: MutatedFolder, ranges: readonly string[]): string[] {
  const isIn = (file: string) =>
    files.some((glob) => !glob.startsWith("!") && matchesGlob(file, glob)) &&
    !files.some((glob) => glob.startsWith("!") && matchesGlob(file, glob.slice(1)));
  return ranges.filter((range) => isIn(range.slice(0, range.lastIndexOf(":"))));
}
