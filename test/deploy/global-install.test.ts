// `npm install --global` as deploy/README.md has it, beside an older Node: the program runs on the Node that the package brings.
import { execFile } from "node:child_process";
import { chmod, glob, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { folderOfFile } from "../support/folders.ts";

const run = promisify(execFile);

const folder = folderOfFile();
await run("npm", ["pack", "--pack-destination", folder]);
const older = join(folder, "older");
await mkdir(older);
// What Debian 12 has as `node`.
const pretend = 'Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.20.2"}})';
const script = `#!/bin/sh\nexec "${process.execPath}" --import 'data:text/javascript,${encodeURIComponent(pretend)}' "$@"\n`;
await writeFile(join(older, "node"), script);
await chmod(join(older, "node"), 0o755);
const env = { HOME: folder, PATH: `${older}:/usr/local/bin:/usr/bin:/bin` };

/** A text with another folder in the place of /usr/local. */
const moveToFolder = (text: string) => text.replaceAll("/usr/local", join(folder, "local"));

test("the commands of deploy/README.md and the unit run the program on the Node that the package brings", async () => {
  const [, block = ""] = /^## systemd\n.*?^```sh\n(.*?)^```/ms.exec(await readFile("deploy/README.md", "utf8")) ?? [];
  const npm = { ...process.env, PATH: process.env.PATH };
  const [installation = "", ...rest] = moveToFolder(block).trim().split("\n");
  await run("sh", ["-ec", installation], { cwd: folder, env: npm, maxBuffer: 16 << 20 });
  const bin = join(folder, "local/bin/pas");
  await expect(run(bin, ["--version"], { env })).rejects.toMatchObject({
    stderr: expect.stringMatching(
      /^pas: Node .* or newer is needed, this is 20\.20\.2; PATH="(.*):\$PATH" finds the one/,
    ),
  });
  const { stdout } = await run("sh", ["-ec", [`PATH=${join(folder, "local/bin")}:$PATH`, ...rest].join("\n")], { env });
  expect(stdout).toBe(`${packageJson.version}\n`);

  const unit = moveToFolder(await readFile("deploy/systemd/pas@.service", "utf8"));
  const [, PATH = ""] = /^Environment=PATH=(.*)$/m.exec(unit) ?? [];
  const [, command = ""] = /^ExecStart=(\S+)/m.exec(unit) ?? [];
  const olderFirst = `${PATH.split(":")[0]}:${env.PATH}`;
  expect(PATH.split(":").slice(1)).toEqual([join(folder, "local/bin"), "/usr/bin", "/bin"]);
  expect((await run(command, ["--version"], { env: { ...env, PATH: olderFirst } })).stdout).toBe(stdout);
  expect(await Array.fromAsync(glob(join(folder, "*.tgz")))).toHaveLength(1);
});
