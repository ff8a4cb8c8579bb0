// Servers, accounts and proxies that give connections settings of their own: nothing that the service promises hangs on them.
import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import type { ConnectionFailure } from "../../../src/database/database.ts";
import { partnerScopes } from "../../../src/domain/identity/scopes.ts";
import { answer, bodyOf, expectRefused, fullAnswers } from "../../e2e/cases/case.ts";
import { fetchToken } from "../../support/databases/partners.ts";
import { poolOfTest } from "../../support/databases/pool.ts";
import { isMariadb, startOwnServer } from "../../support/databases/servers/own-server.ts";
import { printedBy, startPas } from "../../support/processes/command.ts";
import { listenOnLoopback } from "../../support/processes/loopback.ts";
import { runPas } from "../../support/processes/program.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";

interface Hostile {
  readonly name: string;
  /** What a connection comes with, as SQL. */
  readonly found: string;
  readonly expected: string | number;
  /** The only servers that know it. */
  readonly of?: "MariaDB" | "MySQL";
}

const all: readonly Hostile[] = [
  { name: "autocommit", found: "0", expected: 1 },
  { name: "completion_type", found: "'RELEASE'", expected: "NO_CHAIN" },
  { name: "tx_isolation", found: "'SERIALIZABLE'", expected: "READ-COMMITTED", of: "MariaDB" },
  { name: "transaction_isolation", found: "'SERIALIZABLE'", expected: "READ-COMMITTED", of: "MySQL" },
  { name: "innodb_lock_wait_timeout", found: "1000", expected: 5 },
  {
    name: "sql_mode",
    found: "'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT,PAD_CHAR_TO_FULL_LENGTH,NO_UNSIGNED_SUBTRACTION'",
    expected: "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION",
  },
  { name: "character_set_client", found: "latin1", expected: "utf8mb4" },
  { name: "character_set_connection", found: "latin1", expected: "utf8mb4" },
  { name: "character_set_results", found: "latin1", expected: "utf8mb4" },
  { name: "time_zone", found: "'+11:00'", expected: "+00:00" },
  { name: "default_storage_engine", found: "MEMORY", expected: "InnoDB" },
];
const hostile = all.filter(({ of }) => of === undefined || (of === "MariaDB") === isMariadb());

const server = await startOwnServer({ options: () => ["--log-bin"] });
afterAll(() => server.stop());
beforeEach(() => comeWith(""));

/** What connections come with from now on. */
async function comeWith(settings: string): Promise<void> {
  await server.connection.query("SET GLOBAL init_connect = ?", [settings === "" ? "" : `SET ${settings}`]);
}

const assignment = ({ name, found }: Hostile) => `${name} = ${found}`;

function open(troubles: ConnectionFailure[] = []) {
  const db = poolOfTest({ address: server, poolSize: 1, warn: (trouble) => troubles.push(trouble) });
  const { signal } = new AbortController();
  return {
    read: (expression: string) =>
      db.useConnection(signal, async (connection) => {
        const [[row]] = await connection.driver.promise().query<never[]>(`SELECT ${expression} AS value`);
        return (row as { value: unknown } | undefined)?.value;
      }),
  };
}

test.each(hostile)("the service is not affected by $name = $found", async (setting) => {
  await comeWith(assignment(setting));
  expect(await open().read(`@@${setting.name}`)).toBe(setting.expected);
});

test("a setting that a session cannot change is refused by its name, with what to do", async () => {
  await server.connection.query("SET GLOBAL binlog_format = 'STATEMENT'");
  onTestFinished(async () => {
    await server.connection.query("SET GLOBAL binlog_format = 'ROW'");
  });
  const troubles: ConnectionFailure[] = [];
  await expect(open(troubles).read("1")).rejects.toMatchObject({ code: "unavailable" });
  expect(troubles).toMatchObject([
    { fault: expect.stringMatching(/binlog_format STATEMENT.*set it to ROW or MIXED\.$/), isMisconfigured: true },
  ]);
  const { code, stderr } = await runPas(["migrate"], { DATABASE_URL: server.url });
  expect([code, stderr]).toEqual([1, expect.stringContaining("binlog_format STATEMENT")]);
});

