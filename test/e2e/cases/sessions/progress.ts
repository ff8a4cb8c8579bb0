// Cases of how far a session is, beyond its status.
import { expect } from "vitest";
import { bodyOf, type Cases, fullAnswers, newSession, uniqueId } from "../case.ts";

export const progressCases: Cases = {
  "progress distinguishes not begun, half done and all answered, and has the person and the last time": async (
    world,
  ) => {
    const { transport, alice } = world;
    const externalId = uniqueId("progress");
    const session = await newSession(world, { subject: { externalId } });
    const { sessionId, subject } = session;
    const answers = fullAnswers(session);
    const look = async () => bodyOf(await transport.getSession(alice, sessionId, { includeProgress: true }));
    const fresh = await look();
    const { createdAt } = fresh;
    const same = { subject, mode: "headless", total: answers.length };
    expect(fresh.progress).toEqual({ ...same, answered: 0, lastActivityAt: createdAt });
    bodyOf(await transport.recordAnswers(alice, sessionId, { answers: answers.slice(0, 50) }));
    const half = await look();
    expect(half.progress).toMatchObject({ ...same, answered: 50 });
    const halfAt = half.progress?.lastActivityAt ?? "";
    expect(halfAt >= createdAt).toBe(true);
    // What is stored already moves nothing.
    bodyOf(await transport.recordAnswers(alice, sessionId, { answers: answers.slice(0, 10) }));
    expect((await look()).progress?.lastActivityAt).toBe(halfAt);
    bodyOf(await transport.recordAnswers(alice, sessionId, { answers: answers.slice(50) }));
    expect((await look()).progress).toMatchObject({ ...same, answered: answers.length });
    bodyOf(await transport.completeSession(alice, sessionId));
    const done = await look();
    expect(done.progress).toEqual({ ...same, answered: answers.length, lastActivityAt: done.completedAt });
  },
  "progress is reported for a hosted and anonymous session, and for one cancelled without its answers": async ({
    transport,
    alice,
  }) => {
    const redirectUrl = "https://partner.example/done";
    const { sessionId, subject } = bodyOf(await transport.createSession(alice, { mode: "hosted", redirectUrl }));
    const { progress, cancelledAt } = bodyOf(
      await transport
        .cancelSession(alice, sessionId, { eraseAnswers: true })
        .then(() => transport.getSession(alice, sessionId, { includeProgress: true })),
    );
    expect(subject.anonymous).toBe(true);
    expect(progress).toMatchObject({ subject, mode: "hosted", answered: 0, lastActivityAt: cancelledAt });
  },
};
