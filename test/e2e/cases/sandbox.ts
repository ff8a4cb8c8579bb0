// Cases of test twins: test data and real data never meet.
import { expect } from "vitest";
import { addCaller, addTwinCaller } from "../../support/app.ts";
import type { EventBody } from "../../support/transports/transports.ts";
import { startReceiver } from "../../support/webhooks/receiver.ts";
import { callOn, nowhere, onTarget, ownTarget } from "./access.ts";
import {
  answer,
  bodyOf,
  type Cases,
  completedSession,
  dayMs,
  expectRefused,
  fromNow,
  hostedMode,
  newSession,
  readEvents,
  uniqueId,
  type World,
} from "./case.ts";

/** A partner of its own and its test twin, each as the caller of its world. */
async function newPair(world: World) {
  const real = await addCaller(world.app);
  const twin = await addTwinCaller(world.app, real.partnerId);
  return {
    transport: world.transport,
    real: { ...world, alice: { token: real.token } },
    twin: { ...world, alice: { token: twin.token } },
    ids: { real: real.partnerId, twin: twin.partnerId },
  };
}

export const sandboxCases: Cases = {
  "a new link of a test twin's session ends by the twin's clock, and works": async (world) => {
    const { transport, twin } = await newPair(world);
    const { sessionId } = bodyOf(await transport.createSession(twin.alice, hostedMode));
    bodyOf(await transport.setTestClock(twin.alice, { now: fromNow(400 * dayMs) }));
    const linkExpiresAt = fromNow(401 * dayMs);
    const link = bodyOf(await transport.createSessionLink(twin.alice, sessionId, { linkExpiresAt }));
    expect(link.expiresAt).toBe(linkExpiresAt);
    expect((await fetch(link.hostedUrl, { redirect: "manual" })).status).toBe(303);
    const soon = { linkExpiresAt: fromNow(dayMs) };
    expectRefused(await transport.createSessionLink(twin.alice, sessionId, soon), "invalid_request", [
      { pointer: "#/linkExpiresAt", code: "out_of_range" },
    ]);
  },
  "answers of a persona are recorded again without effect, before and after the session is completed": async (
    world,
  ) => {
    const { transport, twin } = await newPair(world);
    const { sessionId, assessment } = await newSession(twin);
    const fill = async () => bodyOf(await transport.autofillSession(twin.alice, sessionId, { persona: "archetype-7" }));
    const recorded = { sessionId, recorded: assessment.questions.length };
    expect([await fill(), await fill()]).toEqual([recorded, recorded]);
    const { results } = bodyOf(await transport.completeSession(twin.alice, sessionId));
    expect(await fill()).toEqual(recorded);
    expect(bodyOf(await transport.getSessionResults(twin.alice, sessionId)).results).toEqual(results);
  },
  "a persona answers only for test credentials, whatever session is named": async (world) => {
    const { transport, real, twin } = await newPair(world);
    const { sessionId } = await newSession(real);
    for (const id of [sessionId, (await newSession(twin)).sessionId, nowhere.sessionId]) {
      expectRefused(await transport.autofillSession(real.alice, id, { persona: "archetype-7" }), "permission_denied");
    }
    expect(bodyOf(await transport.getSession(real.alice, sessionId)).status).toBe("in_progress");
    expectRefused(await transport.completeSession(real.alice, sessionId), "invalid_request", [
      { pointer: "#/answers", code: "too_few_items" },
    ]);
  },
  "a persona answers only if the version knows it, for the own twin, while the session is open": async (world) => {
    const { transport, twin } = await newPair(world);
    const { twin: other } = await newPair(world);
    const { sessionId } = await newSession(twin);
    for (const persona of ["", "archetype-9", "archetype-07", "Archetype-7", "toString"]) {
      expectRefused(await transport.autofillSession(twin.alice, sessionId, { persona }), "invalid_request", [
        { pointer: "#/persona", code: "unknown_value" },
      ]);
    }
    expectRefused(await transport.autofillSession(other.alice, sessionId, { persona: "archetype-7" }), "not_found");
    expectRefused(
      await transport.autofillSession(twin.alice, nowhere.sessionId, { persona: "archetype-7" }),
      "not_found",
    );
    bodyOf(await transport.autofillSession(twin.alice, sessionId, { persona: "archetype-7" }));
    bodyOf(await transport.completeSession(twin.alice, sessionId));
    expectRefused(
      await transport.autofillSession(twin.alice, sessionId, { persona: "archetype-8" }),
      "session_completed",
    );
    const cancelledSession = await newSession(twin);
    bodyOf(await transport.cancelSession(twin.alice, cancelledSession.sessionId));
    expectRefused(
      await transport.autofillSession(twin.alice, cancelledSession.sessionId, { persona: "archetype-8" }),
      "session_cancelled",
    );
  },
  "a test twin does not find data of its partner, nor the other way round, as if it did not exist": async (world) => {
    const { transport, real, twin } = await newPair(world);
    for (const [owner, other] of [
      [real, twin],
      [twin, real],
    ] as const) {
      const { target, results } = await ownTarget(owner);
      for (const operation of onTarget) {
        const foreign = await callOn(transport, other.alice, operation, target);
        expect([operation.id, foreign]).toMatchObject([operation.id, { ok: false, code: "not_found" }]);
        expect(await callOn(transport, other.alice, operation, nowhere)).toEqual(foreign);
      }
      expect(bodyOf(await transport.getLatestResults(owner.alice, target.externalId)).results).toEqual(results);
    }
  },
  "a person with the same external id at partner and test twin counts as two in lists, exports and erasure": async (
    world,
  ) => {
    const { transport, real, twin } = await newPair(world);
    const subject = { externalId: uniqueId("person") };
    const ofReal = await completedSession(real, { subject });
    const ofTwin = await completedSession(twin, { subject });
    expect(ofTwin.subject.id).not.toBe(ofReal.subject.id);
    expect(ofTwin.completed.results).toEqual(ofReal.completed.results);
    const held = async ({ alice }: World) => ({
      list: bodyOf(await transport.listSessions(alice)).sessions.map(({ sessionId }) => sessionId),
      export: bodyOf(await transport.exportSessions(alice, {})).sessions.map(({ sessionId }) => sessionId),
    });
    expect(await held(real)).toEqual({ list: [ofReal.sessionId], export: [ofReal.sessionId] });
    expect(await held(twin)).toEqual({ list: [ofTwin.sessionId], export: [ofTwin.sessionId] });
    bodyOf(await transport.eraseSubject(twin.alice, subject.externalId));
    expect(await held(twin)).toEqual({ list: [], export: [] });
    expect(await held(real)).toEqual({ list: [ofReal.sessionId], export: [ofReal.sessionId] });
  },
  "a test twin has events, webhook endpoints and an audit log of its own, and its events say that they are test data":
    async (world) => {
      const { transport, real, twin } = await newPair(world);
      const [ofReal, ofTwin] = [await newSession(real), await newSession(twin)];
      const briefly = ({ data }: EventBody) => [data.sessionId, data.test ?? false];
      expect((await readEvents(real, 1)).map(briefly)).toEqual([[ofReal.sessionId, false]]);
      expect((await readEvents(twin, 1)).map(briefly)).toEqual([[ofTwin.sessionId, true]]);
      const input = { url: "http://127.0.0.1:9/hook", types: ["session.completed"] };
      const { endpoint } = bodyOf(await transport.createWebhookEndpoint(twin.alice, input));
      expect(await transport.getWebhookEndpoint(real.alice, endpoint.endpointId)).toMatchObject({
        ok: false,
        code: "not_found",
      });
      const acts = async ({ alice }: World) =>
        bodyOf(await transport.listAuditRecords(alice, {})).records.map(({ action }) => action);
      expect(await acts(twin)).toContain("webhook.create");
      expect(await acts(real)).not.toContain("webhook.create");
    },
  "an internal client may act for a test twin, and reaches nothing of the partner then": async (world) => {
    const { transport, real, twin, ids } = await newPair(world);
    const { app } = world;
    const internal = await app.addPartner({ internal: true });
    const token = await app.tokenOf(await app.addClient(internal, ["sessions:read", "partners:act-as"]));
    const [ofReal, ofTwin] = [await newSession(real), await newSession(twin)];
    const forTwin = { token, partnerId: ids.twin };
    expect(bodyOf(await transport.getSession(forTwin, ofTwin.sessionId)).status).toBe("in_progress");
    expect(await transport.getSession(forTwin, ofReal.sessionId)).toMatchObject({ ok: false, code: "not_found" });
  },
  "a test twin's clock is moved and runs on, for its sessions and not for its credentials": async (world) => {
    const { transport, real, twin } = await newPair(world);
    const as = twin.alice;
    expect(bodyOf(await transport.getTestClock(as)).aheadSeconds).toBe(0);
    const { sessionId } = await newSession(twin, { expiresAt: fromNow(3 * dayMs) });
    const ofReal = await newSession(real, { expiresAt: fromNow(3 * dayMs) });
    const now = fromNow(400 * dayMs);
    expect(bodyOf(await transport.setTestClock(as, { now })).now).toBe(now);
    const clock = bodyOf(await transport.getTestClock(as));
    expect(clock.now >= now).toBe(true);
    expect(Math.abs(clock.aheadSeconds * 1000 - 400 * dayMs)).toBeLessThan(dayMs);
    // The token is an hour old at most, and the session is over.
    expect(bodyOf(await transport.getSession(as, sessionId)).status).toBe("expired");
    expectRefused(await transport.recordAnswers(as, sessionId, { answers: [answer(1001, 4)] }), "session_expired");
    const later = await completedSession(twin);
    const { createdAt, completedAt } = bodyOf(await transport.getSession(as, later.sessionId));
    expect([createdAt >= now, (completedAt ?? "") >= createdAt]).toEqual([true, true]);
    const listed = bodyOf(await transport.listSessions(as, { createdAfter: now })).sessions;
    expect(listed.map((each) => each.sessionId)).toEqual([later.sessionId]);
    const [expired] = bodyOf(await transport.exportSessions(as, {})).sessions;
    expect([expired?.sessionId, expired?.status]).toEqual([sessionId, "expired"]);
    expect(bodyOf(await transport.getSession(real.alice, ofReal.sessionId)).status).toBe("in_progress");
    expect(bodyOf(await transport.setTestClock(as)).aheadSeconds).toBe(0);
    expect(bodyOf(await transport.getSession(as, sessionId)).status).toBe("in_progress");
  },
  "an expiry by a test twin's clock is announced to the twin, and to nobody else": async (world) => {
    const { transport, real, twin } = await newPair(world);
    const input = { expiresAt: fromNow(dayMs) };
    const [ofReal, ofTwin] = [await newSession(real, input), await newSession(twin, input)];
    bodyOf(await transport.setTestClock(twin.alice, { now: fromNow(2 * dayMs) }));
    const events = await readEvents(twin, 2);
    expect(events.map(({ type, data, timestamp }) => [type, data.sessionId, timestamp])).toEqual([
      ["session.created", ofTwin.sessionId, expect.any(String)],
      ["session.expired", ofTwin.sessionId, input.expiresAt],
    ]);
    const [only, ...others] = await readEvents(real, 1);
    expect([only?.data.sessionId, others]).toEqual([ofReal.sessionId, []]);
  },
  "the day of a step by a test twin's clock is announced once, without the step; a new day counts, and none if it is taken back":
    async (world) => {
      const { twin } = await newPair(world);
      const { transport, alice } = twin;
      const { sessionId } = await completedSession(twin);
      const { url, received } = await startReceiver();
      bodyOf(await transport.createWebhookEndpoint(alice, { url, types: ["intention.due"] }));
      const dayAfter = (days: number) => fromNow(days * dayMs).slice(0, 10);
      const choose = async (step: string, days: number) =>
        bodyOf(await transport.setIntention(alice, sessionId, { step, lookAgainOn: dayAfter(days) }));
      const moveTo = async (days: number) =>
        bodyOf(await transport.setTestClock(alice, { now: `${dayAfter(days)}T00:00:00Z` }));
      await choose("Sow one plant", 40);
      await choose("Sow one plant", 50);
      await moveTo(45);
      await choose("Walk home", 50);
      await moveTo(50);
      await moveTo(51);
      await choose("Walk home slowly", 50);
      await choose("", 60);
      await moveTo(60);
      await choose("Walk home", 70);
      await choose("", 0);
      await moveTo(70);
      await choose("Sow one plant", 80);
      await moveTo(80);
      await expect.poll(() => received.length).toBe(2);
      const { events } = bodyOf(await transport.listEvents(alice, { types: ["intention.due"] }));
      const id = `evt_${sessionId.replaceAll("-", "")}_intention_due`;
      const base = { type: "intention.due", data: expect.objectContaining({ sessionId, test: true }) };
      expect(events).toMatchObject([
        { ...base, id, timestamp: `${dayAfter(50)}T00:00:00.000Z` },
        { ...base, id: `${id}_2`, timestamp: `${dayAfter(80)}T00:00:00.000Z` },
      ]);
      expect(received.map(({ event }) => event)).toEqual(events);
      expect(JSON.stringify(events)).not.toMatch(/plant|Walk/);
    },
  "a test clock is not set to the past, nor too far ahead": async (world) => {
    const { transport, twin } = await newPair(world);
    for (const now of [fromNow(-dayMs), "1969-01-01T00:00:00Z", fromNow(3_700 * dayMs)]) {
      expectRefused(await transport.setTestClock(twin.alice, { now }), "invalid_request", [
        { pointer: "#/now", code: "out_of_range" },
      ]);
    }
    expect(bodyOf(await transport.getTestClock(twin.alice)).aheadSeconds).toBe(0);
  },
  "only test credentials have a test clock, and each twin has its own": async (world) => {
    const { transport, real, twin, ids } = await newPair(world);
    const { twin: other } = await newPair(world);
    const { app } = world;
    const now = fromNow(dayMs);
    for (const alice of [real.alice, world.bob]) {
      expectRefused(await transport.getTestClock(alice), "permission_denied");
      expectRefused(await transport.setTestClock(alice, { now }), "permission_denied");
    }
    const nobody = { token: undefined };
    for (const outcome of [await transport.getTestClock(nobody), await transport.setTestClock(nobody, { now })]) {
      expectRefused(outcome, "unauthenticated");
    }
    const token = await app.tokenOf(await app.addClient(ids.twin, ["sessions:read"]));
    expectRefused(await transport.setTestClock({ token }, { now }), "permission_denied");
    bodyOf(await transport.setTestClock(twin.alice, { now }));
    expect(bodyOf(await transport.getTestClock({ token })).aheadSeconds).toBeGreaterThan(0);
    expect(bodyOf(await transport.getTestClock(other.alice)).aheadSeconds).toBe(0);
  },
  "a person of a test twin has no results, though one of that name at the partner has": async (world) => {
    const { transport, real, twin } = await newPair(world);
    const subject = { externalId: "test-unscored" };
    const { sessionId, completed, answers } = await completedSession(twin, { subject });
    expect(completed).toEqual({ sessionId, status: "completed", results: null });
    expect(bodyOf(await transport.completeSession(twin.alice, sessionId, { answers })).results).toBeNull();
    expectRefused(await transport.getSessionResults(twin.alice, sessionId), "not_found");
    expect(bodyOf(await transport.getLatestResults(twin.alice, subject.externalId)).results).toBeNull();
    expect((await completedSession(real, { subject })).completed.results).not.toBeNull();
  },
};
