// Cases of the feed: what a partner's reader can rely on.
import { expect } from "vitest";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import type { As, EventBody, Transport } from "../../support/transports/transports.ts";
import {
  answer,
  anyTime,
  bodyOf,
  type Cases,
  completedSession,
  expectRefused,
  letExpire,
  newPartner,
  newSession,
  readEvents,
  uniqueId,
} from "./case.ts";

/** The cursor of now. */
async function now(transport: Transport, as: As): Promise<string> {
  return bodyOf(await transport.listEvents(as, { after: "now" })).next;
}

const briefly = (events: readonly EventBody[]) => events.map(({ type, data }) => [type, data.sessionId]);

export const eventCases: Cases = {
  "the feed has a session's whole life in order, with ids that name the event and the session": async (given) => {
    const { world, transport, as } = await newPartner(given);
    const after = await now(transport, as);
    const { sessionId } = await newSession(world, { subject: { externalId: uniqueId("person") } });
    bodyOf(await transport.recordAnswers(as, sessionId, { answers: [answer(1001, 4)] }));
    bodyOf(await transport.recordAnswers(as, sessionId, { answers: [answer(1002, 4)] }));
    bodyOf(await transport.completeSession(as, sessionId));
    const events = await readEvents(world, 4, { after });
    const hex = sessionId.replaceAll("-", "");
    const names = ["created", "started", "completed", "scored"];
    expect(events.map(({ id, type }) => [id, type])).toEqual(
      names.map((name) => [`evt_${hex}_${name}`, `session.${name}`]),
    );
    const data = { sessionId, product: "values-bridge", assessmentVersion: 3, mode: "headless", form: "long" };
    for (const event of events) expect(event.data).toEqual({ ...data, assessmentVersion: expect.any(Number) });
    const numbers = events.map(({ sequence }) => Number(sequence));
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
    const status = bodyOf(await transport.getSession(as, sessionId));
    expect([events[0]?.timestamp, events[2]?.timestamp]).toEqual([status.createdAt, status.completedAt]);
  },
  "events of a session name its form": async (given) => {
    const { world, transport, as } = await newPartner(given);
    const after = await now(transport, as);
    for (const form of ["short", "long"] as const) await newSession(world, { form });
    const events = await readEvents(world, 2, { after });
    expect(events.map(({ data }) => data.form)).toEqual(["short", "long"]);
  },
  "an erased person's events are gone, and one for each session says that it was erased": async (given) => {
    const { world, transport, as } = await newPartner(given);
    const externalId = uniqueId("person");
    const { sessionId } = await completedSession(world, { subject: { externalId } });
    const other = await newSession(world);
    await readEvents(world, 5);
    bodyOf(await transport.eraseSubject(as, externalId));
    // At once, before the erasure itself is announced.
    const page = bodyOf(await transport.listEvents(as, {}));
    expect(briefly(page.events).filter(([type]) => type !== "session.erased")).toEqual([
      ["session.created", other.sessionId],
    ]);
    const [erased] = await readEvents(world, 1, { types: ["session.erased"] });
    expect(erased).toEqual({
      id: `evt_${sessionId.replaceAll("-", "")}_erased`,
      type: "session.erased",
      timestamp: anyTime,
      sequence: expect.stringMatching(/^\d+$/),
      data: { sessionId, product: "values-bridge" },
    });
  },
  "types select events, and the cursor passes over the others": async (given) => {
    const { world, transport, as } = await newPartner(given);
    const one = await completedSession(world);
    const two = await completedSession(world);
    await readEvents(world, 8);
    const types = ["session.completed", "session.created"];
    const page = bodyOf(await transport.listEvents(as, { types }));
    expect(briefly(page.events)).toEqual([
      ["session.created", one.sessionId],
      ["session.completed", one.sessionId],
      ["session.created", two.sessionId],
      ["session.completed", two.sessionId],
    ]);
    expect(page).toMatchObject({ next: "8", atEnd: true });
    const first = bodyOf(await transport.listEvents(as, { types, limit: 3 }));
    expect(first).toMatchObject({ next: first.events[2]?.sequence, atEnd: false });
    expect(bodyOf(await transport.listEvents(as, { types: ["session.erased"] }))).toMatchObject({
      events: [],
      next: "8",
    });
  },
  "a waiting call gets an event as soon as it comes, and nothing when its time is over": async (given) => {
    const { world, transport, as } = await newPartner(given);
    const empty = bodyOf(await transport.listEvents(as, { wait: 1 }));
    expect(empty).toEqual({ events: [], next: "0", atEnd: true });
    const waiting = transport.listEvents(as, { after: empty.next, wait: 20 });
    const { sessionId } = await newSession(world);
    expect(briefly(bodyOf(await waiting).events)).toEqual([["session.created", sessionId]]);
  },
  "a waiting call is not woken by other types of events, nor by events of other partners": async (given) => {
    const { world, transport, as } = await newPartner(given);
    const waiting = transport.listEvents(as, { wait: 2, types: ["session.completed"] });
    await newSession(given);
    await newSession(world);
    const page = bodyOf(await waiting);
    expect(page).toMatchObject({ events: [], next: "1", atEnd: true });
  },
  "external ids are in events that ask for them, as long as the session is there": async (given) => {
    const { world, transport, as } = await newPartner(given);
    const externalId = `${uniqueId("person")} é 😀`;
    await newSession(world, { subject: { externalId } });
    await newSession(world);
    const events = await readEvents(world, 2, { includeExternalId: true });
    expect(events[0]?.data.externalId).toBe(externalId);
    expect(events[1]?.data.externalId).toMatch(/^anon_/);
    for (const event of bodyOf(await transport.listEvents(as, {})).events)
      expect(event.data).not.toHaveProperty("externalId");
    bodyOf(await transport.eraseSubject(as, externalId));
    const [erased] = await readEvents(world, 1, { types: ["session.erased"], includeExternalId: true });
    expect(erased?.data).not.toHaveProperty("externalId");
  },
  "external ids need the scope to read sessions as well": async (given) => {
    const { transport, as } = await newPartner(given, "events:read");
    expectRefused(await transport.listEvents(as, { includeExternalId: true }), "permission_denied");
    bodyOf(await transport.listEvents(as, {}));
    const both = await newPartner(given, "events:read", "sessions:read");
    bodyOf(await transport.listEvents(both.as, { includeExternalId: true }));
  },
  "a cursor that no response has given is refused": async (given) => {
    const { transport, as } = await newPartner(given);
    expectRefused(await transport.listEvents(as, { after: "1" }), "invalid_request", [
      { pointer: "#", code: "cursor_ahead" },
    ]);
    for (const after of ["nonsense", "-1", "1.5", "0x10", "9".repeat(16), "1".repeat(17), " 1"]) {
      expectRefused(await transport.listEvents(as, { after }), "invalid_request", [
        { pointer: "#", code: "invalid_format" },
      ]);
    }
  },
  "a cursor from before the events kept is refused, with the one to continue from": async (given) => {
    const { world, app, transport, as, partnerId } = await newPartner(given);
    for (let count = 0; count < 3; count += 1) await newSession(world);
    await readEvents(world, 3);
    const { connection } = app.database;
    const partner = uuidToBytes(partnerId);
    await connection.query("DELETE FROM events WHERE partner_id = ? AND sequence <= 2", [partner]);
    await connection.query("UPDATE event_heads SET expired_sequence = 2 WHERE partner_id = ?", [partner]);
    const expired = await transport.listEvents(as, { after: "1" });
    expectRefused(expired, "events_expired");
    expect(expired).toMatchObject({ facts: { oldest: "2" } });
    for (const after of ["2", ""]) {
      expect(bodyOf(await transport.listEvents(as, { after }))).toMatchObject({
        events: [{ sequence: "3" }],
        next: "3",
      });
    }
  },
  "a session that expires, is reopened and expires again has two events with two ids, in their order": async (
    given,
  ) => {
    const { world, transport, as } = await newPartner(given);
    const after = await now(transport, as);
    const { sessionId } = await newSession(world);
    for (let times = 0; times < 2; times += 1) {
      await letExpire(world, sessionId);
      bodyOf(await transport.reopenSession(as, sessionId));
    }
    bodyOf(await transport.cancelSession(as, sessionId));
    const events = await readEvents(world, 4, { after });
    const ids = ["created", "expired", "expired_2", "cancelled"].map(
      (name) => `evt_${sessionId.replaceAll("-", "")}_${name}`,
    );
    expect(events.map(({ id }) => id)).toEqual(ids);
    const [, first, second] = events;
    expect(second).toMatchObject({ type: "session.expired", data: first?.data });
    expect(bodyOf(await transport.listEvents(as, { after, types: ["session.expired"] })).events).toEqual([
      first,
      second,
    ]);
  },
  "a client has at most eight calls that wait": async (given) => {
    const { world, transport, as } = await newPartner(given);
    const refusals: object[] = [];
    const waiting = Array.from({ length: 12 }, async () => {
      const outcome = await transport.listEvents(as, { wait: 20 });
      if (!outcome.ok) refusals.push(outcome);
    });
    await expect.poll(() => refusals.length).toBe(4);
    // Wakes the others.
    await newSession(world);
    await Promise.all(waiting);
    expect(refusals).toHaveLength(4);
    for (const outcome of refusals) expect(outcome).toMatchObject({ code: "rate_limited", retryAfterSeconds: 1 });
    bodyOf(await transport.listEvents(as, { wait: 1 }));
  },
};
