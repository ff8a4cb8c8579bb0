// pas doctor: what keeps the service from serving is said in words, and shows in the exit code.

import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { checkCertificates } from "../../../src/cli/doctor/settings.ts";
import { readConfig } from "../../../src/config.ts";
import type { Scope } from "../../../src/domain/identity/scopes.ts";
import { createEmptyDatabase } from "../../support/databases/database.ts";
import { proxyBefore } from "../../support/databases/proxied-database.ts";
import { appOfFile } from "../../support/of-file.ts";
import { copyCertificates } from "../../support/processes/certificates.ts";
import type { Environment } from "../../support/processes/command.ts";
import { runPas } from "../../support/processes/program.ts";

const app = await appOfFile();
const folder = await mkdtemp(join(tmpdir(), "pas-doctor-test-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Variables that name a new client of an internal partner. */
async function gatewayClient(scopes: readonly Scope[]): Promise<Environment> {
  const { clientId, clientSecret } = await app.addClient(await app.addPartner({ internal: true }), scopes);
  return { GATEWAY_CLIENT_ID: clientId, GATEWAY_CLIENT_SECRET: clientSecret };
}

interface Examined {
  readonly code: number | null;
  readonly reason: string;
  /** State and words of each check, by what was checked. */
  readonly findings: Readonly<Record<string, string>>;
}

async function examine(environment: Environment, ...options: string[]): Promise<Examined> {
  const key = Buffer.alloc(32, 7).toString("base64");
  const settings = { WEBHOOK_KEY: key, AUDIT_KEY: key, PUBLIC_URL: "https://assessments.example" };
  const free = { ...settings, DATABASE_URL: app.database.url, HTTP_PORT: "0", GRPC_PORT: "0" };
  const { code, stdout, stderr } = await runPas(["doctor", ...options], { ...free, ...environment });
  const lines = stdout.trim().split("\n");
  const findings = lines.map((line) => {
    const [, state = "", about = "", words = ""] = /^(\w+) +(.+?) {2,}(.+)$/.exec(line) ?? [];
    return [about, `${state}: ${words}`];
  });
  return { code, reason: stderr.trim(), findings: Object.fromEntries(findings) };
}

test("if every check passes, each says so and the exit code is 0", async () => {
  const { code, reason, findings } = await examine({});
  expect({ code, reason }).toEqual({ code: 0, reason: "" });
  expect(Object.keys(findings)).toEqual([
    "database",
    "schema",
    "clock",
    "instrument",
    "signing keys",
    "connections",
    "statements",
    "HTTP port",
    "gRPC port",
    "gRPC TLS",
    "webhook key",
    "audit key",
    "public URL",
  ]);
  expect(Object.values(findings).filter((each) => !each.startsWith("ok: "))).toEqual([]);
  expect(findings.instrument).toBe("ok: version 1 of values-bridge is published");
});

test("a database that is down is one finding with its cause, and the other checks still run", async () => {
  const { code, reason, findings } = await examine({ DATABASE_URL: "mysql://root:secret@127.0.0.1:1/x" });
  expect({ code, reason }).toEqual({ code: 1, reason: "pas: 1 of 7 checks failed" });
  expect(findings.database).toBe("fail: The database cannot be reached. (127.0.0.1:1, ECONNREFUSED)");
  expect(findings["HTTP port"]).toBe("ok: any free one is taken");
});

describe("roles of processes", () => {
  const unset = { WEBHOOK_KEY: "", AUDIT_KEY: "", PUBLIC_URL: "", GATEWAY_CLIENT_ID: "", GATEWAY_CLIENT_SECRET: "" };
  const gaps = ({ findings }: Examined) =>
    Object.entries(findings).flatMap(([about, words]) => (words.startsWith("ok: ") ? [] : [`${about} ${words}`]));

  test.each([
    ["all", 0, [/^webhook key warn: /, /^audit key warn: /, /^public URL warn: .*this process's own port/]],
    ["core", 0, [/^webhook key warn: /, /^audit key warn: /, /^public URL warn: .*no hosted sessions/]],
    ["deliver", 1, [/^webhook key fail: WEBHOOK_KEY is not set: `pas serve --role deliver` ends at once/]],
    ["gateway", 1, [/^core fail: --core is not given/, /^gateway client fail: .*ends at once/, /^public URL warn: /]],
  ])(
    "`pas doctor --role %s` reports what that role lacks, and nothing of other roles",
    async (role, code, expected) => {
      const examined = await examine(unset, "--role", role);
      expect(examined.code).toBe(code);
      const said = gaps(examined);
      expect(said).toEqual(expected.map((words) => expect.stringMatching(words)));
    },
  );

  test("`pas doctor` checks no database and no gRPC port of a gateway, and no gRPC port of a deliverer", async () => {
    const away = { DATABASE_URL: "mysql://nobody@127.0.0.1:1/none" };
    const client = await gatewayClient(["gateway"]);
    const gateway = await examine({ ...client, ...away }, "--role", "gateway", "--core", `http://${app.grpcAddress}`);
    expect([gateway.code, Object.keys(gateway.findings)]).toEqual([
      0,
      ["core", "HTTP port", "gateway client", "public URL"],
    ]);
    const deliver = await examine({}, "--role", "deliver");
    expect(deliver.code).toBe(0);
    expect(Object.keys(deliver.findings)).toContain("database");
    expect(Object.keys(deliver.findings).filter((about) => about.startsWith("gRPC"))).toEqual([]);
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
    expect([code, findings["public URL"]]).toEqual([0, expect.stringMatching(`^${state}: ${RegExp.escape(url)}`)]);
  });

  test("`pas doctor` warns of a way to the database or its replica that leaves this machine in cleartext", async () => {
    const { url } = await proxyBefore(app.database.address);
    // Another name of this machine, which doctor does not know as one.
    const away = url.replace("127.0.0.1", "0.0.0.0");
    const near = await examine({ DATABASE_URL: url });
    expect(near.findings.database).toMatch(/^ok: .* answers in cleartext: /);
    const { code, findings } = await examine({ DATABASE_URL: away, DATABASE_REPLICA_URL: away });
    expect(code).toBe(0);
    for (const about of ["database", "replica"]) {
      expect(findings[about]).toMatch(
        /^warn: .* answers in cleartext: .*; encrypt the way with \?ssl-mode=VERIFY_IDENTITY$/,
      );
    }
  });

  test("`pas doctor` warns of a core that a gateway reaches in cleartext over a network", async () => {
    const client = await gatewayClient(["gateway"]);
    const url = `http://${app.grpcAddress.replace("127.0.0.1", "0.0.0.0")}/`;
    const { code, findings } = await examine(client, "--role", "gateway", "--core", url);
    expect([code, findings.core]).toEqual([0, expect.stringMatching(/^warn: .*in cleartext; give the core TLS/)]);
  });
});

test("`pas doctor` names variables of OpenTelemetry that are not read", async () => {
  const { code, findings } = await examine({ OTEL_PROPAGATORS: "b3", OTEL_EXPORTER_OTLP_HEADERS: "a=b" });
  expect([code, findings.variables]).toEqual([0, "warn: OTEL_PROPAGATORS is not read"]);
});

test("`pas doctor` reports an account of the database that may have fewer connections than the pools", async () => {
  const { url } = await proxyBefore(app.database.address);
  const { connection } = app.database;
  const user = `doctor_${Date.now()}`;
  await connection.query(`CREATE USER ${user}@'%' IDENTIFIED BY 'secret' WITH MAX_USER_CONNECTIONS 30`);
  onTestFinished(async () => void (await connection.query(`DROP USER ${user}@'%'`)));
  await connection.query(`GRANT ALL ON *.* TO ${user}@'%'`);
  const limited = Object.assign(new URL(url), { username: user, password: "secret" }).href;
  const stateOf = async (processes: string) =>
    (await examine({ DATABASE_URL: limited }, "--processes", processes)).findings.account;
  expect(await stateOf("1")).toMatch(/^(ok|warn): .* of MAX_USER_CONNECTIONS 30/);
  expect(await stateOf("2")).toMatch(
    /^fail: .* of MAX_USER_CONNECTIONS 30; raise MAX_USER_CONNECTIONS or lower DATABASE_POOL_SIZE$/,
  );
  expect((await examine({})).findings.account).toBeUndefined();
});

test("`pas doctor` reports a misspelled variable with the name that was meant", async () => {
  const { code, findings } = await examine({ webhook_key: "x", HOME: "/root", HTTP_PROXY: "x" });
  expect(code).toBe(0);
  expect(findings).toMatchObject({ variables: "warn: webhook_key is not read; did you mean WEBHOOK_KEY?" });
});

describe("the core of a gateway", () => {
  const coreFinding = async (environment: Environment, url: string) => {
    const { code, findings } = await examine(environment, "--role", "gateway", "--core", url);
    return [code, findings.core];
  };

  test("`pas doctor` accepts a core that serves the gateway, and says what to do if it is down, without TLS, or no core", async () => {
    const client = await gatewayClient(["gateway"]);
    const url = `http://${app.grpcAddress}/`;
    expect(await coreFinding(client, url)).toEqual([0, `ok: ${url} is ready, and knows this gateway`]);
    const troubles = [
      ["http://127.0.0.1:1/", /^fail: .* cannot be reached from here \(ECONNREFUSED\); correct --core/],
      [`https://${app.grpcAddress}/`, /^fail: .* cannot be reached from here \(\w+\); .*CORE_TLS_/],
      [app.httpUrl, /^fail: .* cannot be reached from here \(\w+\); correct --core/],
    ] as const;
    for (const [address, words] of troubles)
      expect(await coreFinding(client, address)).toEqual([1, expect.stringMatching(words)]);
  });

  test("`pas doctor` says which client to create if the core does not know the gateway as one", async () => {
    const url = `http://${app.grpcAddress}/`;
    const wrong = { ...(await gatewayClient(["gateway"])), GATEWAY_CLIENT_SECRET: "wrong" };
    const lacking = await gatewayClient(["admin"]);
    const unknown = /^fail: .* does not know this gateway; .*with the scope gateway$/;
    for (const client of [wrong, lacking])
      expect(await coreFinding(client, url)).toEqual([1, expect.stringMatching(unknown)]);
  });
});

test("`pas doctor` reports an outdated schema with the number of migrations that `pas migrate` applies", async () => {
  const empty = await createEmptyDatabase();
  onTestFinished(() => empty.drop());
  const { code, findings } = await examine({ DATABASE_URL: empty.url });
  expect(code).toBe(1);
  const [, missing] = /^fail: (\d+) migrations are missing.*`pas migrate`$/.exec(findings.schema ?? "") ?? [];
  const { stdout } = await runPas(["migrate"], { DATABASE_URL: empty.url });
  expect(JSON.parse(stdout).applied).toHaveLength(Number(missing));
});

test("`pas doctor` reports more processes than the database has room for, and warns when it is nearly full", async () => {
  const [rows] = await app.database.connection.query("SELECT @@max_connections AS most");
  const [{ most = 0 } = {}] = rows as { most: number }[];
  const tooMany = await examine({ DATABASE_POOL_SIZE: "1" }, "--processes", String(most));
  expect(tooMany.code).toBe(1);
  expect(tooMany.findings.connections).toMatch(/^fail: .*raise max_connections or lower DATABASE_POOL_SIZE$/);
  const many = await examine({ DATABASE_POOL_SIZE: "1" }, "--processes", String(Math.floor((most - 10) / 3)));
  expect(many.findings.connections).toMatch(/^warn: .*above 80 %$/);
  const statements = await examine({ DATABASE_POOL_SIZE: "100" }, "--processes", "100");
  expect(statements.findings.statements).toMatch(/^fail: .*raise max_prepared_stmt_count/);
});

describe("ports", () => {
  const portOf = (url: string) => new URL(url).port;

  test("`pas doctor` accepts ports in use by the service itself", async () => {
    const ports = { HTTP_PORT: portOf(app.httpUrl), GRPC_PORT: portOf(`http://${app.grpcAddress}`) };
    const { code, findings } = await examine(ports);
    expect(code).toBe(0);
    expect(findings["HTTP port"]).toBe(`ok: the service runs at 127.0.0.1:${ports.HTTP_PORT}, and is ready`);
    expect(findings["gRPC port"]).toMatch(/^ok: .*is taken, as it is while the service runs$/);
  });

  test("`pas doctor` reports ports in use by another program", async () => {
    const other = createServer((socket) => socket.end("220 no HTTP\r\n")).listen(0, "127.0.0.1");
    await once(other, "listening");
    onTestFinished(() => void other.close());
    const port = String((other.address() as AddressInfo).port);
    for (const name of ["HTTP_PORT", "GRPC_PORT"]) {
      const { code, findings } = await examine({ [name]: port });
      expect(code).toBe(1);
      expect(Object.values(findings)).toContainEqual(
        `fail: 127.0.0.1:${port} is taken by another program; stop it, or set another port`,
      );
    }
  });

  test("`pas doctor` reports an address that this machine does not have", async () => {
    const { findings } = await examine({ HOST: "203.0.113.1" });
    expect(findings["HTTP port"]).toBe("fail: 203.0.113.1 is no address of this machine; correct HOST");
  });
});

describe("certificates", () => {
  const file = (name: string) => join(folder, name);
  const day = 24 * 60 * 60 * 1000;
  beforeAll(() => copyCertificates(folder));

  const found = async (certificate: string, key: string | undefined, now = Date.now()) => {
    const files = { GRPC_TLS_CERT_FILE: certificate, ...(key === undefined ? {} : { GRPC_TLS_KEY_FILE: key }) };
    const [{ state, words } = { state: "", words: "" }] = await checkCertificates(readConfig(files), now);
    return `${state}: ${words}`;
  };

  test("`pas doctor` tells valid certificates from those that expire within thirty days or have expired", async () => {
    const [pem, key] = [file("server.pem"), file("server.key")];
    const end = Date.parse(new X509Certificate(readFileSync(pem)).validTo);
    expect(await found(pem, key, end - 90 * day)).toMatch(/^ok: .*server\.pem expires in 90 days$/);
    expect(await found(pem, key, end - 30 * day)).toMatch(/^ok: .*expires in 30 days$/);
    expect(await found(pem, key, end - 30 * day + 1)).toMatch(/^warn: .*expires in 29 days; replace it$/);
    expect(await found(pem, key, end)).toMatch(/^warn: .*expires in 0 days; replace it$/);
    expect(await found(pem, key, end + 1)).toMatch(/^fail: .*has expired$/);
  });

  test("`pas doctor` reports certificates that are missing or do not fit their key", async () => {
    expect(await found(file("server.pem"), undefined)).toMatch(/^fail: .*one is not set$/);
    expect(await found(file("server.pem"), file("other-ca.key"))).toMatch(
      /^fail: .*other-ca\.key is not the key of .*server\.pem$/,
    );
    expect(await found(file("none.pem"), file("server.key"))).toMatch(/^fail: ENOENT/);
  });

  test("`pas doctor` checks the certificates of authorities and of a gateway as well", async () => {
    const files = {
      GRPC_TLS_CLIENT_CA_FILE: file("server.pem"),
      CORE_TLS_CA_FILE: file("none.pem"),
      CORE_TLS_CERT_FILE: file("server.pem"),
    };
    const findings = await checkCertificates(readConfig(files), Date.now());
    expect(findings.map(({ about, state }) => `${about} ${state}`)).toEqual([
      "gRPC TLS ok",
      "gRPC client CA ok",
      "core CA fail",
      "gateway TLS fail",
    ]);
  });
});
