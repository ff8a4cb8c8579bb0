#!/usr/bin/env node
// Starts the server by a Node that runs TypeScript: this one, or the one that `npm ci` at the root of the repository
// brings. In JavaScript, so that an older Node can do that, or say what it lacks.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const leastVersion = "24.12.0";
const main = fileURLToPath(new URL("src/main.ts", import.meta.url));
const bundled = fileURLToPath(new URL("../node_modules/.bin/node", import.meta.url));
const { node: version } = process.versions;

if (version.localeCompare(leastVersion, "en", { numeric: true }) >= 0) {
  await import("./src/main.ts");
} else if (existsSync(bundled)) {
  const server = spawn(bundled, [main, ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => server.kill(signal));
  server.on("exit", (code) => {
    process.exitCode = code ?? 1;
  });
} else {
  console.error(
    `pas-mcp: Node ${leastVersion} or newer is needed, this is ${version}; \`npm ci\` at the root of the repository brings one`,
  );
  process.exitCode = 1;
}
