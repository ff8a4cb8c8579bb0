// Cases of results with quality, and of change between two sessions.
import type { ResultSetHeader } from "mysql2";
import { expect } from "vitest";
import { compareSessions } from "../../../../src/products/values-bridge/quality/change.ts";
import { attentive } from "../../../support/values-bridge/attentive-people.ts";
import { assessorOf, builtIn } from "../../../values-bridge/quality/models.ts";
import { vector } from "../../../values-bridge/quality/vectors.ts";
import {
  toldSpeed,
  workedSessions,
  workedTimes,
  wrongInChange,
} from "../../../values-bridge/quality/worked-sessions.ts";
import {
  answer,
  bodyOf,
  type Cases,
  casesOf,
  completedSession,
  completedWith,
  expectRefused,
  newSession,
  uniqueId,
  type World,
} from "../case.ts";

const { first, second } = vector<Record<"first" | "second", readonly (number | null)[]>, unknown>("P11").input;
const assessor = assessorOf(builtIn);

/** A session of a person, completed with these answers in asking order. */
async function personWith(world: World, answers: readonly (number | null)[], externalId = uniqueId("person")) {
  return { ...(await completedWith(world, answers, { subject: { externalId } })), externalId };
}

/** Sets when the answers of a session arrived, to the milliseconds of a worked case. */
async function arrive({ app }: World, sessionId: string, times: (typeof workedTimes)[number]): Promise<void> {
  const start = Date.UTC(2026, 10, 20);
  const columns = "first_answer_at = ?, last_answer_at = ?, answer_calls = ?, first_call_answers = ?";
  const values = [new Date(start + times.firstMs), new Date(start + times.lastMs), times.calls, times.firstCount];
  const [{ affectedRows }] = await app.database.connection.execute<ResultSetHeader>(
    `UPDATE sessions SET ${columns} WHERE id = UNHEX(REPLACE(?, '-', ''))`,
    [...values, sessionId],
  );
  expect(affectedRows).toBe(1);
}

// A session without answers cannot be completed; scoring's own tests show that case.
const sendable = workedSessions.filter(({ answers }) => answers.some((rating) => rating !== null));

const workedCases = casesOf(sendable, ({ name, answers, wrongIn }) => ({
  [`${name}: results and quality of a session are what the worked case says`]: async (world) => {
    const { sessionId } = await personWith(world, answers);
    expect(wrongIn(bodyOf(await world.transport.getSessionResults(world.alice, sessionId, { quality: true })))).toEqual(
      [],
    );
  },
}));

/** The people of other cases may be enough for norms meanwhile. */
function apartFromNorms(quality: unknown): object {
  return { ...(quality as object), norms: null };
}

export const qualityCases: Cases = {
  ...workedCases,
  "P10: the speed of answers is that of the worked case": async (world) => {
    const { sessionId } = await personWith(world, attentive);
    for (const times of workedTimes) {
      await arrive(world, sessionId, times);
      const { quality } = bodyOf(await world.transport.getSessionResults(world.alice, sessionId, { quality: true }));
      expect(toldSpeed(quality)).toEqual(times.expected);
    }
  },
  "the quality of a session comes with unchanged results, of the session and of the person": async (world) => {
    const { sessionId, externalId } = await personWith(world, attentive);
    const body = bodyOf(await world.transport.getSessionResults(world.alice, sessionId, { quality: true }));
    expect(apartFromNorms(body.quality)).toEqual(assessor.assess(attentive, null));
    const plain = bodyOf(await world.transport.getSessionResults(world.alice, sessionId));
    expect(body.results).toEqual(plain.results);
    expect(plain).not.toHaveProperty("quality");
    const latest = bodyOf(await world.transport.getLatestResults(world.alice, externalId, { quality: true }));
    expect(apartFromNorms(latest.quality)).toEqual(apartFromNorms(body.quality));
  },
  "answers in three calls or more have seconds for each, and repeated ones at the end change nothing": async (
    world,
  ) => {
    const { transport, alice } = world;
    const session = await newSession(world);
    const answers = session.assessment.questions.map(({ id }, index) => answer(id, attentive[index] ?? 1));
    for (const page of [answers.slice(0, 50), answers.slice(50, 100), answers.slice(100)]) {
      bodyOf(await transport.recordAnswers(alice, session.sessionId, { answers: page }));
    }
    bodyOf(await transport.completeSession(alice, session.sessionId, { answers }));
    const body = bodyOf(await transport.getSessionResults(alice, session.sessionId, { quality: true }));
    const { secondsPerAnswer, flags, grade } = (body.quality as { response: Record<string, unknown> }).response;
    expect(secondsPerAnswer).toBeLessThan(1);
    expect([flags, grade]).toEqual([[{ index: "speed", level: "fail" }], "fail"]);
  },
  "a report names nothing if the answers are graded fail, and says why": async (world) => {
    const { transport, alice } = world;
    const careless = await personWith(
      world,
      attentive.map((rating, index) => (index < 20 ? 4 : rating)),
    );
    const careful = await personWith(world, attentive);
    const { summary } = bodyOf(await transport.getReport(alice, careless));
    expect(summary.silence).toMatch(/^At one point you gave the same rating 20 times in a row\./);
    expect(summary.archetype ?? null).toBeNull();
    const named = bodyOf(await transport.getReport(alice, careful)).summary;
    expect([named.silence ?? null, named.archetype]).toEqual([null, expect.anything()]);
  },
};

export const changeCases: Cases = {
  "P11: the change between the latest two sessions is that of the worked case": async (world) => {
    const { transport, alice } = world;
    const before = await personWith(world, first);
    const after = await personWith(world, second, before.externalId);
    const expected = compareSessions(
      { assessor, answers: first, times: null },
      { assessor, answers: second, times: null },
    );
    const latest = bodyOf(await transport.getChange(alice, before.externalId));
    expect(latest.change).toEqual({ ...expected, norms: null });
    expect(wrongInChange(latest.change)).toEqual([]);
    expect([latest.from.sessionId, latest.to.sessionId]).toEqual([before.sessionId, after.sessionId]);
    const between = { from: before.sessionId, to: after.sessionId };
    expect(bodyOf(await transport.getChange(alice, before.externalId, between))).toEqual(latest);
  },
  "there is no change with fewer than two completed sessions": async (world) => {
    const { externalId } = await personWith(world, first);
    await newSession(world, { subject: { externalId } });
    expectRefused(await world.transport.getChange(world.alice, externalId), "not_found");
    expectRefused(await world.transport.getChange(world.alice, uniqueId("nobody")), "not_found");
  },
  "a change needs two completed sessions of the same person": async (world) => {
    const mine = await personWith(world, first);
    await personWith(world, second, mine.externalId);
    const other = await completedSession(world);
    const open = await newSession(world, { subject: { externalId: mine.externalId } });
    for (const id of [other.sessionId, open.sessionId, "not-a-uuid", ""]) {
      expectRefused(await world.transport.getChange(world.alice, mine.externalId, { from: id }), "not_found");
      expectRefused(await world.transport.getChange(world.alice, mine.externalId, { to: id }), "not_found");
    }
  },
  "the first session must be completed before the second": async (world) => {
    const before = await personWith(world, first);
    const after = await personWith(world, second, before.externalId);
    const faults = [{ pointer: "#", code: "not_earlier" }];
    for (const between of [
      { from: after.sessionId, to: before.sessionId },
      { from: after.sessionId, to: after.sessionId },
    ]) {
      expectRefused(
        await world.transport.getChange(world.alice, before.externalId, between),
        "invalid_request",
        faults,
      );
    }
  },
};
