// A service with too much to do, webhooks that do not arrive, scoring that failed, an audit log that somebody changed: the
// commands of the runbook, as they stand, show it and help.
import type { RowDataPacket } from "mysql2";
import { expect, onTestFinished, test } from "vitest";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import { bodyOf, fullAnswers } from "../../e2e/cases/case.ts";
import { addCaller } from "../../support/app.ts";
import { processOfTest } from "../../support/of-test.ts";
import { linesIn } from "../../support/processes/command.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { startReceiver } from "../../support/webhooks/receiver.ts";
import { commandsOf } from "../support/incidents/runbook.ts";
import { openDay } from "../support/incidents/service.ts";

test("a process with more calls than places says so in its metrics, and serves again when the place is free", async () => {
  const { app, transport, operator } = await openDay({ MAX_CONCURRENT_CALLS: "1" });
  const [look = ""] = commandsOf("Overloaded: 503 or 429");
  const { token } = await addCaller(app);
  const holder = await app.database.openConnection();
  onTestFinished(() => holder.end());
  bodyOf(await transport.createSession({ token }, {}));
  await holder.query("START TRANSACTION");
  await holder.query("SELECT * FROM sessions FOR UPDATE");
  const running = transport.createSession({ token }, {});
  await expect.poll(() => operator.follow(look)).toContain('pas_calls_in_flight{state="running"} 1');
  expect(await transport.createSession({ token }, {})).toMatchObject({ ok: false, code: "unavailable" });
  await holder.query("ROLLBACK");
  await running;
  expect(await operator.follow(look)).toMatch(/^pas_calls_seconds_count.*outcome="unavailable"/m);
  bodyOf(await transport.createSession({ token }, {}));
});

test("a client beyond its limit gets 429 while others are served, and is served where the limit was raised", async () => {
  const { app, transport, operator } = await openDay({ RATE_LIMIT_PER_MINUTE: "1", RATE_LIMIT_BURST: "1" });
  const [look = ""] = commandsOf("Overloaded: 503 or 429");
  const [busy, other] = [{ token: (await addCaller(app)).token }, { token: (await addCaller(app)).token }];
  bodyOf(await transport.createSession(busy, {}));
  expect(await transport.createSession(busy, {})).toMatchObject({ ok: false, code: "rate_limited" });
  bodyOf(await transport.createSession(other, {}));
  expect(await operator.follow(look)).toMatch(/^pas_calls_seconds_count.*outcome="rate_limited"/m);
  const raised = await processOfTest(app.database.address, { RATE_LIMIT_PER_MINUTE: "600" });
  for (const count of [1, 2, 3]) {
    const outcome = await restTransport(raised.httpUrl).createSession(busy, {});
    expect([count, outcome.ok]).toEqual([count, true]);
  }
});

test("the command shows where slow calls may wait", async () => {
  const { transport, operator, app } = await openDay();
  const { token } = await addCaller(app);
  bodyOf(await transport.createSession({ token }, {}));
  const [look = ""] = commandsOf("Calls are slow");
  const output = await operator.follow(look);
  const places = ["pas_calls_in_flight", "pas_pool_wait", "pas_statements", "nodejs_eventloop_lag"];
  for (const place of [...places, 'pas_database_connections{state="pending"}']) {
    expect(output).toMatch(new RegExp(`^${RegExp.escape(place)}`, "m"));
  }
});

