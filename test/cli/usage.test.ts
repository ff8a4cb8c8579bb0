// How commands refuse what they cannot do: one line, and an exit code.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pas } from "../support/command.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pas-usage-test-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const cases: readonly [string, string[], Record<string, string>, number, RegExp][] = [
  ["an unknown command", ["nonsense"], {}, 2, /no such command/],
  ["an unknown option", ["serve", "--port", "1"], {}, 2, /--port/],
  ["an unknown role", ["serve", "--role", "other"], {}, 2, /--role must be one of all, core, gateway/],
  ["no workers", ["serve", "--workers", "0"], {}, 2, /--workers must be 1 to 128/],
  ["a gateway without credentials", ["serve", "--role", "gateway", "--core", "http://x"], {}, 2, /GATEWAY_CLIENT_ID/],
  [
    "a core without a scheme",
    ["serve", "--role", "gateway", "--core", "localhost:50051"],
    { GATEWAY_CLIENT_ID: "x", GATEWAY_CLIENT_SECRET: "y" },
    2,
    /--core must be a URL/,
  ],
  [
    "a core of another scheme",
    ["serve", "--role", "gateway", "--core", "grpc://core:50051"],
    { GATEWAY_CLIENT_ID: "x", GATEWAY_CLIENT_SECRET: "y" },
    2,
    /--core must be a URL/,
  ],
  ["a partner without a name", ["partner", "create"], {}, 2, /--name is required/],
  ["a missing file name", ["assessment", "check"], {}, 2, /FILE expected/],
  ["the demo without a service", ["demo"], {}, 2, /npm start/],
  ["a file that is not there", ["assessment", "check", "nowhere.json"], {}, 1, /nowhere\.json/],
  [
    "a database URL without a database",
    ["serve"],
    { DATABASE_URL: "mysql://root@127.0.0.1:1/" },
    1,
    /DATABASE_URL must/,
  ],
  ["a port that is none", ["serve"], { HTTP_PORT: "http" }, 1, /HTTP_PORT must be an integer from 0 to 65535/],
  ["a proxy that is no network", ["serve"], { TRUSTED_PROXIES: "10.0.0.0/99" }, 1, /TRUSTED_PROXIES must be networks/],
  [
    "a database that is away",
    ["migrate"],
    { DATABASE_URL: "mysql://root:secret@127.0.0.1:1/x" },
    1,
    /cannot be reached/,
  ],
];

test.each(cases)("%s is refused in one line", async (_name, args, environment, code, message) => {
  const finished = await pas(args, { DATA_DIR: folder, ...environment });
  expect(finished).toMatchObject({ code, stdout: "" });
  const lines = finished.stderr.trim().split("\n");
  expect(lines.at(-1)).toMatch(message);
  expect(lines.at(-1)).toMatch(/^pas: /);
  expect(finished.stderr).not.toContain("secret");
});

test("help lists every command", async () => {
  const { code, stderr } = await pas(["help"], {});
  expect(code).toBe(0);
  for (const name of ["serve", "migrate", "partner create", "client rotate", "assessment check", "score", "demo"]) {
    expect(stderr).toContain(`pas ${name}`);
  }
});
