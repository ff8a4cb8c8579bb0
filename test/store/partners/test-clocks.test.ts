// The clock of a test twin: that of its sessions, whoever looks at them, and of nothing else.
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import type { SessionKey } from "../../../src/domain/sessions/session.ts";
import { CreateSessionRequestSchema, SessionMode } from "../../../src/gen/assessment/v1/session_service_pb.ts";
import { toTwinId, uuidToBytes } from "../../../src/kernel/ids.ts";
import { getHostedSession } from "../../../src/services/hosted/hosted-service.ts";
import { replaceSessionLinks } from "../../../src/services/hosted/session-links.ts";
import { applyRetention } from "../../../src/services/retention/retention.ts";
import { findSessionTime, getTestClock, setTestClock } from "../../../src/services/sandbox/test-clock.ts";
import { createSession } from "../../../src/services/sessions/create-session.ts";
import { someAssessment, someId, somePolicy } from "../../support/builders.ts";
import { storeSession } from "../../support/databases/stored-sessions.ts";
import { deadline, signal } from "../../support/deadline.ts";
import { storesOfNothing, testDependencies } from "../../support/dependencies.ts";
import { storesOfFile } from "../../support/of-file.ts";

const dayMs = 24 * 60 * 60 * 1000;

const database = await storesOfFile();
await database.assessments.insertAssessment(someAssessment({ product: "values-bridge" }), signal);
// Expiry of all others goes by the database's own clock.
const start = (await database.now()).getTime();

/** A process of its own, at a time of everybody. */
const processAt = (now: number) => testDependencies(database, { clock: () => now });
const newTwin = () => toTwinId(someId()) ?? "";

/** Moves a twin's clock to so many days after the beginning. */
const callOf = (partnerId: string) => ({ partnerId, ...deadline });
const sessionCallOf = async (deps: ReturnType<typeof processAt>, twin: string) => ({
  ...callOf(twin),
  ...(await findSessionTime(deps, twin, signal)),
});
const moveTo = (twin: string, days: number) =>
  setTestClock(processAt(start), { now: timestampFromDate(new Date(start + days * dayMs)) }, callOf(twin));

/** A session of a partner that expires so many days after the beginning. */
function store(partnerId: string, days: number): Promise<SessionKey> {
  const expiresAt = new Date(start + days * dayMs);
  return storeSession(database, { partnerId, expiresAt, createdAt: new Date(start), mode: "hosted" });
}

/** Which of the sessions are noted as expired. */
async function areExpired(sessions: readonly SessionKey[]): Promise<boolean[]> {
  const [rows] = await database.connection.query("SELECT id FROM sessions WHERE expirations > 0");
  const ids = (rows as { id: Buffer }[]).map(({ id }) => id.toString("hex"));
  return sessions.map(({ id }) => ids.includes(uuidToBytes(id).toString("hex")));
}

test("partners that are no test twin cause no queries, and go by real time", async () => {
  const dependencies = testDependencies(storesOfNothing(), { clock: () => start });
  expect((await findSessionTime(dependencies, someId(), signal)).now()).toBe(start);
});

test("a twin's clock is the same in all processes as soon as it is moved, and runs on", async () => {
  const [one, another] = [processAt(start), processAt(start + 5_000)];
  const twin = newTwin();
  expect(getTestClock(one, await sessionCallOf(one, twin)).clock).toMatchObject({ aheadSeconds: 0 });
  const target = new Date(start + 100 * dayMs);
  const now = timestampFromDate(target);
  const { clock } = await setTestClock(one, { now }, callOf(twin));
  expect(clock).toMatchObject({ now: target, aheadSeconds: (100 * dayMs) / 1000 });
  expect((await sessionCallOf(another, twin)).now()).toBe(target.getTime() + 5_000);
  expect((await sessionCallOf(another, newTwin())).now()).toBe(start + 5_000);
  await setTestClock(another, {}, callOf(twin));
  expect((await sessionCallOf(one, twin)).now()).toBe(start);
});

test("after a move backwards sessions may expire at a time that the clock had passed", async () => {
  const twin = newTwin();
  await moveTo(twin, 100);
  await moveTo(twin, 5);
  const ids = [await store(twin, 10)];
  await moveTo(twin, 20);
  expect(await areExpired(ids)).toEqual([true]);
});

test("a move records all sessions that expire by it, however many", async () => {
  const twin = newTwin();
  const ids: SessionKey[] = [];
  for (let count = 0; count < 503; count += 1) ids.push(await store(twin, 1));
  await moveTo(twin, 2);
  expect((await areExpired(ids)).every(Boolean)).toBe(true);
});

test("hosted pages of a twin go by its clock", async () => {
  const twin = newTwin();
  const { id: sessionId } = await store(twin, 10);
  const address = { partnerId: twin, sessionId };
  const readStatus = async () => {
    const deps = processAt(start);
    return (await getHostedSession(deps, address, { languages: [] }, await sessionCallOf(deps, twin))).status;
  };
  expect(await readStatus()).toBe("in_progress");
  await moveTo(twin, 20);
  expect(await readStatus()).toBe("expired");
});

test("a session is created at the time of its twin's clock, and its link expires by real time", async () => {
  const twin = newTwin();
  await moveTo(twin, 200);
  const deps = processAt(start);
  const call = await sessionCallOf(deps, twin);
  const request = create(CreateSessionRequestSchema, {
    product: "values-bridge",
    subject: { externalId: "person" },
    mode: SessionMode.HOSTED,
    redirectUrl: "https://partner.example/done",
  });
  const { sessionId, variant } = await createSession(deps, request, call);
  const session = await database.sessions.findSession({ partnerId: twin, id: sessionId }, signal);
  expect(session?.createdAt).toEqual(new Date(start + 200 * dayMs));
  expect(Number.parseInt(sessionId.slice(0, 13).replace("-", ""), 16)).toBe(start + 200 * dayMs);
  const end = new Date(start + 207 * dayMs);
  expect(variant).toMatchObject({ case: "hosted", value: { expiresAt: end } });
  const [rows] = await database.connection.query(
    "SELECT created_at, expires_at FROM hosted_links WHERE session_id = ?",
    [uuidToBytes(sessionId)],
  );
  expect(rows).toEqual([{ created_at: new Date(start), expires_at: new Date(start + 7 * dayMs) }]);
  // A time that is asked for is of the twin's clock, as every time of its sessions.
  const until = new Date(start + 203 * dayMs);
  const address = { product: "values-bridge", partnerId: twin, sessionId };
  const replaced = await replaceSessionLinks(deps, address, until, call);
  expect(replaced.expiresAt).toEqual(until);
  const [others] = await database.connection.query("SELECT expires_at FROM hosted_links WHERE session_id = ?", [
    uuidToBytes(sessionId),
  ]);
  expect(others).toEqual([{ expires_at: new Date(start + 3 * dayMs) }]);
});

test("a twin's sessions are deleted by its clock, and its partner's by real time", async () => {
  const partner = someId();
  const twin = toTwinId(partner) ?? "";
  for (const partnerId of [partner, twin]) {
    const policy = somePolicy(partnerId, { mode: "hosted", deleteOpenAfterDays: 30 });
    await database.sessionPolicies.savePolicy(policy, signal);
  }
  const ids = [await store(partner, 1), await store(twin, 1)];
  await moveTo(twin, 31);
  await applyRetention(processAt(start), signal);
  const remaining = await Promise.all(ids.map((session) => database.sessions.findSession(session, signal)));
  expect(remaining.map((session) => session !== undefined)).toEqual([true, false]);
});
