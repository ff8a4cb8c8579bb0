// pas sessions, pas subject: what operators find, end and hand out, as the interface does.
import { describe, expect, test } from "vitest";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import { defaultSubjectPageSize } from "../../../src/services/exports/export-subject.ts";
import { addCaller, type TestApp } from "../../support/app.ts";
import { countOf } from "../../support/databases/stores.ts";
import { appOfTest } from "../../support/of-test.ts";
import { type Finished, onDatabase, printedBy } from "../../support/processes/command.ts";
import { pasOn, runPas } from "../../support/processes/program.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { answer, bodyOf, completedSession, hostedMode, newSession, readEvents } from "../cases/case.ts";

const nobody = "019b2f7c-41d2-7a3e-9c0d-5f1a2b3c4d5e";

/** A service without background work that could come in between, and a caller of it. */
async function newWorld() {
  const app = await appOfTest({ NORMS_HOUR: "-1", EVENT_INTERVAL_MS: "20" });
  const { token, partnerId } = await addCaller(app);
  const transport = restTransport(app.httpUrl);
  return { app, transport, alice: { token }, bob: { token }, partnerId };
}

const listIds = (finished: Finished) => printedBy(finished).map(({ sessionId }) => sessionId);

/** What is recorded of commands, the oldest first. */
async function listRecords({ database }: TestApp, partner: string) {
  const exported = await pasOn(database, "audit", "export", "--partner", partner);
  const records = printedBy(exported).toReversed();
  return records.flatMap(({ requestId, action, sessionId, clientId, outcome }) =>
    requestId === "command-line" ? [[action, sessionId, clientId, outcome]] : [],
  );
}

describe("pas sessions list", () => {
  const maxSessionPageSize = 200;
  const list = ({ database }: TestApp, partner: string, ...args: string[]) =>
    pasOn(database, "sessions", "list", "--partner", partner, ...args);

  test("pas sessions list prints every session of the partner as the API does, newest first, one a line, page by page", async () => {
    const { app, transport, alice, partnerId } = await newWorld();
    const other = await addCaller(app);
    bodyOf(await transport.createSession({ token: other.token }, {}));
    for (let count = 0; count <= maxSessionPageSize; count += 1) bodyOf(await transport.createSession(alice, {}));
    const first = bodyOf(await transport.listSessions(alice, { limit: maxSessionPageSize }));
    const second = bodyOf(await transport.listSessions(alice, { limit: maxSessionPageSize, after: first.next ?? "" }));
    const finished = await list(app, partnerId);
    expect(finished).toMatchObject({ code: 0, stderr: "" });
    expect(printedBy(finished)).toEqual([...first.sessions, ...second.sessions]);
    expect(second.sessions).toHaveLength(1);
  });

  test("pas sessions list prints the sessions that match all options", async () => {
    const world = await newWorld();
    const { app, transport, alice, partnerId } = world;
    const open = bodyOf(await transport.createSession(alice, hostedMode));
    const { sessionId } = await completedSession(world, { subject: { externalId: "a/b é" } });
    await newSession(world);
    const ids = async (...args: string[]) => listIds(await list(app, partnerId, ...args));
    expect(await ids("--mode", "hosted", "--progress", "not_started", "--status", "in_progress")).toEqual([
      open.sessionId,
    ]);
    expect(await ids("--external-id", "a/b é", "--created-after", "2026-01-01T00:00:00Z")).toEqual([sessionId]);
    expect(await ids("--external-id", "a/b é", "--mode", "hosted")).toEqual([]);
  });

  test("pas sessions list says that a partner or a product does not exist", async () => {
    const { app, partnerId } = await newWorld();
    expect(await list(app, nobody)).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/there is no such partner/),
    });
    const product = await list(app, partnerId, "--product", "other");
    expect(product).toEqual({
      code: 1,
      stdout: "",
      stderr: "pas: There is no such product. There is: values-bridge.\n",
    });
  });
});

