#!/usr/bin/env -S node --max-semi-space-size=16 --initial-old-space-size=64 --heap-growing-percent=60 --no-allocation-site-pretenuring --expose-gc
// The command line: argv to a command. The only file with effects on import. JavaScript, since Node loads what strips
// types, 15 MB that it keeps, for a first file of TypeScript; those after it come from the compile cache.
// Without these flags of V8 an assessment takes 1.2 times the CPU, and 1.75 times the memory stays after a load.
import { existsSync, readFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { fileURLToPath } from "node:url";

// Code compiled once is kept for the next start, which takes a third less time and memory; so all else is imported later.
// An older Node has no such function, and is told below what it lacks.
nodeModule.enableCompileCache?.(fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)));

// Before any import of TypeScript, which an older Node does not run.
const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const leastVersion = engines.node.replace(">=", "");
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const [leastMajor = 0, leastMinor = 0] = leastVersion.split(".").map(Number);
// Comparing texts by a language would load its data, 3 MB that no other start needs.
if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  const bundled = existsSync(new URL("../node_modules/.bin/node", import.meta.url));
  const way = bundled ? "; `npm run --silent pas --` in place of `pas` finds the one that `npm ci` brought" : "";
  process.stderr.write(`pas: Node ${leastVersion} or newer is needed, this is ${process.versions.node}${way}\n`);
  process.exit(1);
}

const { OutputClosed, runProgram } = await import("./cli/program.ts");
const { readConfig } = await import("./config.ts");

// Whoever reads may have had enough, as `head` has: the command ends where it would write on.
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
