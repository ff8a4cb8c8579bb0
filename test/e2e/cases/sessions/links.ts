// Cases of new links for hosted sessions: one that has leaked ends, with all that it opened.
import { expect } from "vitest";
import { Visitor } from "../../../support/browser/visitor.ts";
import {
  answer,
  anyTime,
  bodyOf,
  type Cases,
  completedSession,
  dayMs,
  expectRefused,
  fromNow,
  hostedMode,
  letExpire,
  newSession,
  uniqueId,
  type World,
} from "../case.ts";

/** A hosted session with its first link. */
async function hostedSession({ transport, alice }: World, input: { readonly expiresAt?: string } = {}) {
  const { sessionId, hostedUrl = "" } = bodyOf(await transport.createSession(alice, { ...hostedMode, ...input }));
  return { sessionId, hostedUrl };
}

const statusOf = async (hostedUrl: string) => (await fetch(hostedUrl, { redirect: "manual" })).status;

export const sessionLinkCases: Cases = {
  "a new link ends the earlier ones and their browser sessions, and continues with the answers given": async (
    world,
  ) => {
    const { transport, alice } = world;
    const as = { ...alice, idempotencyKey: uniqueId("link") };
    const { sessionId, hostedUrl: first = "" } = bodyOf(await transport.createSession(as, hostedMode));
    const { hostedUrl: second = "" } = bodyOf(await transport.createSession(as, hostedMode));
    const other = await hostedSession(world);
    bodyOf(await transport.recordAnswers(alice, sessionId, { answers: [answer(1001, 4)] }));
    const visitor = new Visitor(new URL(first).origin);
    const start = await visitor.open(first);
    expect((await visitor.get(start)).status).toBe(200);

    const link = bodyOf(await transport.createSessionLink(alice, sessionId));
    expect(link).toEqual({ hostedUrl: expect.stringContaining("/hosted/pas_hl_"), expiresAt: anyTime });
    expect(Date.parse(link.expiresAt) - Date.now()).toBeGreaterThan(6.9 * dayMs);
    expect(Date.parse(link.expiresAt) - Date.now()).toBeLessThan(7.1 * dayMs);
    for (const ended of [first, second]) expect(await statusOf(ended)).toBe(410);
    // Its cookie opens nothing any more.
    expect((await visitor.get(start)).status).toBe(403);
    expect(await statusOf(other.hostedUrl)).toBe(303);
    const person = new Visitor(new URL(first).origin);
    const { text } = await person.get(await person.open(link.hostedUrl));
    expect(text).toContain("You have answered 1 of 152 statements.");

    // Of repeated calls, the link of the last one works; creating the session again adds one beside it.
    const again = bodyOf(await transport.createSessionLink(alice, sessionId, {}));
    expect([await statusOf(link.hostedUrl), await statusOf(again.hostedUrl)]).toEqual([410, 303]);
    const { hostedUrl: beside = "" } = bodyOf(await transport.createSession(as, hostedMode));
    expect([await statusOf(beside), await statusOf(again.hostedUrl)]).toEqual([303, 303]);
  },
  "a new link is valid for the time asked for: at most 90 days, and not after its session": async (world) => {
    const { transport, alice } = world;
    const { sessionId } = await hostedSession(world);
    for (const days of [1, 89]) {
      const linkExpiresAt = fromNow(dayMs * days);
      expect(bodyOf(await transport.createSessionLink(alice, sessionId, { linkExpiresAt })).expiresAt).toBe(
        linkExpiresAt,
      );
    }
    const expiresAt = fromNow(dayMs * 2);
    const ending = await hostedSession(world, { expiresAt });
    expect(bodyOf(await transport.createSessionLink(alice, ending.sessionId)).expiresAt).toBe(expiresAt);
    const fault = { pointer: "#/linkExpiresAt", code: "out_of_range" };
    for (const [id, days] of [
      [sessionId, -1],
      [sessionId, 91],
      [ending.sessionId, 3],
    ] as const) {
      const linkExpiresAt = fromNow(dayMs * days);
      const refusal = await transport.createSessionLink(alice, id, { linkExpiresAt });
      expectRefused(refusal, "invalid_request", [fault]);
    }
  },
  "a session that has no link, or accepts no answers, gets no new link": async (world) => {
    const { transport, alice } = world;
    const headless = await newSession(world);
    const refusal = await transport.createSessionLink(alice, headless.sessionId);
    expectRefused(refusal, "invalid_request", [{ pointer: "#", code: "not_applicable" }]);
    const scoredSession = await hostedSession(world);
    bodyOf(await transport.completeSession(alice, scoredSession.sessionId, { answers: [answer(1001, 4)] }));
    expectRefused(await transport.createSessionLink(alice, scoredSession.sessionId), "session_completed");
    const cancelledSession = await hostedSession(world);
    bodyOf(await transport.cancelSession(alice, cancelledSession.sessionId));
    expectRefused(await transport.createSessionLink(alice, cancelledSession.sessionId), "session_cancelled");
    const overdueSession = await hostedSession(world, { expiresAt: fromNow(dayMs) });
    await letExpire(world, overdueSession.sessionId);
    expectRefused(await transport.createSessionLink(alice, overdueSession.sessionId), "session_expired");
    // The links that they have lead to words for the person as before.
    expect(await statusOf(cancelledSession.hostedUrl)).toBe(303);
    bodyOf(await transport.reopenSession(alice, overdueSession.sessionId));
    expect(await statusOf(bodyOf(await transport.createSessionLink(alice, overdueSession.sessionId)).hostedUrl)).toBe(
      303,
    );
    const scored = await completedSession(world);
    expectRefused(await transport.createSessionLink(alice, scored.sessionId), "invalid_request", [
      { pointer: "#", code: "not_applicable" },
    ]);
  },
};
