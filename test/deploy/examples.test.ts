// The examples for partners' engineers, run as their pages say, against a service that runs.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { addCaller } from "../support/app.ts";
import type { Credentials } from "../support/databases/partners.ts";
import { countOf } from "../support/databases/stores.ts";
import { inExtent } from "../support/extent.ts";
import { appOfFile } from "../support/of-file.ts";
import { provide, provideLibrary } from "../support/run/programs.ts";

const run = promisify(execFile);

/** Of Python. */
const environment = resolve(".vitest/python-example");

const app = await appOfFile();
const { credentials } = await addCaller(app);

interface Example {
  readonly name: string;
  /** Makes the client: stubs or types. */
  prepare(): Promise<unknown>;
  play(env: NodeJS.ProcessEnv): Promise<{ readonly stdout: string }>;
  /** What it writes when its credentials are wrong. */
  readonly refusal: RegExp;
}

const inTypeScript = (script: string, env: NodeJS.ProcessEnv) =>
  run("npm", ["run", "--silent", script], { cwd: "examples/typescript", env });

const examples: readonly Example[] = [
  {
    name: "TypeScript over Connect",
    async prepare() {
      await run("npm", ["ci", "--ignore-scripts"], { cwd: "examples/typescript" });
      await inTypeScript("types", process.env);
    },
    play: (env) => inTypeScript("play", env),
    refusal: /^\[unauthenticated\] The client is unknown/m,
  },
  {
    name: "Python over gRPC",
    async prepare() {
      for (const program of ["protoc", "grpc_python_plugin", "/usr/bin/python3"] as const) await provide(program);
      await provideLibrary("/usr/lib/python3/dist-packages/grpc/__init__.py");
      await run("buf", ["generate", "--template", "examples/python/buf.gen.yaml"]);
    },
    play: (env) => run("/usr/bin/python3", ["-B", "examples/python/play.py"], { env }),
    refusal: /^UNAUTHENTICATED: The client is unknown/m,
  },
  {
    name: "Python over gRPC, by packages of PyPI",
    async prepare() {
      await provide("/usr/bin/python3");
      await run("/usr/bin/python3", ["-m", "venv", environment]);
      const [, installation = "", stubs = ""] =
        /```sh\n(pip install .*?)\n(.*?)^```/ms.exec(readFileSync("examples/python/README.md", "utf8")) ?? [];
      const env = { ...process.env, PATH: `${environment}/bin:${process.env.PATH}` };
      await run("sh", ["-ec", `${installation} --quiet --no-compile\n${stubs}`], { env });
    },
    play: (env) => run(`${environment}/bin/python3`, ["-B", "examples/python/play.py"], { env }),
    refusal: /^UNAUTHENTICATED: The client is unknown/m,
  },
  {
    name: "Go over gRPC",
    async prepare() {
      await provide("go");
      const plugins = { ...process.env, GOBIN: resolve(".vitest/go") };
      await run("go", ["install", "google.golang.org/protobuf/cmd/protoc-gen-go@v1.31.0"], { env: plugins });
      await run("go", ["install", "google.golang.org/grpc/cmd/protoc-gen-go-grpc@v1.3.0"], { env: plugins });
      const env = { ...process.env, PATH: `${plugins.GOBIN}:${process.env.PATH}` };
      await run("buf", ["generate", "--template", "examples/go/buf.gen.yaml"], { env });
    },
    play: (env) => run("go", ["run", "."], { cwd: "examples/go", env }),
    refusal: /^Unauthenticated: The client is unknown/m,
  },
];

// In a short run without Go, whose compiler takes a minute for the library, and with Debian's packages for Python alone.
const chosenExamples = inExtent(examples, examples.slice(0, 2));

test("the TypeScript example says in a line that a Node is too old for it", async () => {
  const versions = "{ value: { ...process.versions, node: '20.9.0' } }";
  const older = ["--import", `data:text/javascript,Object.defineProperty(process, "versions", ${versions})`];
  await expect(run(process.execPath, [...older, "examples/typescript/node-version.js"])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Node 24 or newer is needed, this is 20\.9\.0; `npm ci` .*\n$/),
  });
});

describe.each(chosenExamples)("$name", ({ prepare, play, refusal }) => {
  beforeAll(prepare);

  const variables = ({ clientId, clientSecret }: Credentials) => ({
    ...process.env,
    PAS_URL: app.httpUrl,
    PAS_GRPC: app.grpcAddress,
    PAS_CLIENT_ID: clientId,
    PAS_CLIENT_SECRET: clientSecret,
  });
  const countCompleted = () =>
    countOf(app.database.connection, "SELECT COUNT(*) FROM sessions WHERE completed_at IS NOT NULL");

  test("$name plays a whole assessment", async () => {
    const before = await countCompleted();
    const { stdout } = await play(variables(credentials));
    const [, documentedFields = ""] = /^session …: (.*)$/m.exec(readFileSync("examples/README.md", "utf8")) ?? [];
    expect(stdout.replace(/ [0-9a-f-]{36}:/, " …:")).toBe(`session …: ${documentedFields}\n`);
    expect(await countCompleted()).toBe(before + 1);
  });

  test("$name says in words what is wrong with its credentials", async () => {
    await expect(play(variables({ ...credentials, clientSecret: "nonsense" }))).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(refusal),
    });
  });
});
