// A year of a partner's life, in the sandbox: what people do and leave undone, and what the partner does about it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../../src/database/database.ts";
import { verifyAudit } from "../../../src/services/audit/verify.ts";
import { applyRetention } from "../../../src/services/retention/retention.ts";
import { getSessionPolicies, updateSessionPolicy } from "../../../src/services/retention/session-policies.ts";
import { createStores } from "../../../src/store/stores.ts";
import { addCaller, addTwinCaller, startTestApp, type TestApp } from "../../support/app.ts";
import { testDomain } from "../../support/domain.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import type { EventBody } from "../../support/transports/transports.ts";
import { bodyOf, expectRefused } from "../cases/case.ts";

const dayMs = 24 * 60 * 60 * 1000;

let app: TestApp;
let db: ReturnType<typeof openDatabase>;
beforeAll(async () => {
  app = await startTestApp({ EVENT_INTERVAL_MS: "20" });
  db = openDatabase({ address: app.database.address, poolSize: 2, warn: () => undefined });
});
afterAll(async () => {
  await db.destroy();
  await app.stop();
});

test("create, remind, expire, cancel, complete again, compare, export, delete, erase, and look who did it", async () => {
  const domain = testDomain(createStores(db));
  const deadline = { signal: AbortSignal.timeout(100_000), at: performance.now() + 100_000 };
  const transport = restTransport(app.httpUrl);
  const real = await addCaller(app);
  const { token, partnerId } = await addTwinCaller(app, real.partnerId);
  const as = { token };
  const start = Date.now();
  const day = (days: number) => new Date(start + days * dayMs).toISOString();
  const goTo = async (days: number) => bodyOf(await transport.setTestClock(as, day(days)));
  const complete = async (externalId: string, persona: string) => {
    const { sessionId } = bodyOf(await transport.createSession(as, { subject: { externalId } }));
    bodyOf(await transport.autofillSession(as, sessionId, persona));
    bodyOf(await transport.completeSession(as, sessionId));
    return sessionId;
  };
  const statusOf = async (sessionId: string) => bodyOf(await transport.getSession(as, sessionId)).status;

  // The partner decides: hosted sessions expire after a month, and what is completed is kept for 300 days.
  for (const policy of await getSessionPolicies(domain, partnerId, deadline)) {
    const change = policy.mode === "hosted" ? { expiresAfterDays: 30 } : { deleteCompletedAfterDays: 300 };
    await updateSessionPolicy(domain, { ...policy, ...change }, deadline);
  }

  // Day 0: Ann answers at once, Ben is sent a link, Cem never begins.
  const ann = await complete("ann", "archetype-8");
  const invitation = {
    mode: "hosted",
    redirectUrl: "https://partner.example/done",
    subject: { externalId: "ben" },
  } as const;
  const key = { ...as, idempotencyKey: "invitation-of-ben" };
  const first = bodyOf(await transport.createSession(key, invitation));
  const ben = first.sessionId;
  const cem = bodyOf(await transport.createSession(as, { subject: { externalId: "cem" } })).sessionId;

  // Day 20: who has been silent for two weeks is reminded, with a further link to the same session.
  await goTo(20);
  const silent = bodyOf(await transport.listSessions(as, { status: "in_progress", createdBefore: day(6) })).sessions;
  expect(silent.map(({ sessionId }) => sessionId)).toEqual([cem, ben]);
  const again = bodyOf(await transport.createSession(key, invitation));
  expect([again.sessionId, again.hostedUrl === first.hostedUrl]).toEqual([ben, false]);
  expect((await fetch(again.hostedUrl ?? "", { redirect: "manual" })).status).toBe(303);

  // Day 40: Ben's month is over, and the partner gives Cem up.
  await goTo(40);
  expect([await statusOf(ben), await statusOf(cem)]).toEqual(["expired", "in_progress"]);
  expectRefused(await transport.autofillSession(as, ben, "archetype-1"), "session_expired");
  bodyOf(await transport.cancelSession(as, cem));

  // Day 180: Ann answers once more, and it can be seen what has changed.
  await goTo(180);
  const annAgain = await complete("ann", "archetype-1");
  const { from, to } = bodyOf(await transport.getChange(as, "ann"));
  expect([from.sessionId, to.sessionId]).toEqual([ann, annAgain]);
  const history = bodyOf(await transport.listSubjectSessions(as, "ann")).sessions;
  expect(history.map(({ sessionId, totals }) => [sessionId, totals?.archetypeId])).toEqual([
    [annAgain, 1],
    [ann, 8],
  ]);

  // Everything is taken out for the yearly analysis.
  const { sessions: exported } = bodyOf(await transport.exportSessions(as, {}));
  expect(exported.map(({ externalId, status, results }) => [externalId, status, results?.overall.archetypeId])).toEqual(
    [
      ["ann", "completed", 8],
      ["ben", "expired", undefined],
      ["cem", "cancelled", undefined],
      ["ann", "completed", 1],
    ],
  );

  // Day 310: Ann's first session is 300 days old and goes, in the way of an erasure.
  await goTo(310);
  await applyRetention(domain, () => undefined, deadline.signal);
  expectRefused(await transport.getSession(as, ann), "not_found");
  expect(bodyOf(await transport.getLatestResults(as, "ann")).sessionId).toBe(annAgain);

  // Day 360: Ann leaves, and nothing is left of her.
  await goTo(360);
  bodyOf(await transport.eraseSubject(as, "ann"));
  expectRefused(await transport.getLatestResults(as, "ann"), "not_found");
  expect(bodyOf(await transport.listSessions(as)).sessions.map(({ sessionId }) => sessionId)).toEqual([cem, ben]);

  // The year as its events tell it; of erased sessions no more than that.
  const events: EventBody[] = [];
  for (let after = ""; events.filter(({ type }) => type === "session.erased").length < 2; ) {
    const page = bodyOf(await transport.listEvents(as, { after, wait: 5 }));
    events.push(...page.events);
    after = page.next;
  }
  const names = new Map([
    [ann, "ann"],
    [annAgain, "ann again"],
    [ben, "ben"],
    [cem, "cem"],
  ]);
  const told = events.map(({ type, data }) => `${names.get(data.sessionId)}: ${type.replace("session.", "")}`);
  expect(new Set(told.filter((line) => !line.startsWith("ann") || line.endsWith("erased")))).toEqual(
    new Set(["ben: created", "ben: expired", "cem: created", "cem: cancelled", "ann: erased", "ann again: erased"]),
  );
  expect(events.every(({ data }) => data.test)).toBe(true);

  // Who did it, by the time of everybody; and nothing of it at the partner itself.
  const { records } = bodyOf(await transport.listAuditRecords(as, { limit: 500 }));
  const actions = records.filter(({ outcome }) => outcome === "ok").map(({ action }) => action);
  expect(new Set(actions)).toEqual(
    new Set([
      ...["session.complete", "session.cancel", "change.read", "history.read", "sessions.export", "results.read"],
      ...["subject.erase", "test_clock.set"],
    ]),
  );
  expect(records.every(({ at }) => Date.parse(at) < start + dayMs)).toBe(true);
  const faults: unknown[] = [];
  await verifyAudit({ ...domain, auditKeys: [] }, [], (fault) => faults.push(fault), deadline.signal);
  expect(faults).toEqual([]);
  expect(bodyOf(await transport.listSessions({ token: real.token })).sessions).toEqual([]);
  expect(bodyOf(await transport.listEvents({ token: real.token }, {})).events).toEqual([]);
});
