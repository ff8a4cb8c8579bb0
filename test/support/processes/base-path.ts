// The programs that a fresh clone has: those of Debian's base system, Node, npm, and what `npm ci` brings.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

/**
 * A PATH on which there is nothing else, by a folder of links. A system without dpkg cannot say what its base is: there
 * it is the PATH of this process.
 */
export function basePath(): string {
  const packageLines = output("dpkg-query", "--show", `--showformat=\${Priority} \${Package}\\n`).split("\n");
  const packages = packageLines.flatMap((line) => (/^required|\bapt$/.test(line) ? (line.split(" ")[1] ?? []) : []));
  if (packages.length === 0) return process.env.PATH ?? "";
  const files = output("dpkg-query", "--listfiles", ...packages).split("\n");
  const programs = files.filter((file) => /^(\/usr)?\/s?bin\/[^/]+$/.test(file));
  const folder = resolve(".vitest/base");
  const npm = programOutside(folder, "npm");
  mkdirSync(folder, { recursive: true });
  // In one step each, since another run may be using them.
  output("ln", "--symbolic", "--force", `--target-directory=${folder}`, ...programs, process.execPath, ...npm);
  return [resolve("node_modules/.bin"), folder].join(delimiter);
}

/** Where a program is, unless that is the folder, in which its own link would lead to itself. */
function programOutside(folder: string, name: string): string[] {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((each) => each !== folder);
  return folders
    .map((each) => join(each, name))
    .filter((file) => existsSync(file))
    .slice(0, 1);
}

function output(program: string, ...args: readonly string[]): string {
  return spawnSync(program, args, { encoding: "utf8", maxBuffer: 16 << 20 }).stdout ?? "";
}
