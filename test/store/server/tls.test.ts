// TLS to a database that requires it: by the server's own word the connections are encrypted, or there are none.

import { join } from "node:path";
import type { RowDataPacket } from "mysql2/promise";
import { afterAll, expect, onTestFinished, test } from "vitest";
import type { ConnectionFailure } from "../../../src/database/database.ts";
import { sql } from "../../../src/database/statement.ts";
import { bodyOf } from "../../e2e/cases/case.ts";
import { fetchToken } from "../../support/databases/partners.ts";
import { poolOfTest } from "../../support/databases/pool.ts";
import { isMariadb, type OwnServer, startOwnServer } from "../../support/databases/servers/own-server.ts";
import { folderOfFile } from "../../support/folders.ts";

import { copyCertificates } from "../../support/processes/certificates.ts";
import { printedBy, startPas } from "../../support/processes/command.ts";
import { runPas } from "../../support/processes/program.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";

/** Certified for the name localhost by `other-ca`. */
const files = folderOfFile();
copyCertificates(files);
const server = await startWith("localhost");
afterAll(() => server.stop());

/** Starts a server that has a certificate, and asks everybody for TLS. */
async function startWith(certificate: string): Promise<OwnServer> {
  const started = await startOwnServer({
    options: (folder) => [`--ssl-cert=${folder}/${certificate}.pem`, `--ssl-key=${folder}/${certificate}.key`],
    files,
  });
  await started.connection.query("SET GLOBAL require_secure_transport = ON");
  return started;
}

const urlOf = ({ url }: OwnServer, query: string) => `${url.replace("127.0.0.1", "localhost")}${query}`;
const authority = (name: string) => `ssl-ca=${join(files, `${name}.pem`)}`;

/** What the server says that a connection is encrypted by; empty: by nothing. */
async function cipherOf(url: string, troubles: ConnectionFailure[] = []): Promise<string> {
  const db = poolOfTest({ address: { url }, poolSize: 1, warn: (trouble) => troubles.push(trouble) });
  const [row] = await db.useConnection(new AbortController().signal, async (connection) => {
    const [rows] = await connection.driver.promise().query<never[]>("SHOW SESSION STATUS LIKE 'Ssl_cipher'");
    return rows as { Value: string }[];
  });
  return row?.Value ?? "";
}

async function refusalOf(url: string): Promise<string> {
  const troubles: ConnectionFailure[] = [];
  await expect(cipherOf(url, troubles)).rejects.toMatchObject({ code: "unavailable" });
  expect(troubles[0]).toMatchObject({ isMisconfigured: true });
  return troubles[0]?.fault ?? "";
}

test("ssl-mode=REQUIRED encrypts", async () => {
  expect(await cipherOf(urlOf(server, "?ssl-mode=REQUIRED"))).toMatch(/AES|CHACHA/);
});

test.each(["ssl-mode=VERIFY_CA", "ssl-mode=VERIFY_IDENTITY"])(
  "%s encrypts, and connects only to a server whose certificate its authority signed",
  async (parameter) => {
    expect(await cipherOf(urlOf(server, `?${parameter}&${authority("other-ca")}`))).toMatch(/AES|CHACHA/);
    const fault =
      "The certificate of the database cannot be verified; check ssl-ca, ssl-mode and the host of DATABASE_URL.";
    expect(await refusalOf(urlOf(server, `?${parameter}&${authority("ca")}`))).toBe(fault);
    expect(await refusalOf(urlOf(server, `?${parameter}`))).toBe(fault);
  },
);

test("a certificate of another host passes VERIFY_CA, and not VERIFY_IDENTITY", async () => {
  const elsewhere = await startWith("server");
  onTestFinished(() => elsewhere.stop());
  const url = (mode: string) => urlOf(elsewhere, `?ssl-mode=${mode}&${authority("ca")}`);
  expect(await cipherOf(url("VERIFY_CA"))).toMatch(/AES|CHACHA/);
  expect(await refusalOf(url("VERIFY_IDENTITY"))).toMatch(/^The certificate of the database cannot be verified/);
});