describe("pas sessions link", () => {
  const link = ({ database, httpUrl }: TestApp, partner: string, sessionId: string, ...args: string[]) =>
    runPas(["sessions", "link", sessionId, "--partner", partner, ...args], {
      ...onDatabase(database),
      PUBLIC_URL: httpUrl,
    });

  test("pas sessions link prints a new link, ends the one before, and is recorded", async () => {
    const { app, transport, alice, partnerId } = await newWorld();
    const { sessionId, hostedUrl = "" } = bodyOf(await transport.createSession(alice, hostedMode));
    const expires = new Date(Date.now() + 24 * 3_600_000).toISOString();
    const [newLink] = printedBy(await link(app, partnerId, sessionId, "--expires", expires));
    expect(newLink).toEqual({
      hostedUrl: expect.stringContaining(`${app.httpUrl}/hosted/pas_hl_`),
      expiresAt: expires,
    });
    const statuses = [hostedUrl, newLink.hostedUrl].map(
      async (url) => (await fetch(url, { redirect: "manual" })).status,
    );
    expect(await Promise.all(statuses)).toEqual([410, 303]);
    expect(await listRecords(app, partnerId)).toEqual([
      ["session_link.create", sessionId, null, "begun"],
      ["session_link.create", sessionId, null, "ok"],
    ]);
  });

  test("pas sessions link says what is missing: the address of the service, the session, or any link", async () => {
    const world = await newWorld();
    const { app, partnerId } = world;
    const { sessionId } = await newSession(world);
    const without = await pasOn(app.database, "sessions", "link", sessionId, "--partner", partnerId);
    expect(without).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("set PUBLIC_URL") });
    const words = "pas: there is no such session of that partner\n";
    expect(await link(app, partnerId, nobody)).toEqual({ code: 1, stdout: "", stderr: words });
    const headless = await link(app, partnerId, sessionId);
    expect(headless).toMatchObject({ code: 1, stderr: expect.stringContaining("Only hosted sessions have a link.") });
  });
});

describe("pas sessions cancel", () => {
  const cancel = ({ database }: TestApp, partner: string, sessionId: string, ...args: string[]) =>
    pasOn(database, "sessions", "cancel", sessionId, "--partner", partner, ...args);

  test("pas sessions cancel ends a session as the API does, as often as it is called, and keeps the answers unless asked to erase them", async () => {
    const world = await newWorld();
    const { app, transport, alice, partnerId } = world;
    const { sessionId } = await newSession(world);
    bodyOf(await transport.recordAnswers(alice, sessionId, { answers: [answer(1001, 4)] }));
    const countAnswered = () =>
      countOf(app.database.connection, "SELECT LENGTH(answers) > 0 FROM sessions WHERE id = ?", [
        uuidToBytes(sessionId),
      ]);
    const first = await cancel(app, partnerId, sessionId);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(printedBy(first)).toEqual([bodyOf(await transport.getSession(alice, sessionId))]);
    expect(printedBy(first)).toMatchObject([{ sessionId, status: "cancelled" }]);
    expect(await countAnswered()).toBe(1);
    expect(await cancel(app, partnerId, sessionId)).toEqual(first);
    expect(await cancel(app, partnerId, sessionId, "--erase-answers")).toEqual(first);
    expect(await countAnswered()).toBe(0);
    expect(await listRecords(app, partnerId)).toEqual(
      [first, first, first].flatMap(() => [
        ["session.cancel", sessionId, null, "begun"],
        ["session.cancel", sessionId, null, "ok"],
      ]),
    );
    const types = (await readEvents(world, 3)).map(({ type }) => type);
    expect(types).toEqual(["session.created", "session.started", "session.cancelled"]);
  });
});

