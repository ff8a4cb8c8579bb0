// The clock of the database set forward and back while the service runs on it: nothing is removed, what is answered
// stays right, and operators are told what to do.
import { afterAll, expect, test } from "vitest";
import { createClockedDatabase } from "../../support/databases/clock-ahead.ts";
import { addCallerOf } from "../../support/databases/partners.ts";
import { processOfTest } from "../../support/of-test.ts";
import { runPas } from "../../support/processes/program.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { answer, bodyOf } from "../cases/case.ts";

const day = 24 * 60 * 60;

const database = await createClockedDatabase();
const { clockedUrl: url, setAhead } = database;
afterAll(() => database.drop());

const pas = (...words: string[]) => runPas(words, { DATABASE_URL: url, HTTP_PORT: "0", GRPC_PORT: "0" });

test("a clock 400 days ahead removes nothing, answers stay right, and norms are computed again when the clocks agree", async () => {
  const app = await processOfTest({ url });
  const { partnerId, token } = await addCallerOf(app.httpUrl, database.address);
  const transport = restTransport(app.httpUrl);
  const metrics = async () => (await fetch(`${app.httpUrl}/metrics`)).text();
  const readyz = async () => (await fetch(`${app.httpUrl}/readyz`)).status;
  const { sessionId } = bodyOf(await transport.createSession({ token, idempotencyKey: "k" }, {}));
  bodyOf(await transport.completeSession({ token }, sessionId, { answers: [answer(1001, 4)] }));
  expect((await pas("retention", "set", partnerId, "--mode", "headless", "--completed", "1")).code).toBe(0);
  expect(await metrics()).toContain("pas_clock_skewed 0");

  await setAhead(400 * day);
  await expect.poll(metrics).toContain("pas_clock_skewed 1");
  await expect.poll(readyz).toBe(503);
  expect(app.logLines.map((text) => JSON.parse(text))).toContainEqual(
    expect.objectContaining({ level: "warn", msg: expect.stringMatching(/The clock of this host is \d+ s behind/) }),
  );
  // Neither the token nor the session is over, and a repeated request makes nothing twice.
  expect(bodyOf(await transport.getSession({ token }, sessionId)).status).toBe("completed");
  expect(bodyOf(await transport.createSession({ token, idempotencyKey: "k" }, {})).sessionId).toBe(sessionId);
  const skipped = await pas("norms", "compute");
  expect([skipped.code, skipped.stdout]).toEqual([1, ""]);
  expect(skipped.stderr).toMatch(/The clock of this host is \d+ s behind the database's/);

  await setAhead(0);
  await expect.poll(readyz).toBe(200);
  await expect.poll(metrics).toContain("pas_clock_skewed 0");
  expect(JSON.parse((await pas("norms", "compute")).stdout)).toMatchObject({ partners: 1 });
  expect(bodyOf(await transport.getSession({ token }, sessionId)).sessionId).toBe(sessionId);
});

test("a process that starts while the database's clock is wrong uses the clock of its host", async () => {
  await (await processOfTest({ url })).stop();
  await setAhead(3 * 60 * 60);
  const app = await processOfTest({ url });
  const metrics = async () => (await fetch(`${app.httpUrl}/metrics`)).text();
  await expect.poll(metrics).toContain("pas_clock_skewed 1");
  const { token } = await addCallerOf(app.httpUrl, database.address);
  const transport = restTransport(app.httpUrl);
  const { sessionId } = bodyOf(await transport.createSession({ token }, {}));
  const { createdAt } = bodyOf(await transport.getSession({ token }, sessionId));
  expect(Math.abs(Date.parse(createdAt) - Date.now())).toBeLessThan(60_000);
  await setAhead(0);
  await expect.poll(metrics).toContain("pas_clock_skewed 0");
});
