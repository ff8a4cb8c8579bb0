// The programs that a fresh clone has: those of Debian's base system, Node, npm, and what `npm ci` brings.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { delimiter, resolve } from "node:path";

/**
 * A PATH on which there is nothing else, by a folder of links. A system without dpkg cannot say what its base is: there
 * it is the PATH of this process.
 */
export function basePath(): string {
  const listed = output("dpkg-query", "--show", `--showformat=\${Priority} \${Package}\\n`).split("\n");
  const packages = listed.flatMap((line) => (/^required|\bapt$/.test(line) ? (line.split(" ")[1] ?? []) : []));
  if (packages.length === 0) return process.env.PATH ?? "";
  const files = output("dpkg-query", "--listfiles", ...packages).split("\n");
  const programs = files.filter((file) => /^(\/usr)?\/s?bin\/[^/]+$/.test(file));
  const npm = output("sh", "-c", "command -v npm").trim();
  const folder = resolve(".vitest/base");
  mkdirSync(folder, { recursive: true });
  // In one step each, since another run may be using them.
  output("ln", "--symbolic", "--force", `--target-directory=${folder}`, ...programs, process.execPath, npm);
  return [resolve("node_modules/.bin"), folder].join(delimiter);
}

function output(program: string, ...args: readonly string[]): string {
  return spawnSync(program, args, { encoding: "utf8", maxBuffer: 16 << 20 }).stdout ?? "";
}