describe("pas subject export", () => {
  test("pas subject export prints all data of a person as one JSON, as the API does, and is recorded", async () => {
    const world = await newWorld();
    const { app, transport, alice, partnerId } = world;
    const subject = { externalId: "a/b é" };
    await completedSession(world, { subject });
    for (let count = 0; count < defaultSubjectPageSize; count += 1) await newSession(world, { subject });
    await newSession(world);
    const person = ["--partner", partnerId, "--external-id", subject.externalId];
    const output = await pasOn(app.database, "subject", "export", ...person);
    const { sessions, ...rest } = JSON.parse(output.stdout);
    // The cursor of the end goes with the time at which it was read.
    const { nextCursor: _, ...firstPage } = bodyOf(await transport.exportSubject(alice, subject.externalId));
    expect({ sessions, ...rest }).toEqual({ ...firstPage, nextCursor: expect.any(String) });
    expect(sessions).toHaveLength(defaultSubjectPageSize + 1);
    expect((await listRecords(app, partnerId)).toSorted()).toEqual(
      sessions.map(({ sessionId }: { sessionId: string }) => ["subject.export", sessionId, null, "ok"]).toSorted(),
    );
  });
});

describe("pas subject erase", () => {
  test("pas subject erase removes all data of a person, as the API does, and is recorded", async () => {
    const world = await newWorld();
    const { app, transport, alice, partnerId } = world;
    const [subject, other] = [{ externalId: "a/b é" }, { externalId: "other" }];
    for (const each of [subject, other]) await newSession(world, { subject: each });
    const person = ["--partner", partnerId, "--external-id", subject.externalId];
    const erased = await pasOn(app.database, "subject", "erase", ...person);
    expect(erased).toEqual({ code: 0, stdout: '{"sessionsErased":1}\n', stderr: "" });
    expect(await transport.exportSubject(alice, subject.externalId)).toMatchObject({ ok: false, code: "not_found" });
    expect(bodyOf(await transport.exportSubject(alice, other.externalId)).sessions).toHaveLength(1);
    expect((await listRecords(app, partnerId)).slice(0, 2)).toEqual([
      ["subject.erase", null, null, "begun"],
      ["subject.erase", null, null, "ok"],
    ]);
    expect(await pasOn(app.database, "subject", "erase", ...person)).toEqual({
      code: 1,
      stdout: "",
      stderr: "pas: nothing is held of such a person at that partner\n",
    });
  });
});

describe("pas groups", () => {
  const createGroup = async ({ transport, alice }: Awaited<ReturnType<typeof newWorld>>, label: string) =>
    bodyOf(await transport.createGroup(alice, { label }));

  test("pas groups lists, shows and closes groups as the API does, and is recorded", async () => {
    const world = await newWorld();
    const { app, transport, alice, partnerId } = world;
    const [first, second] = [await createGroup(world, "First"), await createGroup(world, "Second")];
    const { groupId } = first;
    await newSession(world, { subject: { externalId: "member" }, groupId });
    const pas = (...args: string[]) => pasOn(app.database, "groups", ...args, "--partner", partnerId);
    expect(printedBy(await pas("list"))).toEqual([second, { ...first, size: 1 }]);
    expect(printedBy(await pas("show", groupId))).toEqual([{ ...first, size: 1 }]);
    const closedGroups = printedBy(await pas("close", groupId));
    expect(closedGroups).toEqual([bodyOf(await transport.getGroup(alice, groupId))]);
    expect(closedGroups).toMatchObject([{ state: "closed" }]);
    expect(await listRecords(app, partnerId)).toEqual([
      ["group.close", null, null, "begun"],
      ["group.close", null, null, "ok"],
    ]);
    expect(
      listIds(await pasOn(app.database, "sessions", "list", "--partner", partnerId, "--group", groupId)),
    ).toHaveLength(1);
  });

  test("pas groups does not find a group of another partner", async () => {
    const world = await newWorld();
    const { groupId } = await createGroup(world, "Team");
    const stranger = await world.app.addPartner();
    for (const command of ["show", "close"]) {
      const { code, stderr } = await pasOn(world.app.database, "groups", command, groupId, "--partner", stranger);
      expect([code, stderr]).toEqual([1, expect.stringContaining("there is no such group of that partner")]);
    }
  });
});
