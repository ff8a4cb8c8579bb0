// The examples for partners' engineers, run as their pages say, against a service that runs.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addCaller, type Credentials, startTestApp, type TestApp } from "../support/app.ts";
import { countOf } from "../support/stores.ts";
import { provide } from "./support/programs.ts";

const run = promisify(execFile);

let app: TestApp;
let credentials: Credentials;
beforeAll(async () => {
  app = await startTestApp();
  ({ credentials } = await addCaller(app));
});
afterAll(() => app.stop());

describe("Python over gRPC", () => {
  let python: string;
  beforeAll(async () => {
    await provide("protoc");
    await provide("grpc_python_plugin");
    python = await provide("/usr/bin/python3");
    await run("buf", ["generate", "--template", "examples/python/buf.gen.yaml"]);
  });

  const assess = ({ clientId, clientSecret }: Credentials) =>
    run(python, ["-B", "examples/python/play.py"], {
      env: { ...process.env, PAS_GRPC: app.grpcAddress, PAS_CLIENT_ID: clientId, PAS_CLIENT_SECRET: clientSecret },
    });

  test("plays a whole assessment", async () => {
    const { stdout } = await assess(credentials);
    expect(stdout).toMatch(/^session [0-9a-f-]{36}: 152 questions, archetype \d+\n$/);
    const completed = "SELECT COUNT(*) FROM sessions WHERE completed_at IS NOT NULL";
    expect(await countOf(app.database.connection, completed)).toBe(1);
  });

  test("says in words what is wrong with its credentials", async () => {
    await expect(assess({ ...credentials, clientSecret: "nonsense" })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^UNAUTHENTICATED: The client is unknown/),
    });
  });
});
