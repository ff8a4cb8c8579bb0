// The npm package, unpacked where nothing else of the repository is: what `npx` and a global installation run.
import { execFile } from "node:child_process";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import lock from "../../package-lock.json" with { type: "json" };
import { folderOfFile } from "../support/folders.ts";
import { startOptions, startProgram, startVariables } from "../support/processes/command.ts";

const run = promisify(execFile);

const folder = folderOfFile();
const { stdout: packing } = await run("npm", ["pack", "--json", "--pack-destination", folder]);
const [{ filename }] = JSON.parse(packing.slice(packing.indexOf("[\n")));
const modulesFolder = join(folder, "node_modules");
const home = join(modulesFolder, packageJson.name);
await mkdir(home, { recursive: true });
await run("tar", ["-xzf", join(folder, filename), "-C", home, "--strip-components=1"]);
await linkDependencies(modulesFolder);
const bin = join(home, packageJson.bin.pas);

/** Puts what production installs beside the package, as an installation does. */
async function linkDependencies(modules: string): Promise<void> {
  const production = Object.entries(lock.packages).filter(
    ([path, entry]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !("dev" in entry),
  );
  for (const [path] of production) {
    const link = join(modules, path.slice("node_modules/".length));
    await mkdir(dirname(link), { recursive: true });
    // Those of other platforms are not installed.
    await symlink(resolve(path), link).catch(() => undefined);
  }
}

/** The environment of somebody who knows nothing of the repository, but has its Node. */
function environment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { PATH = "", HOME = "" } = process.env;
  return { PATH: `${dirname(process.execPath)}:${PATH}`, HOME, ...more };
}

test("the package holds neither tests nor TypeScript", async () => {
  const { stdout } = await run("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"]);
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  const paths = files.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(["dist/main.js", "LICENSE", "README.md", "package.json"]));
  expect(paths.filter((path) => /\.ts$|^test|^src|tsconfig/.test(path))).toEqual([]);
});

test("the command of the package is executable, and starts with the options of `npm start`", async () => {
  const [firstLine = ""] = (await readFile(bin, "utf8")).split("\n");
  const variables = Object.entries(startVariables()).map(([name, value]) => `${name}=${value}`);
  expect(firstLine).toBe(`#!/usr/bin/env -S ${[...variables, "node", ...startOptions()].join(" ")}`);
  const { stdout } = await run(bin, ["--version"], { cwd: folder, env: environment() });
  expect(stdout).toBe(`${packageJson.version}\n`);
});

test("an older Node prints which version is needed", async () => {
  const pretend = 'Object.defineProperty(process,"versions",{value:{...process.versions,node:"24.9.1"}})';
  const env = environment({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(pretend)}` });
  await expect(run(bin, ["--version"], { cwd: folder, env })).rejects.toMatchObject({
    code: 1,
    stdout: "",
    stderr: `pas: Node ${packageJson.engines.node.replace(">=", "")} or newer is needed, this is 24.9.1\n`,
  });
});

test("the package makes a report offline, in its rendering thread", async () => {
  const report = join(folder, "report.pdf");
  const assessment = ["--assessment", resolve("docs/example/assessment.json")];
  const answers = ["--answers", resolve("docs/example/answers.json")];
  const options = { cwd: folder, env: environment() };
  await run(bin, ["report", ...assessment, ...answers, "--format", "pdf", "--out", report], options);
  expect((await readFile(report)).subarray(0, 5).toString()).toBe("%PDF-");
});

test("the package serves, and the demo finds the service without an address", async () => {
  const elsewhere = { DATA_DIR: join(folder, "elsewhere") };
  const env = environment({ ...elsewhere, HTTP_PORT: "0", GRPC_PORT: "0" });
  const service = startProgram([bin, "serve"], { cwd: folder, env });
  await service.wrote(/Stop with Ctrl-C/);
  const [, url = ""] = await service.wrote(/REST +(http:\S+)\/v1/);
  for (const path of ["/openapi.json", "/docs/", "/problems/not_found"]) {
    expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);
  }
  const demo = await run(bin, ["demo"], { cwd: folder, env: environment(elsewhere) });
  expect(demo.stdout).toMatch(/Archetype +\w+/);
  service.kill("SIGTERM");
  expect(await service.ended).toBe(0);
});