test("sessions, every command and a crash end well on a server with all hostile settings, and `doctor` names them", async () => {
  await comeWith(hostile.map(assignment).join(", "));
  const receiver = createServer((request, response) => request.resume().on("end", () => response.end()));
  const port = await listenOnLoopback(receiver);
  onTestFinished(() => void receiver.close());
  const delivered = once(receiver, "request");
  const environment = {
    DATABASE_URL: server.url,
    HTTP_PORT: "0",
    GRPC_PORT: "0",
    METRICS_PORT: "0",
    NORMS_HOUR: "1",
    WEBHOOK_KEY: Buffer.alloc(32, 1).toString("base64"),
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
  };
  const pas = async (...words: string[]) => {
    const finished = await runPas(words, environment);
    expect(finished, words.join(" ")).toMatchObject({ code: 0 });
    return finished;
  };
  const serve = async () => {
    const service = startPas(["serve"], environment);
    onTestFinished(() => service.kill("SIGKILL"));
    const [, url = ""] = await service.wrote(/"http":"(http:[^"]+)".*"msg":"serving"/);
    return { service, url, rest: restTransport(url) };
  };

  await pas("migrate");
  const [engines] = await server.connection.query<never[]>("SHOW TABLE STATUS FROM pas_own WHERE Engine <> 'InnoDB'");
  expect(engines).toEqual([]);
  const name = "Zoë 日本 😀 \\'\"";
  const [{ partnerId }] = printedBy(await pas("partner", "create", "--name", name));
  await pas("partner", "create", "--name", "Another");
  expect(printedBy(await pas("partner", "list"))).toMatchObject([{ name }, { name: "Another" }]);
  const scopes = ["--name", "Backend", "--scopes", partnerScopes.join(" ")];
  const [client] = printedBy(await pas("client", "create", "--partner", partnerId, ...scopes));

  const { service, url, rest } = await serve();
  const as = { token: await fetchToken(url, client) };
  const label = "Zoës Gruppe 😀";
  bodyOf(await rest.createGroup(as, { label }));
  expect(bodyOf(await rest.listGroups(as))).toMatchObject({ groups: [{ label }] });
  const hook = `http://127.0.0.1:${port}/`;
  bodyOf(await rest.createWebhookEndpoint(as, { url: hook, types: ["session.completed"] }));
  const started = bodyOf(await rest.createSession(as, { subject: { externalId: "Zoë" } }));
  bodyOf(await rest.recordAnswers(as, started.sessionId, { answers: [answer(1001, 3), answer(1002, 7)] }));
  const completed = [];
  for (const externalId of ["Zoë", "日本 😀", "x'\\\"y"]) {
    const { sessionId, assessment = { questions: [] } } = bodyOf(
      await rest.createSession(as, { subject: { externalId } }),
    );
    completed.push({
      externalId,
      ...bodyOf(await rest.completeSession(as, sessionId, { answers: fullAnswers({ assessment }) })),
    });
  }
  await delivered;
  service.kill("SIGKILL");
  await service.ended;

  const { url: nextUrl, rest: next } = await serve();
  expect(bodyOf(await next.getSession(as, started.sessionId, { includeProgress: true }))).toMatchObject({
    progress: { answered: 2 },
  });
  const listed = [];
  for (let after: string | undefined | null; after !== null; ) {
    const page = bodyOf(await next.listSessions(as, { limit: 2, ...(after && { after }) }));
    listed.push(...page.sessions.map(({ sessionId }) => sessionId));
    after = page.next;
  }
  expect(listed).toEqual([started, ...completed].map(({ sessionId }) => sessionId).toReversed());
  for (const { sessionId, externalId, results } of completed) {
    expect(bodyOf(await next.getSessionResults(as, sessionId)).results).toEqual(results);
    expect(bodyOf(await next.getLatestResults(as, externalId))).toMatchObject({ sessionId });
  }
  expect(bodyOf(await next.exportSessions(as, {})).sessions).toHaveLength(listed.length);
  const events = async () => bodyOf(await next.listEvents(as, {})).events.length;
  await expect.poll(events).toBeGreaterThan(completed.length);
  bodyOf(await next.eraseSubject(as, "Zoë"));
  expectRefused(await next.getLatestResults(as, "Zoë"), "not_found");

  await pas("audit", "verify");
  await pas("norms", "compute");
  await pas("client", "disable", client.clientId);
  await expect(fetchToken(nextUrl, client)).rejects.toThrow("401");
  await pas("doctor");
});