test("the commands show why webhooks do not arrive, and send all that wait", async () => {
  const { app, transport, operator } = await openDay();
  const { partnerId, token } = await addCaller(app);
  let isUp = false;
  const receiver = await startReceiver(() => ({ status: isUp ? 204 : 500 }));
  const input = { url: receiver.url, types: ["session.created"] };
  const { endpointId } = bodyOf(await transport.createWebhookEndpoint({ token }, input)).endpoint;
  const get = async () => bodyOf(await transport.getWebhookEndpoint({ token }, endpointId));
  bodyOf(await transport.createSession({ token }, {}));
  await expect.poll(async () => (await get()).failures).toBe(1);
  // As after a long time away: it is tried in ten minutes.
  const away = `UPDATE webhook_endpoints SET failures = 9, paused_until = NOW(3) + INTERVAL 10 MINUTE,
    due_at = paused_until WHERE id = ?`;
  await app.database.connection.query(away, [uuidToBytes(endpointId)]);
  isUp = true;
  const variables = { ENDPOINT_ID: endpointId, PARTNER_ID: partnerId };
  const outputs = [];
  for (const command of commandsOf("Webhooks do not arrive")) {
    outputs.push(linesIn(await operator.follow(command, variables)));
  }
  const [[down], [failed], [parked], [tested]] = outputs as [unknown[], unknown[], unknown[], unknown[]];
  expect(down).toMatchObject({ endpointId, url: receiver.url, state: "down", backlog: 1 });
  expect(failed).toMatchObject({ type: "session.created", outcome: "failed", status: 500 });
  expect(parked).toMatchObject({ state: "retrying" });
  expect(tested).toMatchObject({ status: 204 });
  const sinceTest = () => {
    const types = receiver.received.map(({ event }) => event.type);
    return types.slice(types.indexOf("webhook.test"));
  };
  await expect.poll(sinceTest).toEqual(["webhook.test", "session.created"]);
  await expect.poll(async () => (await get()).state).toBe("healthy");
});

test("sessions whose scoring failed have results after the command, and the next run finds none", async () => {
  const { app, transport, operator } = await openDay();
  const { token } = await addCaller(app);
  const [rescore = ""] = commandsOf("Scoring failed");
  const { sessionId, assessment } = bodyOf(await transport.createSession({ token }, {}));
  if (assessment === undefined) throw new Error("no assessment");
  bodyOf(await transport.recordAnswers({ token }, sessionId, { answers: fullAnswers({ assessment }) }));
  // As a scorer leaves it that fails.
  const complete = "UPDATE sessions SET completed_at = NOW(3), results = NULL, revision = revision + 1 WHERE id = ?";
  await app.database.connection.query(complete, [uuidToBytes(sessionId)]);
  const results = () => transport.getSessionResults({ token }, sessionId);
  expect(await results()).toMatchObject({ ok: false, detail: expect.stringContaining("not scored yet") });
  expect(linesIn(await operator.follow(rescore))).toEqual([{ scored: 1, failed: 0 }]);
  expect(bodyOf(await results()).results).toMatchObject({ values: expect.any(Array) });
  expect(linesIn(await operator.follow(rescore))).toEqual([{ scored: 0, failed: 0 }]);
});

test.each([
  ["changed", "UPDATE audit_log SET action = 'results.read' WHERE action = 'partner.create' AND outcome = 'ok'"],
  ["removed", "DELETE FROM audit_log WHERE action = 'client.create' AND outcome = 'begun'"],
])("the command names a record of the audit log that was %s, and ends with 1", async (fault, harm) => {
  const { app, operator } = await openDay();
  const [verify = ""] = commandsOf("The audit log was changed after it was written");
  const partnerText = await operator.follow('pas partner create --name "Acme"');
  const [{ partnerId }] = linesIn(partnerText);
  await operator.follow(`pas client create --partner ${partnerId} --name "Backend" --scopes "results:read"`);
  expect(linesIn(await operator.follow(verify))).toMatchObject([{ faults: 0 }]);
  const [{ affectedRows }] = await app.database.connection.query<RowDataPacket[] & { affectedRows: number }>(harm);
  expect(affectedRows).toBe(1);
  const outcome = await operator.try(verify);
  expect([outcome.code, outcome.stderr]).toEqual([1, "pas: the audit log was changed after it was written\n"]);
  expect(linesIn(outcome.stdout)).toContainEqual(expect.objectContaining({ fault }));
});
