// Cases of operations 6 and 8: persons.
import { expect } from "vitest";
import { bodyOf, type Case, completedSession, expectRefused, newSession, uniqueId } from "../case.ts";

export const subjectCases: readonly Case[] = [
  {
    name: "the latest results are those of the session completed last",
    outcome: "ok",
    async run(world) {
      const externalId = `${uniqueId("a/b?c#d")} é%2F`;
      const subject = { externalId };
      await completedSession(world, { subject });
      const second = await completedSession(world, { subject });
      await newSession(world, { subject });
      const latest = bodyOf(await world.door.getLatestResults(world.alice, externalId));
      const status = bodyOf(await world.door.getSession(world.alice, second.sessionId));
      expect(latest).toEqual({
        subject: { externalId },
        sessionId: second.sessionId,
        completedAt: status.completedAt,
        results: second.completed.results,
      });
    },
  },
  {
    name: "Bob, bob, `Bob ` and Böb are four people",
    outcome: "ok",
    async run(world) {
      const { door, alice } = world;
      const suffix = uniqueId("");
      const names = ["Bob", "bob", "Bob ", "Böb", "Bo\u0308b"].map((name) => `${suffix}${name}`);
      const sessions = new Map<string, string>();
      for (const externalId of names) {
        sessions.set(externalId, (await completedSession(world, { subject: { externalId } })).sessionId);
      }
      for (const externalId of names) {
        const latest = bodyOf(await door.getLatestResults(alice, externalId));
        expect(latest).toMatchObject({ subject: { externalId }, sessionId: sessions.get(externalId) });
      }
      bodyOf(await door.eraseSubject(alice, names[0] ?? ""));
      expectRefused(await door.getLatestResults(alice, names[0] ?? ""), "not_found");
      for (const externalId of names.slice(1)) bodyOf(await door.getLatestResults(alice, externalId));
    },
  },
  {
    name: "an anonymous person is found by the id that was given",
    outcome: "ok",
    async run(world) {
      const { subject, sessionId } = await completedSession(world);
      const latest = bodyOf(await world.door.getLatestResults(world.alice, subject.externalId));
      expect(latest.sessionId).toBe(sessionId);
      bodyOf(await world.door.eraseSubject(world.alice, subject.externalId));
      expectRefused(await world.door.getLatestResults(world.alice, subject.externalId), "not_found");
    },
  },
  {
    name: "no completed session and an unknown person are not found alike",
    outcome: "not_found",
    async run(world) {
      const { door, alice } = world;
      const externalId = uniqueId("person");
      const unknown = await door.getLatestResults(alice, externalId);
      await newSession(world, { subject: { externalId } });
      const open = await door.getLatestResults(alice, externalId);
      expectRefused(open, "not_found");
      expect(open).toEqual(unknown);
    },
  },
  {
    name: "erasing a person removes every session, answer and result, once",
    outcome: "not_found",
    async run(world) {
      const { door, alice } = world;
      const externalId = uniqueId("person");
      const { sessionId } = await completedSession(world, { subject: { externalId } });
      const open = await newSession(world, { subject: { externalId } });
      bodyOf(await door.eraseSubject(alice, externalId));
      expectRefused(await door.getSession(alice, sessionId), "not_found");
      expectRefused(await door.getSessionResults(alice, sessionId), "not_found");
      expectRefused(await door.getSession(alice, open.sessionId), "not_found");
      expectRefused(await door.getLatestResults(alice, externalId), "not_found");
      expectRefused(await door.eraseSubject(alice, externalId), "not_found");
    },
  },
  {
    name: "erasing within an unknown product is not found, and removes nothing",
    outcome: "not_found",
    async run(world) {
      const externalId = uniqueId("person");
      const { sessionId } = await newSession(world, { subject: { externalId } });
      expectRefused(await world.door.eraseSubject({ ...world.alice, product: "other" }, externalId), "not_found");
      bodyOf(await world.door.getSession(world.alice, sessionId));
    },
  },
];
