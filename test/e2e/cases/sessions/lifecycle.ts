// Cases of sessions that end before their completion: cancelled by the partner, or because their time is over.
import { expect } from "vitest";
import { uuidToBytes } from "../../../../src/kernel/ids.ts";
import { toldSpeed } from "../../../values-bridge/quality/worked-sessions.ts";
import {
  answer,
  anyTime,
  bodyOf,
  type Cases,
  completedSession,
  dayMs,
  expectRefused,
  fromNow,
  fullAnswers,
  hostedMode,
  hourMs,
  letExpire,
  newSession,
  uniqueId,
  type World,
} from "../case.ts";

/** A session with an answer whose time is over. */
async function expiredSession(world: World): Promise<string> {
  const { transport, alice } = world;
  const { sessionId } = await newSession(world, { expiresAt: fromNow(hourMs) });
  bodyOf(await transport.recordAnswers(alice, sessionId, { answers: [answer(1001, 4)] }));
  await letExpire(world, sessionId);
  return sessionId;
}

export const lifecycleCases: Cases = {
  "the link of a hosted session works for the time asked for": async ({ transport, alice }) => {
    for (const days of [1, 89]) {
      const linkExpiresAt = fromNow(dayMs * days);
      const [created, sooner] = [
        bodyOf(await transport.createSession(alice, { ...hostedMode, linkExpiresAt })),
        bodyOf(await transport.createSession(alice, { ...hostedMode, linkExpiresAt, expiresAt: linkExpiresAt })),
      ];
      expect([created.expiresAt, sooner.expiresAt]).toEqual([linkExpiresAt, linkExpiresAt]);
      expect((await fetch(String(created.hostedUrl), { redirect: "manual" })).status).toBeLessThan(400);
    }
    // The same key with another time is another request.
    const as = { ...alice, idempotencyKey: uniqueId("link") };
    const first = bodyOf(await transport.createSession(as, { ...hostedMode, linkExpiresAt: fromNow(dayMs * 2) }));
    expect(first.sessionId).toHaveLength(36);
    expectRefused(
      await transport.createSession(as, { ...hostedMode, linkExpiresAt: fromNow(dayMs * 3) }),
      "idempotency_key_reused",
    );
  },
  "an end of the link in the past, after 90 days, after its session, or without a link is refused": async ({
    transport,
    alice,
  }) => {
    const fault = { pointer: "#/linkExpiresAt", code: "out_of_range" };
    for (const wrong of [
      { linkExpiresAt: fromNow(-dayMs) },
      { linkExpiresAt: fromNow(dayMs * 91) },
      { linkExpiresAt: fromNow(dayMs * 3), expiresAt: fromNow(dayMs * 2) },
    ]) {
      expectRefused(await transport.createSession(alice, { ...hostedMode, ...wrong }), "invalid_request", [fault]);
    }
    const headless = await transport.createSession(alice, { linkExpiresAt: fromNow(dayMs) });
    expectRefused(headless, "invalid_request", [{ pointer: "#/linkExpiresAt", code: "not_applicable" }]);
  },
  "a session that is never cancelled and never expires has no time of either": async (world) => {
    const { transport, alice } = world;
    const { sessionId } = await newSession(world);
    const status = bodyOf(await transport.getSession(alice, sessionId));
    expect(Object.keys(status).toSorted()).toEqual(["completedAt", "createdAt", "product", "sessionId", "status"]);
    const scoredSession = await completedSession(world);
    expect(Object.keys(bodyOf(await transport.getSession(alice, scoredSession.sessionId)))).toHaveLength(5);
  },
  "a cancelled session has the time of its first cancellation, however often it is cancelled": async (world) => {
    const { transport, alice } = world;
    const { sessionId } = await newSession(world);
    const status = bodyOf(await transport.getSession(alice, sessionId));
    const cancelledSession = bodyOf(await transport.cancelSession(alice, sessionId));
    expect(cancelledSession).toEqual({ ...status, status: "cancelled", cancelledAt: anyTime });
    expect(bodyOf(await transport.cancelSession(alice, sessionId, {}))).toEqual(cancelledSession);
    expect(bodyOf(await transport.cancelSession(alice, sessionId, { eraseAnswers: true }))).toEqual(cancelledSession);
    expect(bodyOf(await transport.getSession(alice, sessionId))).toEqual(cancelledSession);
  },
  "a cancelled session accepts no new answers, and is neither completed nor reopened": async (world) => {
    const { transport, alice } = world;
    const { sessionId } = await newSession(world);
    bodyOf(await transport.recordAnswers(alice, sessionId, { answers: [answer(1001, 4)] }));
    bodyOf(await transport.cancelSession(alice, sessionId));
    expectRefused(await transport.recordAnswers(alice, sessionId, { answers: [answer(1001, 5)] }), "session_cancelled");
    expectRefused(await transport.recordAnswers(alice, sessionId, { answers: [answer(1002, 4)] }), "session_cancelled");
    bodyOf(await transport.recordAnswers(alice, sessionId, { answers: [answer(1001, 4)] }));
    expectRefused(await transport.completeSession(alice, sessionId), "session_cancelled");
    expectRefused(
      await transport.completeSession(alice, sessionId, { answers: [answer(1001, 4)] }),
      "session_cancelled",
    );
    expectRefused(await transport.reopenSession(alice, sessionId), "session_cancelled");
    expectRefused(await transport.getSessionResults(alice, sessionId), "not_found");
  },
  "answers of a cancelled session are kept, and erased if that is asked for, then or later": async (world) => {
    const { transport, alice, app } = world;
    const stored = async (sessionId: string) => {
      const [rows] = await app.database.connection.query("SELECT LENGTH(answers) AS bytes FROM sessions WHERE id = ?", [
        uuidToBytes(sessionId),
      ]);
      return (rows as { bytes: number }[])[0]?.bytes;
    };
    const [atOnce, later] = [await newSession(world), await newSession(world)];
    for (const { sessionId } of [atOnce, later]) {
      bodyOf(await transport.recordAnswers(alice, sessionId, { answers: [answer(1001, 4)] }));
    }
    bodyOf(await transport.cancelSession(alice, atOnce.sessionId, { eraseAnswers: true }));
    bodyOf(await transport.cancelSession(alice, later.sessionId, { eraseAnswers: false }));
    expect([await stored(atOnce.sessionId), await stored(later.sessionId)]).toEqual([0, 152]);
    bodyOf(await transport.cancelSession(alice, later.sessionId, { eraseAnswers: true }));
    expect(await stored(later.sessionId)).toBe(0);
    expectRefused(
      await transport.recordAnswers(alice, later.sessionId, { answers: [answer(1001, 4)] }),
      "session_cancelled",
    );
  },
  "a completed session is not cancelled and not reopened, and keeps its results": async (world) => {
    const { transport, alice } = world;
    const { sessionId, completed } = await completedSession(world);
    expectRefused(await transport.cancelSession(alice, sessionId, { eraseAnswers: true }), "session_completed");
    expectRefused(await transport.reopenSession(alice, sessionId, { expiresAt: fromNow(hourMs) }), "session_completed");
    expect(bodyOf(await transport.getSessionResults(alice, sessionId)).results).toEqual(completed.results);
  },
  "a session expires at the time that its creation names": async (world) => {
    const { transport, alice } = world;
    const expiresAt = fromNow(hourMs);
    const { sessionId } = await newSession(world, { expiresAt });
    const status = bodyOf(await transport.getSession(alice, sessionId));
    expect(status).toMatchObject({ status: "in_progress", expiresAt });
    bodyOf(await transport.recordAnswers(alice, sessionId, { answers: [answer(1001, 4)] }));
    await letExpire(world, sessionId);
    expect(bodyOf(await transport.getSession(alice, sessionId))).toMatchObject({
      status: "expired",
      completedAt: null,
    });
  },
  "an expired session accepts no answers and is not completed, whether a job has recorded the expiry or not": async (
    world,
  ) => {
    const { transport, alice } = world;
    const sessionId = await expiredSession(world);
    expectRefused(await transport.recordAnswers(alice, sessionId, { answers: [answer(1001, 5)] }), "session_expired");
    bodyOf(await transport.recordAnswers(alice, sessionId, { answers: [answer(1001, 4)] }));
    expectRefused(await transport.completeSession(alice, sessionId), "session_expired");
    expectRefused(await transport.completeSession(alice, sessionId, { answers: [answer(1002, 4)] }), "session_expired");
  },
  "an expired session is reopened with another time or none, keeps its answers, and can be completed": async (
    world,
  ) => {
    const { transport, alice } = world;
    const sessionId = await expiredSession(world);
    const expiresAt = fromNow(2 * hourMs);
    const reopened = bodyOf(await transport.reopenSession(alice, sessionId, { expiresAt }));
    expect(reopened).toMatchObject({ status: "in_progress", expiresAt });
    expect(bodyOf(await transport.getSession(alice, sessionId))).toEqual(reopened);
    expect(bodyOf(await transport.reopenSession(alice, sessionId, { expiresAt }))).toEqual(reopened);
    await letExpire(world, sessionId);
    expect(bodyOf(await transport.reopenSession(alice, sessionId))).not.toHaveProperty("expiresAt");
    const { results } = bodyOf(await transport.completeSession(alice, sessionId));
    expect(results).not.toBeNull();
  },
  "a session that is reopened before its last call is still graded fail by the speed of its answers": async (world) => {
    const { transport, alice } = world;
    const session = await newSession(world, { expiresAt: fromNow(hourMs) });
    const { sessionId } = session;
    const answers = fullAnswers(session);
    for (const start of [0, 40, 80]) {
      bodyOf(await transport.recordAnswers(alice, sessionId, { answers: answers.slice(start, start + 40) }));
    }
    bodyOf(await transport.reopenSession(alice, sessionId, { expiresAt: fromNow(2 * hourMs) }));
    await letExpire(world, sessionId);
    bodyOf(await transport.reopenSession(alice, sessionId));
    bodyOf(await transport.completeSession(alice, sessionId, { answers: answers.slice(120) }));
    const { quality } = bodyOf(await transport.getSessionResults(alice, sessionId, { quality: true }));
    expect(toldSpeed(quality)).toMatchObject({ flags: expect.arrayContaining([["speed", "fail"]]) });
    expect(quality).toMatchObject({ response: { grade: "fail" }, error: null });
  },
  "an expired session can be cancelled, an open one be given more time, and a completed one never expires": async (
    world,
  ) => {
    const { transport, alice } = world;
    const expired = await expiredSession(world);
    expect(bodyOf(await transport.cancelSession(alice, expired))).toMatchObject({ status: "cancelled" });
    const open = await newSession(world, { expiresAt: fromNow(hourMs) });
    const expiresAt = fromNow(3 * hourMs);
    expect(bodyOf(await transport.reopenSession(alice, open.sessionId, { expiresAt }))).toMatchObject({ expiresAt });
    const { sessionId } = await completedSession(world, { expiresAt: fromNow(hourMs) });
    await letExpire(world, sessionId);
    expect(bodyOf(await transport.getSession(alice, sessionId))).toMatchObject({ status: "completed" });
  },
  "a session expires in the future, and within five years": async (world) => {
    const { transport, alice } = world;
    const fault = [{ pointer: "#/expiresAt", code: "out_of_range" }];
    const { sessionId } = await newSession(world);
    for (const expiresAt of [fromNow(-hourMs), "1969-01-01T00:00:00Z", "2099-01-01T00:00:00Z"]) {
      expectRefused(await transport.createSession(alice, { expiresAt }), "invalid_request", fault);
      expectRefused(await transport.reopenSession(alice, sessionId, { expiresAt }), "invalid_request", fault);
    }
    expect(bodyOf(await transport.getSession(alice, sessionId))).not.toHaveProperty("expiresAt");
  },
  "the link of a hosted session ends with the session": async ({ transport, alice }) => {
    const expiresAt = fromNow(hourMs);
    expect(bodyOf(await transport.createSession(alice, { ...hostedMode, expiresAt }))).toMatchObject({ expiresAt });
    const late = bodyOf(await transport.createSession(alice, { ...hostedMode, expiresAt: fromNow(300 * dayMs) }));
    expect(Date.parse(late.expiresAt ?? "")).toBeLessThan(Date.now() + 8 * dayMs);
  },
  "the time of expiry is part of an idempotent request, which is answered after that time too": async (world) => {
    const { transport, alice } = world;
    const as = { ...alice, idempotencyKey: uniqueId("key") };
    const input = { expiresAt: fromNow(hourMs) };
    const { sessionId } = bodyOf(await transport.createSession(as, input));
    expectRefused(await transport.createSession(as, {}), "idempotency_key_reused");
    await letExpire(world, sessionId);
    expect(bodyOf(await transport.getSession(alice, sessionId)).status).toBe("expired");
    expect(bodyOf(await transport.createSession(as, input)).sessionId).toBe(sessionId);
  },
  "lists distinguish cancelled, expired and open sessions": async (world) => {
    const { transport, alice } = world;
    const externalId = uniqueId("person");
    const ids: Record<string, string> = {};
    for (const status of ["in_progress", "cancelled", "expired", "completed"]) {
      const input = { subject: { externalId }, expiresAt: fromNow(hourMs) };
      const { sessionId } =
        status === "completed" ? await completedSession(world, input) : await newSession(world, input);
      ids[status] = sessionId;
    }
    bodyOf(await transport.cancelSession(alice, ids.cancelled ?? ""));
    await letExpire(world, ids.expired ?? "");
    for (const [status, sessionId] of Object.entries(ids)) {
      const { sessions } = bodyOf(await transport.listSessions(alice, { externalId, status }));
      expect(sessions).toMatchObject([{ sessionId, status }]);
    }
    const history = bodyOf(await transport.listSubjectSessions(alice, externalId)).sessions;
    expect(history.map(({ status }) => status)).toEqual(["completed", "expired", "cancelled", "in_progress"]);
    expect(history[2]).toMatchObject({ cancelledAt: anyTime, totals: null });
  },
};
