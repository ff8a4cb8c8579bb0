// A database that is away, stands still or refuses: what the runbook says to do is done, command by command, and helps.
import { createConnection } from "mysql2/promise";
import { expect, onTestFinished, test } from "vitest";
import { answer, bodyOf } from "../../e2e/cases/case.ts";
import { schema } from "../support/database/database.ts";
import { startMariadb } from "../support/database/mariadb.ts";
import { commandsOf, type Operator, startOperator } from "../support/incidents/runbook.ts";
import { serveOn, type TroubledService } from "../support/incidents/service.ts";

async function openDay() {
  const server = await startMariadb();
  onTestFinished(() => server.remove());
  const database = { url: server.url, socketPath: server.socketPath, schema };
  return { server, database, service: await serveOn(database), operator: await startOperator(database) };
}

/** A transaction that holds rows, until its connection is ended. */
async function holdRows(socketPath: string, sql: string): Promise<void> {
  const connection = await createConnection({ socketPath, user: "root", database: schema });
  // It is to be killed.
  connection.on("error", () => undefined);
  onTestFinished(() => connection.destroy());
  await connection.query("START TRANSACTION");
  await connection.query(sql);
}

/** The oldest transaction, as the page has it shown. */
async function oldestTransaction(operator: Operator, command: string): Promise<string> {
  const [, oldest = ""] = (await operator.follow(command)).split("\n");
  const [threadId = ""] = oldest.split("\t");
  expect(threadId).toMatch(/^\d+$/);
  return threadId;
}

const create = ({ transport, as }: TroubledService) => transport.createSession(as, {});
const late = expect.stringMatching(/^(unavailable|deadline_exceeded)$/);

test("the commands show a database that is down, and bringing it back is enough", async () => {
  const { server, service, operator } = await openDay();
  const [readiness = "", liveness = ""] = commandsOf("The database is down");
  const at = { SERVICE_URL: service.httpUrl };
  const ready = async () => JSON.parse(await operator.follow(readiness, at));
  const { sessionId } = bodyOf(await create(service));
  await server.kill();
  await expect.poll(ready).toMatchObject({ status: 503, detail: "The database cannot be reached." });
  expect(JSON.parse(await operator.follow(liveness, at))).toEqual({ status: "alive" });
  expect(await create(service)).toMatchObject({ ok: false, code: "unavailable" });
  await server.start();
  await expect.poll(ready).toMatchObject({ status: "ready" });
  expect(bodyOf(await service.transport.getSession(service.as, sessionId)).sessionId).toBe(sessionId);
  bodyOf(await create(service));
});

test("a frozen server does not respond within five seconds, and no process is restarted when it resumes", async () => {
  const { server, service, operator } = await openDay();
  const [look = ""] = commandsOf("The database is frozen");
  expect((await operator.try(look)).stdout).toContain("SHOW FULL PROCESSLIST");
  server.freeze();
  expect(await create(service)).toMatchObject({ ok: false, code: late });
  expect((await operator.try(look)).code).toBe(124);
  await expect.poll(async () => (await fetch(`${service.httpUrl}/readyz`)).status).toBe(503);
  server.thaw();
  await expect.poll(async () => (await fetch(`${service.httpUrl}/readyz`)).status).toBe(200);
  bodyOf(await create(service));
});

test("the transaction that others wait for is the oldest, and ending it resolves the incident", async () => {
  const { database, service, operator } = await openDay();
  const [look = "", transactions = "", end = ""] = commandsOf("The database is frozen");
  bodyOf(await create(service));
  await holdRows(database.socketPath, "SELECT * FROM sessions FOR UPDATE");
  const waiting = create(service);
  await expect.poll(() => operator.follow(look)).toMatch(/\tINSERT INTO `?sessions/i);
  expect(await waiting).toMatchObject({ ok: false, code: late });
  await operator.follow(end, { THREAD_ID: await oldestTransaction(operator, transactions) });
  bodyOf(await create(service));
});

test("the log reports a server without room for prepared statements, and a higher limit helps without a restart", async () => {
  const { server, service, operator } = await openDay();
  const [count = "", raise = ""] = commandsOf("The database has no room for prepared statements");
  await server.asAdministrator((connection) => connection.query("SET GLOBAL max_prepared_stmt_count = 0"));
  expect(await create(service)).toMatchObject({ ok: false, code: "unavailable" });
  expect(service.logLines.join("")).toContain("ER_MAX_PREPARED_STMT_COUNT_REACHED");
  expect(await operator.follow(count)).toMatch(/^Prepared_stmt_count\t\d+$/m);
  await operator.follow(raise);
  bodyOf(await create(service));
});

test("the page finds the transaction that locks the audit log, and calls are recorded again once it is ended", async () => {
  const { server, database, service, operator } = await openDay();
  const [grants = "", transactions = "", end = ""] = commandsOf("The audit log is not written");
  const { transport, as, httpUrl } = service;
  const { sessionId } = bodyOf(await create(service));
  bodyOf(await transport.completeSession(as, sessionId, { answers: [answer(1001, 4)] }));
  await holdRows(database.socketPath, "SELECT * FROM audit_log FOR UPDATE");
  expect(await transport.getSessionResults(as, sessionId)).toMatchObject({ ok: false, code: late });
  expect(await (await fetch(`${httpUrl}/metrics`)).text()).toMatch(/^pas_audit_failures_total [1-9]/m);
  bodyOf(await transport.getSession(as, sessionId));
  expect(await operator.follow(grants)).toContain(`GRANT ALL PRIVILEGES ON \`${schema}\`.*`);
  await operator.follow(end, { THREAD_ID: await oldestTransaction(operator, transactions) });
  bodyOf(await transport.getSessionResults(as, sessionId));
  const [rows] = await server.asAdministrator((connection) =>
    connection.query("SELECT action FROM audit_log WHERE action = 'results.read' AND outcome = 'ok'"),
  );
  expect(rows).toHaveLength(1);
});
