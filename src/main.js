#!/usr/bin/env -S MALLOC_MMAP_THRESHOLD_=131072 node --max-semi-space-size=16 --initial-old-space-size=64 --heap-growing-percent=60 --no-allocation-site-pretenuring --expose-gc
// The command line: runs the command in argv. The only file with effects on import. JavaScript, since Node loads a type
// stripper, 15 MB that stay, if the first file is TypeScript; later files come from the compile cache.
// Without these V8 flags an assessment takes 1.2 times the CPU, and 1.75 times the memory stays in use after a load. The variable
// is glibc's own threshold (mallopt(3)): unless it is set it grows, and 40 MB of pictures that were drawn stay in use.
import { existsSync, readFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { fileURLToPath } from "node:url";

// Compiled code is cached for the next start, which saves a third of time and memory; so all else is imported later.
// An older Node lacks this function; the error below reports the version.
nodeModule.enableCompileCache?.(fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)));

// Before any import of TypeScript, which an older Node does not run.
const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const minVersion = engines.node.replace(">=", "");
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const [minMajor = 0, minMinor = 0] = minVersion.split(".").map(Number);
// Locale-aware comparison would load 3 MB of language data that no start needs otherwise.
if (major < minMajor || (major === minMajor && minor < minMinor)) {
  const folder = fileURLToPath(new URL("../node_modules/.bin", import.meta.url));
  const way = existsSync(`${folder}/node`) ? `; PATH="${folder}:$PATH" finds the one that npm brought` : "";
  process.stderr.write(`pas: Node ${minVersion} or newer is needed, this is ${process.versions.node}${way}\n`);
  process.exit(1);
}

const { OutputClosed, runProgram } = await import("./cli/program.ts");
const { readConfig } = await import("./config.ts");

// The reader may close the pipe early, like `head`: the command then ends at its next write.
let isOpen = true;
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error) => {
    if (error.code !== "EPIPE") throw error;
    if (stream === process.stdout) isOpen = false;
  });
}

process.exitCode = await runProgram(process.argv.slice(2), {
  openConfig: () => readConfig(process.env),
  stdout: (output) => {
    if (!isOpen) throw new OutputClosed();
    process.stdout.write(output);
  },
  stderr: (text) => process.stderr.write(text),
});
