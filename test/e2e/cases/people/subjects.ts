// Cases of operations 6 and 8: persons.
import { expect } from "vitest";
import { bodyOf, type Cases, completedSession, expectRefused, newSession, uniqueId } from "../case.ts";

export const subjectCases: Cases = {
  "the latest results are those of the session completed last": async (world) => {
    const externalId = `${uniqueId("a/b?c#d")} é%2F`;
    const subject = { externalId };
    await completedSession(world, { subject });
    const second = await completedSession(world, { subject });
    await newSession(world, { subject });
    const latest = bodyOf(await world.transport.getLatestResults(world.alice, externalId));
    const status = bodyOf(await world.transport.getSession(world.alice, second.sessionId));
    expect(latest).toEqual({
      subject: { externalId },
      sessionId: second.sessionId,
      completedAt: status.completedAt,
      results: second.completed.results,
    });
  },
  "Bob, bob, `Bob ` and Böb are four people": async (world) => {
    const { transport, alice } = world;
    const suffix = uniqueId("");
    const names = ["Bob", "bob", "Bob ", "Böb", "Bo\u0308b"].map((name) => `${suffix}${name}`);
    const sessions = new Map<string, string>();
    for (const externalId of names) {
      sessions.set(externalId, (await completedSession(world, { subject: { externalId } })).sessionId);
    }
    for (const externalId of names) {
      const latest = bodyOf(await transport.getLatestResults(alice, externalId));
      expect(latest).toMatchObject({ subject: { externalId }, sessionId: sessions.get(externalId) });
    }
    bodyOf(await transport.eraseSubject(alice, names[0] ?? ""));
    expectRefused(await transport.getLatestResults(alice, names[0] ?? ""), "not_found");
    for (const externalId of names.slice(1)) bodyOf(await transport.getLatestResults(alice, externalId));
  },
  "an anonymous person is found by the id that was given": async (world) => {
    const { subject, sessionId } = await completedSession(world);
    const latest = bodyOf(await world.transport.getLatestResults(world.alice, subject.externalId));
    expect(latest.sessionId).toBe(sessionId);
    bodyOf(await world.transport.eraseSubject(world.alice, subject.externalId));
    expectRefused(await world.transport.getLatestResults(world.alice, subject.externalId), "not_found");
  },
  "a person without a completed session and an unknown one get the same error": async (world) => {
    const { transport, alice } = world;
    const externalId = uniqueId("person");
    const unknown = await transport.getLatestResults(alice, externalId);
    await newSession(world, { subject: { externalId } });
    const open = await transport.getLatestResults(alice, externalId);
    expectRefused(open, "not_found");
    expect(open).toEqual(unknown);
  },
  "erasing a person removes every session, answer and result, once": async (world) => {
    const { transport, alice } = world;
    const externalId = uniqueId("person");
    const { sessionId } = await completedSession(world, { subject: { externalId } });
    const open = await newSession(world, { subject: { externalId } });
    bodyOf(await transport.eraseSubject(alice, externalId));
    expectRefused(await transport.getSession(alice, sessionId), "not_found");
    expectRefused(await transport.getSessionResults(alice, sessionId), "not_found");
    expectRefused(await transport.getSession(alice, open.sessionId), "not_found");
    expectRefused(await transport.getLatestResults(alice, externalId), "not_found");
    expectRefused(await transport.eraseSubject(alice, externalId), "not_found");
  },
  "erasing within an unknown product is not found, and removes nothing": async (world) => {
    const externalId = uniqueId("person");
    const { sessionId } = await newSession(world, { subject: { externalId } });
    expectRefused(await world.transport.eraseSubject({ ...world.alice, product: "other" }, externalId), "not_found");
    bodyOf(await world.transport.getSession(world.alice, sessionId));
  },
};
