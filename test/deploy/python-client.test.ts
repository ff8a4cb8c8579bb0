// The client of clients/python by its own tests, against a service that runs.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { addCaller, startTestApp } from "../support/app.ts";
import { provide } from "../support/programs.ts";

const run = promisify(execFile);
const cwd = "clients/python";

test("the client for Python keeps its promises", async () => {
  const python = await provide("/usr/bin/python3");
  const environment = await mkdtemp(join(tmpdir(), "pas-python-"));
  onTestFinished(() => rm(environment, { recursive: true }));
  await run(python, ["-m", "venv", environment]);
  const programs = join(environment, "bin");
  await run(join(programs, "pip"), ["install", "--quiet", "--no-compile", "--editable", ".[generate]"], { cwd });
  const app = await startTestApp();
  onTestFinished(() => app.stop());
  const { credentials } = await addCaller(app);
  const env = {
    ...process.env,
    PATH: `${programs}${delimiter}${process.env.PATH}`,
    PAS_URL: app.httpUrl,
    PAS_CLIENT_ID: credentials.clientId,
    PAS_CLIENT_SECRET: credentials.clientSecret,
  };
  await run("./generate.sh", { cwd, env });
  const { stderr } = await run(join(programs, "python3"), ["-B", "-m", "unittest"], { cwd, env });
  expect(stderr).toMatch(/Ran 8 tests[\s\S]*\nOK\n$/);
});
