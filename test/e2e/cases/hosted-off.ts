// Cases of a core that nobody told at which address its gateway is reached: it makes no address that leads elsewhere.
import { expect } from "vitest";
import { countOf } from "../../support/databases/stores.ts";
import { answer, bodyOf, type Cases, completedSession, expectRefused, newSession, type World } from "./case.ts";

const hosted = { mode: "hosted", redirectUrl: "https://partner.example/done" } as const;

const storedIn = ({ app }: World, table: "sessions" | "report_links") =>
  countOf(app.database.connection, `SELECT COUNT(*) FROM ${table}`);

export const hostedOffCases: Cases = {
  "a hosted session is refused, also with a repeated key, and nothing is stored": async (world) => {
    const { transport, alice } = world;
    const before = await storedIn(world, "sessions");
    const as = { ...alice, idempotencyKey: crypto.randomUUID() };
    for (let times = 0; times < 2; times += 1) expectRefused(await transport.createSession(as, hosted), "hosted_off");
    expect(await storedIn(world, "sessions")).toBe(before);
  },
  "a new link of any session is refused, whether it has a mode for it or not": async (world) => {
    const { transport, alice } = world;
    for (const { sessionId } of [await newSession(world), await completedSession(world)])
      expectRefused(await transport.createSessionLink(alice, sessionId), "hosted_off");
  },
  "a link to a report is refused, and none is stored": async (world) => {
    const { transport, alice } = world;
    const { sessionId } = await completedSession(world);
    const before = await storedIn(world, "report_links");
    expectRefused(await transport.createReportLink(alice, sessionId), "hosted_off");
    expect(await storedIn(world, "report_links")).toBe(before);
  },
  "headless sessions and reports are as they are elsewhere": async (world) => {
    const { transport, alice } = world;
    const { sessionId } = await newSession(world);
    bodyOf(await transport.recordAnswers(alice, sessionId, [answer(1001, 4)]));
    const scored = await completedSession(world);
    bodyOf(await transport.getReport(alice, { sessionId: scored.sessionId }));
  },
};
