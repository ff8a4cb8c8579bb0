// Files that share a process leave nothing of it changed: another file would run under its clock or its environment.
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import config from "../../vitest.config.ts";

/** What reaches beyond a file: spies and clocks of vitest, variables, folders, priorities and listeners of the process. */
const changes = [
  /\bvi\.(?!waitFor\b|waitUntil\b)/,
  /process\.env(\.\w+|\[[^\]]+\])\s*=[^=]|delete process\.env|Object\.assign\(process\.env/,
  /process\.(chdir|umask|exitCode|on|once|title)\b/,
  /\bsetPriority\(|\bgetPriority\(/,
  /globalThis\.\w+\s*=[^=]|\.prototype\.\w+\s*=[^=]/,
];

interface Files {
  readonly isolate?: boolean;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

const projects = (config.test?.projects ?? []).flatMap((project): Files[] =>
  typeof project === "object" && "test" in project ? [project.test as Files] : [],
);
const sharing = projects
  .filter(({ isolate }) => isolate === false)
  .flatMap(({ include = [], exclude = [] }) => globSync([...include], { exclude: [...exclude] }));

test("no file that shares a process changes it, nor does what all of them use", () => {
  expect(sharing.length).toBeGreaterThan(100);
  const files = new Set([...sharing, ...globSync("test/support/**/*.ts")]);
  files.delete("test/repository/shared-processes.test.ts");
  const changing = [...files].filter((file) => {
    const text = readFileSync(file, "utf8");
    return changes.some((change) => change.test(text));
  });
  expect(changing).toEqual([]);
});

test("what changes a process has one of its own", () => {
  for (const file of ["test/store/server/time-zones.test.ts", "test/telemetry/tracing.test.ts"]) {
    expect(changes.some((change) => change.test(readFileSync(file, "utf8")))).toBe(true);
    expect(sharing).not.toContain(file);
  }
});
