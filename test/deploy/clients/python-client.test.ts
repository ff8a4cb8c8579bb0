// The client of clients/python, as a release has its package, by its own tests and by the sample of its page, against a
// service that runs.
import { execFile } from "node:child_process";
import { copyFile, glob, readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { pythonPackage } from "../../../tools/releases/client-packages.ts";
import { addCaller } from "../../support/app.ts";
import { folderOfFile } from "../../support/folders.ts";
import { appOfFile } from "../../support/of-file.ts";
import { provide } from "../../support/run/programs.ts";

const run = promisify(execFile);

const folder = folderOfFile();
const program = await provide("/usr/bin/python3");
const PATH = `${dirname(program)}${delimiter}${process.env.PATH}`;
await run("sh", ["-ec", pythonPackage(folder).join("\n")], { env: { ...process.env, PATH } });
const wheels = await Array.fromAsync(glob(join(folder, "*.whl")));
await run(program, ["-m", "venv", join(folder, "venv")]);
const python = join(folder, "venv/bin/python3");
await run(python, ["-m", "pip", "install", "--quiet", "--no-compile", ...wheels]);
const app = await appOfFile();
const { credentials } = await addCaller(app);
const { clientId, clientSecret } = credentials;
const env = { ...process.env, PAS_URL: app.httpUrl, PAS_CLIENT_ID: clientId, PAS_CLIENT_SECRET: clientSecret };

test("the client for Python keeps its promises", async () => {
  await copyFile("clients/python/test_client.py", join(folder, "test_client.py"));
  const { stderr } = await run(python, ["-B", "-m", "unittest"], { cwd: folder, env });
  expect(stderr).toMatch(/Ran 11 tests[\s\S]*\nOK\n$/);
});

test("the samples of the page of the client for Python play a whole assessment and read its events", async () => {
  const page = await readFile("clients/python/README.md", "utf8");
  const samples = [...page.matchAll(/^```python\n(.*?)^```$/gms)].map(([, code = ""]) => code);
  await writeFile(join(folder, "samples.py"), samples.join("\n"));
  const { stdout } = await run(python, ["-B", "samples.py"], { cwd: folder, env });
  expect(stdout).toMatch(/^1 \w[\w ]+ [\d.]+\n2 .*\n3 .*\n/);
  expect(stdout).toMatch(/^\d+ session\.created$/m);
});
