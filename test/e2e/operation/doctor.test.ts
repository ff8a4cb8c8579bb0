// pas doctor: what keeps the service from serving is said in words, and shows in the exit code.

import { createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { proxyBefore } from "../../support/databases/proxied-database.ts";
import { appOfFile } from "../../support/of-file.ts";
import { appOfTest, emptyDatabaseOfTest } from "../../support/of-test.ts";
import type { Environment } from "../../support/processes/command.ts";
import { listenOnLoopback } from "../../support/processes/loopback.ts";
import { runPas } from "../../support/processes/program.ts";

const app = await appOfFile();

interface Examined {
  readonly code: number | null;
  readonly reason: string;
  /** State and words of the last finding about each part. */
  readonly findings: Readonly<Record<string, string>>;
  /** All about the settings. */
  readonly settings: readonly string[];
}

async function examine(environment: Environment, ...options: string[]): Promise<Examined> {
  const key = Buffer.alloc(32, 7).toString("base64");
  const set = { WEBHOOK_KEY: key, AUDIT_KEY: key, PUBLIC_URL: "https://assessments.example" };
  const free = { ...set, DATABASE_URL: app.database.url, HTTP_PORT: "0", GRPC_PORT: "0" };
  const { code, stdout, stderr } = await runPas(["doctor", ...options], { ...free, ...environment });
  const lines = stdout.trim().split("\n");
  const findings = lines.map((line) => {
    const [, state = "", about = "", words = ""] = /^(\w+) +(.+?) {2,}(.+)$/.exec(line) ?? [];
    return [about, `${state}: ${words}`] as const;
  });
  const settings = findings.flatMap(([about, words]) => (about === "settings" ? [words] : []));
  return { code, reason: stderr.trim(), findings: Object.fromEntries(findings), settings };
}

test("if every check passes, each says so and the exit code is 0", async () => {
  const { code, reason, findings } = await examine({});
  expect({ code, reason }).toEqual({ code: 0, reason: "" });
  expect(Object.keys(findings)).toEqual(["database", "schema", "service", "settings"]);
  expect(Object.values(findings).filter((each) => !each.startsWith("ok: "))).toEqual([]);
});

test("a database that is down is one finding with its cause, and the other checks still run", async () => {
  const { code, reason, findings } = await examine({ DATABASE_URL: "mysql://root:secret@127.0.0.1:1/x" });
  expect({ code, reason }).toEqual({ code: 1, reason: "pas: 1 of 3 checks failed" });
  expect(findings.database).toBe("fail: The database cannot be reached. (127.0.0.1:1, ECONNREFUSED)");
  expect(findings.service).toBe("ok: nothing runs at 127.0.0.1:0 yet");
});

describe("roles of processes", () => {
  const unset = { WEBHOOK_KEY: "", AUDIT_KEY: "", PUBLIC_URL: "", GATEWAY_CLIENT_ID: "", GATEWAY_CLIENT_SECRET: "" };

  test.each([
    ["all", 0, ["warn: WEBHOOK_KEY", "warn: AUDIT_KEY", "warn: PUBLIC_URL"]],
    ["core", 0, ["warn: WEBHOOK_KEY", "warn: AUDIT_KEY", "warn: PUBLIC_URL"]],
    ["deliver", 1, ["fail: --role deliver needs WEBHOOK_KEY"]],
    ["gateway", 1, ["fail: --role gateway needs GATEWAY_CLIENT_ID"]],
  ])("`pas doctor --role %s` reports what that role lacks", async (role, code, expected) => {
    const { code: exitCode, settings } = await examine(unset, "--role", role);
    expect([exitCode, settings]).toEqual([code, expected.map((words) => expect.stringContaining(words))]);
  });

  test("`pas doctor` checks no database of a gateway", async () => {
    const settings = {
      DATABASE_URL: "mysql://nobody@127.0.0.1:1/none",
      GATEWAY_CLIENT_ID: "a",
      GATEWAY_CLIENT_SECRET: "b",
    };
    const { code, findings } = await examine(settings, "--role", "gateway");
    expect([code, Object.keys(findings)]).toEqual([0, ["service", "settings"]]);
  });
});

describe("cleartext", () => {
  test.each([
    ["http://assessments.example", "warn"],
    ["http://203.0.113.7:8080", "warn"],
    ["https://assessments.example", "ok"],
    ["http://localhost:8080", "ok"],
    ["http://127.0.0.1:8080", "ok"],
    ["http://[::1]:8080", "ok"],
  ])("`pas doctor` of PUBLIC_URL %s: %s", async (url, state) => {
    const { code, findings } = await examine({ PUBLIC_URL: url });
    expect([code, findings.settings]).toEqual([
      0,
      expect.stringContaining(state === "ok" ? "ok: nothing is missing" : `warn: ${url}: `),
    ]);
  });

  test("`pas doctor` warns of a way to the database that leaves this machine in cleartext", async () => {
    const { url } = await proxyBefore(app.database.address);
    // Another name of this machine, which doctor does not know as one.
    const away = url.replace("127.0.0.1", "0.0.0.0");
    const near = await examine({ DATABASE_URL: url });
    expect(near.findings.database).toMatch(/^ok: it answers: /);
    const { code, findings } = await examine({ DATABASE_URL: away });
    expect(code).toBe(0);
    expect(findings.database).toMatch(
      /^warn: it answers in cleartext: .*; encrypt the way with \?ssl-mode=VERIFY_IDENTITY$/,
    );
  });
});

test("`pas doctor` reports an outdated schema with the number of migrations that `pas migrate` applies", async () => {
  const empty = await emptyDatabaseOfTest();
  const { code, findings } = await examine({ DATABASE_URL: empty.url });
  expect(code).toBe(1);
  const [, missing] = /^fail: (\d+) migrations are missing; run `pas migrate`$/.exec(findings.schema ?? "") ?? [];
  const { stdout } = await runPas(["migrate"], { DATABASE_URL: empty.url });
  expect(JSON.parse(stdout).applied).toHaveLength(Number(missing));
});

describe("the service", () => {
  const serviceFinding = async (url: string) => {
    const { code, findings } = await examine({ HTTP_PORT: new URL(url).port });
    return [code, findings.service];
  };

  test("`pas doctor` reports whether the service that runs here is ready, and why it is not", async () => {
    const place = new URL(app.httpUrl).host;
    expect(await serviceFinding(app.httpUrl)).toEqual([0, `ok: it runs at ${place}, and is ready`]);
    const leaving = await appOfTest();
    await leaving.leaveService();
    expect(await serviceFinding(leaving.httpUrl)).toEqual([
      1,
      expect.stringMatching(/^fail: it runs .*, and is not ready: ./),
    ]);
  });

  test("`pas doctor` reports another program at the port of the service", async () => {
    const other = createServer((socket) => socket.end("220 no HTTP\r\n"));
    const port = await listenOnLoopback(other);
    onTestFinished(() => void other.close());
    const words = `fail: what runs at 127.0.0.1:${port} does not answer as the service; stop it, or correct HOST and HTTP_PORT`;
    expect(await serviceFinding(`http://127.0.0.1:${port}`)).toEqual([1, words]);
  });
});
