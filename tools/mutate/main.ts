// npm run mutate -- FOLDER...: Stryker puts small faults into a folder, runs its tests for each of them, and prints those
// that no test noticed. What was tried before and has not changed is not tried again.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { findFolder, folders, type MutatedFolder } from "./folders.ts";

const outputFolder = ".stryker";

const names = process.argv.slice(2);
if (names.length === 0) {
  console.log(`npm run mutate -- FOLDER... Folders: ${folders.map(({ name }) => name).join(", ")}`);
  process.exitCode = 2;
}
for (const folder of names.map(findFolder)) {
  const path = `${outputFolder}/${folder.name.replaceAll("/", "-")}`;
  mkdirSync(outputFolder, { recursive: true });
  writeFileSync(`${path}.config.json`, JSON.stringify(createOptions(folder, path)));
  const env = { ...process.env, MUTATED_FOLDER: folder.name };
  const { status } = spawnSync("stryker", ["run", `${path}.config.json`], { stdio: "inherit", env });
  if (status !== 0) process.exitCode = 1;
}

function createOptions({ files, leavesOutStatic = false }: MutatedFolder, path: string) {
  return {
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    vitest: { configFile: "tools/mutate/vitest.config.ts", related: false },
    // Stryker would rewrite the configuration of the compiler with the API of TypeScript, which version 7 has not.
    tsconfigFile: "none",
    mutate: files,
    ignoreStatic: leavesOutStatic,
    concurrency: Math.max(1, Math.min(availableParallelism(), 8)),
    tempDirName: `${path}.tmp`,
    ignorePatterns: [".*", "deploy", "dist", "examples", "mcp", "releases"],
    reporters: ["clear-text"],
    clearTextReporter: { logTests: false, reportTests: false },
    incremental: true,
    incrementalFile: `${path}.incremental.json`,
    allowEmpty: true,
  };
}
