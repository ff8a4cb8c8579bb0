// Builds dist for the npm package, since Node reads no TypeScript below node_modules: JavaScript beside its assets.
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, globSync, rmSync } from "node:fs";

rmSync("dist", { recursive: true, force: true });
const { status } = spawnSync("tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" });
if (status !== 0) throw new Error("the source does not compile");
for (const file of globSync("src/**/*.{css,html,js,json,svg,txt,typ,woff2}", {
  exclude: ["**/tsconfig.json", "src/main.js"],
})) {
  cpSync(file, file.replace(/^src/, "dist"));
}
chmodSync("dist/main.js", 0o755);