test("an encrypted statement that the database does not answer ends when its signal aborts", async () => {
  const db = poolOfTest({ address: { url: urlOf(server, "?ssl-mode=REQUIRED") }, poolSize: 1 });
  const deadline = new AbortController();
  const sleep = sql`SELECT SLEEP(60)`;
  const statement = db.useConnection(deadline.signal, (connection) => connection.execute(sleep, {}));
  const refusal = expect(statement).rejects.toMatchObject({ code: "deadline_exceeded" });
  const running = async () => {
    const [rows] = await server.connection.query<RowDataPacket[]>("SHOW PROCESSLIST");
    return rows.filter(({ Info }) => Info === sleep.sql);
  };
  await expect.poll(running).toHaveLength(1);
  deadline.abort();
  await refusal;
});

test("an encrypted connection that is given up is lent to nobody who waits", async () => {
  const db = poolOfTest({ address: { url: urlOf(server, "?ssl-mode=REQUIRED") }, poolSize: 1 });
  const { signal } = new AbortController();
  const [lent, hasWaiter] = [Promise.withResolvers<number | null>(), Promise.withResolvers<void>()];
  const failing = db.useConnection(signal, async ({ driver }) => {
    lent.resolve(driver.threadId);
    await hasWaiter.promise;
    // As a server does after a switch of the primary.
    throw Object.assign(new Error("read-only"), { code: "ER_OPTION_PREVENTS_STATEMENT", errno: 1290 });
  });
  const refusal = expect(failing).rejects.toMatchObject({ code: "unavailable" });
  const firstId = await lent.promise;
  const waiting = db.useConnection(signal, async (connection) => {
    await connection.execute(sql`SELECT 1`, {});
    return connection.driver.threadId;
  });
  hasWaiter.resolve();
  await refusal;
  expect(await waiting).not.toBe(firstId);
});

test("the refusal of a server that requires TLS is reported as such, if the URL asks for none", async () => {
  expect(await refusalOf(urlOf(server, ""))).toMatch(/TLS.*DATABASE_URL\.$/);
});

test("nothing is sent in cleartext to a server that has no TLS", async () => {
  const plain = await startOwnServer({ options: () => (isMariadb() ? [] : ["--tls-version="]) });
  onTestFinished(() => plain.stop());
  expect(await cipherOf(urlOf(plain, ""))).toBe("");
  expect(await refusalOf(urlOf(plain, "?ssl-mode=REQUIRED"))).toBe(
    "The database has no TLS, which DATABASE_URL asks for; turn it on there.",
  );
});

test("commands, calls and jobs are encrypted, each connection", async () => {
  const accepted = async () => {
    const [[row]] = await server.connection.query<never[]>("SHOW GLOBAL STATUS LIKE 'Ssl_finished_accepts'");
    return Number((row as { Value: string } | undefined)?.Value);
  };
  const DATABASE_URL = urlOf(server, `?ssl-mode=VERIFY_IDENTITY&${authority("other-ca")}`);
  const environment = { DATABASE_URL, HTTP_PORT: "0", GRPC_PORT: "0", METRICS_PORT: "0" };
  const before = await accepted();
  const result = async (...words: string[]) => {
    const finished = await runPas(words, environment);
    expect(finished, words.join(" ")).toMatchObject({ code: 0 });
    return printedBy(finished)[0];
  };
  await result("migrate");
  const { partnerId } = await result("partner", "create", "--name", "Acme");
  const scopes = "sessions:write sessions:read exports:read";
  const client = await result("client", "create", "--partner", partnerId, "--name", "x", "--scopes", scopes);
  const service = startPas(["serve"], environment);
  onTestFinished(() => service.kill("SIGKILL"));
  const [, url = ""] = await service.wrote(/"http":"(http:[^"]+)".*"msg":"serving"/);
  const as = { token: await fetchToken(url, client) };
  const { sessionId } = bodyOf(await restTransport(url).createSession(as, {}));
  expect(bodyOf(await restTransport(url).exportSessions(as, {})).sessions).toMatchObject([{ sessionId }]);
  const { stdout } = await runPas(["doctor"], environment);
  expect(stdout).toMatch(/^ok +database +it answers: /m);
  expect((await accepted()) - before).toBeGreaterThan(4);
});
