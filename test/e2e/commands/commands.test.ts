// Commands on a database of one's own: what they refuse, and what they leave as it was.

import { describe, expect, test } from "vitest";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import { addCaller, addTwinCaller } from "../../support/app.ts";
import { someId } from "../../support/builders.ts";
import { proxyBefore } from "../../support/databases/proxied-database.ts";
import type { TestDatabase } from "../../support/databases/servers/server.ts";
import { countOf } from "../../support/databases/stores.ts";
import { appOfTest, emptyDatabaseOfTest } from "../../support/of-test.ts";
import { printedBy } from "../../support/processes/command.ts";
import { pasOn } from "../../support/processes/program.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { sequenceEvents } from "../../support/webhooks/sequencing.ts";
import { bodyOf, fullAnswers, readEvents } from "../cases/case.ts";

const tables = ({ connection }: TestDatabase) =>
  countOf(connection, "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE()");

test.each([
  ["partner", "create", "--name", "Acme"],
  ["assessment", "list"],
  ["sessions", "rescore"],
])("`pas %s %s` is refused on an outdated schema, naming the command that updates it", async (...args) => {
  const database = await emptyDatabaseOfTest();
  const refusal = await pasOn(database, ...args);
  expect(refusal).toMatchObject({ code: 1, stdout: "" });
  expect(refusal.stderr).toBe("pas: the database schema is behind; bring it up to date with `pas migrate`\n");
  expect(await tables(database)).toBe(0);
});

test("a command waits for a connection that takes longer to be made than a call waits", async () => {
  const database = await emptyDatabaseOfTest();
  await pasOn(database, "migrate");
  const { proxy, url } = await proxyBefore(database.address);
  // Two answers for who it is, and one for each setting: together longer than two seconds.
  proxy.latencyMs = 450;
  expect(await pasOn({ url }, "assessment", "list")).toMatchObject({ code: 0, stderr: "" });
});

describe("the log of events", () => {
  test("the log of events has the results that `pas sessions rescore` made, once, after the completion", async () => {
    const app = await appOfTest({ EVENT_INTERVAL_MS: "20" });
    const { token, partnerId } = await addTwinCaller(app, await app.addPartner());
    const transport = restTransport(app.httpUrl);
    const subject = { externalId: "test-unscored" };
    const { sessionId, assessment } = bodyOf(await transport.createSession({ token }, { subject }));
    if (assessment === undefined) throw new Error("no assessment");
    bodyOf(await transport.completeSession({ token }, sessionId, { answers: fullAnswers({ assessment }) }));
    const typesAfter = async (after: string, count: number) =>
      (await readEvents({ transport, alice: { token } }, count, { after })).map(({ type }) => type);
    expect(await typesAfter("", 3)).toEqual(["session.created", "session.started", "session.completed"]);
    expect((await pasOn(app.database, "sessions", "rescore")).stdout).toBe('{"scored":1,"failed":0}\n');
    expect(await typesAfter("3", 1)).toEqual(["session.scored"]);
    expect((await pasOn(app.database, "sessions", "rescore")).stdout).toBe('{"scored":0,"failed":0}\n');
    bodyOf(await transport.createSession({ token }, {}));
    const list = await pasOn(app.database, "events", "list", "--partner", partnerId);
    const all = [...list.stdout.matchAll(/"type":"(session\.\w+)"/g)];
    expect(all.filter(([, type]) => type === "session.scored")).toHaveLength(1);
    expect(bodyOf(await transport.getSessionResults({ token }, sessionId))).toMatchObject({ sessionId });
  });

  test("`pas events list` prints one event a line, of all partners or of one", async () => {
    const app = await appOfTest({ EVENT_INTERVAL_MS: "20" });
    const [one, other] = [await addCaller(app), await addCaller(app)];
    const transport = restTransport(app.httpUrl);
    const { token: twin } = await addTwinCaller(app, one.partnerId);
    bodyOf(await transport.createSession({ token: twin }, {}));
    bodyOf(await transport.listEvents({ token: twin }, { wait: 20 }));
    const first = bodyOf(await transport.createSession({ token: one.token }, {})).sessionId;
    bodyOf(await transport.listEvents({ token: one.token }, { wait: 20 }));
    const second = bodyOf(await transport.createSession({ token: other.token }, {})).sessionId;
    bodyOf(await transport.listEvents({ token: other.token }, { wait: 20 }));
    const printed = async (...args: string[]) => printedBy(await pasOn(app.database, ...args));
    const all = await printed("events", "list");
    expect(all.map(({ partnerId, data }) => [partnerId, data.sessionId])).toEqual([
      [one.partnerId, first],
      [other.partnerId, second],
    ]);
    expect(await printed("events", "list", "--partner", other.partnerId)).toEqual(all.slice(1));
  });

  test("`pas events skip-ahead` continues the log 2^32 numbers later", async () => {
    const database = await emptyDatabaseOfTest();
    await pasOn(database, "migrate");
    expect((await pasOn(database, "events", "skip-ahead")).stdout).toBe('{"position":"4294967296"}\n');
  });
});

describe("the audit log", () => {
  test("the audit log shows what operators did at the command line, and has no fault until somebody changes it", async () => {
    const database = await emptyDatabaseOfTest();
    await pasOn(database, "migrate");
    const [{ partnerId }] = printedBy(await pasOn(database, "partner", "create", "--name", "Acme"));
    const create = ["client", "create", "--partner", partnerId, "--name", "Backend", "--scopes"];
    const [{ clientId }] = printedBy(await pasOn(database, ...create, "results:read"));
    expect(await pasOn(database, ...create, "results:raed")).toMatchObject({ code: 1 });
    const records = printedBy(await pasOn(database, "audit", "export", "--partner", partnerId));
    expect(records.map(({ action, outcome, targetId }) => [action, outcome, targetId])).toEqual([
      ["client.create", "invalid_request", null],
      ["client.create", "begun", null],
      ["client.create", "ok", clientId],
      ["client.create", "begun", null],
      ["partner.create", "ok", null],
    ]);
    expect(
      printedBy(await pasOn(database, "audit", "export", "--partner", partnerId, "--until", records[1].at)),
    ).toEqual(records.slice(2));
    const whole = { records: 6, chains: 3, anchors: 0, head: null, faults: 0, signed: false };
    expect(printedBy(await pasOn(database, "audit", "verify"))).toEqual([whole]);
    const anchor = `1:${"0".repeat(64)}`;
    const cut = await pasOn(database, "audit", "verify", "--head", anchor);
    expect(cut).toMatchObject({ code: 1, stderr: "pas: the audit log was changed after it was written\n" });
    expect(printedBy(cut)).toEqual([
      { fault: "cut", writer: null, sequence: 1 },
      { ...whole, faults: 1 },
    ]);
    await database.connection.query("UPDATE audit_log SET action = 'results.read' WHERE action = 'partner.create'");
    expect(printedBy(await pasOn(database, "audit", "verify"))).toContainEqual({
      fault: "changed",
      writer: expect.any(String),
      sequence: 1,
    });
  });
});

test("pas usage prints a line for each day, partner and mode, and says up to when the log is counted", async () => {
  const app = await appOfTest();
  const { token, partnerId } = await addCaller(app);
  const [other, twin] = [await addCaller(app), await addTwinCaller(app, partnerId)];
  const transport = restTransport(app.httpUrl);
  for (const as of [token, token, other.token, twin.token]) bodyOf(await transport.createSession({ token: as }, {}));
  await sequenceEvents(app.database);
  const output = await pasOn(app.database, "usage", "--partner", partnerId, "--from", "2026-01-01");
  expect(JSON.parse(output.stdout)).toMatchObject({
    partnerId,
    mode: "headless",
    created: 2,
    completed: 0,
    erased: 0,
  });
  expect(output.stderr).toMatch(/^counted until \d{4}-\d\d-\d\dT.*Z\n$/);
  expect((await pasOn(app.database, "usage")).stdout.trim().split("\n")).toHaveLength(2);
  const unknown = await pasOn(app.database, "usage", "--partner", "019b2f7c-41d2-7a3e-9c0d-5f1a2b3c4d5e");
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("there is no such partner") });
  expect(await pasOn(app.database, "usage", "--from", "yesterday")).toMatchObject({ code: 1 });
  const empty = await emptyDatabaseOfTest();
  await pasOn(empty, "migrate");
  expect(await pasOn(empty, "usage")).toMatchObject({ code: 0, stdout: "" });
});

test("pas partner list prints more than a thousand partners", async () => {
  const database = await emptyDatabaseOfTest();
  await pasOn(database, "migrate");
  const rows = Array.from({ length: 1_001 }, (_, index) => [uuidToBytes(someId()), `Partner ${index}`, 0, new Date()]);
  await database.connection.query("INSERT INTO partners (id, name, internal, created_at) VALUES ?", [rows]);
  expect(printedBy(await pasOn(database, "partner", "list"))).toHaveLength(1_001);
});
