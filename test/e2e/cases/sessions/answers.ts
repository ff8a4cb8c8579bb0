// Cases of GetSession, RecordAnswers, CompleteSession and GetSessionResults.
import { expect } from "vitest";
import type { AnswerInput } from "../../../support/transports/transports.ts";
import {
  answer,
  bodyOf,
  type Cases,
  completedSession,
  expectRefused,
  fullAnswers,
  newSession,
  type World,
} from "../case.ts";

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

interface Refused {
  readonly name: string;
  readonly answers: (ids: readonly number[]) => AnswerInput[];
  readonly faults: readonly { readonly pointer: string; readonly code: string }[];
}

/** Both operations that take answers refuse them alike, and store nothing. */
function refusedAnswers({ name, answers, faults }: Refused): Cases {
  return {
    [`answers and completion refuse ${name}, and store nothing`]: async (world) => {
      const { transport, alice } = world;
      const session = await newSession(world);
      const given = answers(session.assessment.questions.map(({ id }) => id));
      expectRefused(
        await transport.recordAnswers(alice, session.sessionId, { answers: given }),
        "invalid_request",
        faults,
      );
      expectRefused(
        await transport.completeSession(alice, session.sessionId, { answers: given }),
        "invalid_request",
        faults,
      );
      expect(await storedAnswers(world, session.sessionId)).toEqual([]);
      expect(bodyOf(await transport.getSession(alice, session.sessionId)).status).toBe("in_progress");
    },
  };
}

async function storedAnswers({ app }: World, sessionId: string): Promise<number[]> {
  const [rows] = await app.database.connection.query("SELECT answers FROM sessions WHERE id = UNHEX(?)", [
    sessionId.replaceAll("-", ""),
  ]);
  return [...((rows as { answers: Buffer }[])[0]?.answers ?? [])];
}

const valueFault = (index: number) => ({ pointer: `#/answers/${index}/response/value`, code: "out_of_range" });
const unknownFault = (index: number) => ({ pointer: `#/answers/${index}/questionId`, code: "unknown_question" });

export const answerCases: Cases = {
  "the status of a session has the times of its creation and completion": async (world) => {
    const { transport, alice } = world;
    const session = await newSession(world);
    const open = bodyOf(await transport.getSession(alice, session.sessionId));
    expect(open).toEqual({
      sessionId: session.sessionId,
      product: "values-bridge",
      status: "in_progress",
      createdAt: expect.stringMatching(instant),
      completedAt: null,
    });
    bodyOf(await transport.completeSession(alice, session.sessionId, { answers: fullAnswers(session) }));
    const completed = bodyOf(await transport.getSession(alice, session.sessionId));
    expect(completed).toEqual({ ...open, status: "completed", completedAt: expect.stringMatching(instant) });
    expect(Date.parse(completed.completedAt ?? "")).toBeGreaterThanOrEqual(Date.parse(open.createdAt));
  },
  "the last answer to a question counts, and each question is counted once": async (world) => {
    const { transport, alice } = world;
    const session = await newSession(world);
    const [a = 0, b = 0] = session.assessment.questions.map(({ id }) => id);
    const given = [answer(a, 2), answer(b, 3), answer(a, 6)];
    expect(bodyOf(await transport.recordAnswers(alice, session.sessionId, { answers: given }))).toEqual({
      sessionId: session.sessionId,
      recorded: 2,
    });
    expect(bodyOf(await transport.recordAnswers(alice, session.sessionId, { answers: [answer(b, 7)] })).recorded).toBe(
      1,
    );
    expect((await storedAnswers(world, session.sessionId)).slice(0, 3)).toEqual([7, 8, 0]);
  },
  "answers recorded before and answers given with completion score alike": async (world) => {
    const { transport, alice } = world;
    const { completed } = await completedSession(world);
    const session = await newSession(world);
    const answers = fullAnswers(session);
    bodyOf(await transport.recordAnswers(alice, session.sessionId, { answers: answers.slice(0, 90) }));
    const later = bodyOf(await transport.completeSession(alice, session.sessionId, { answers: answers.slice(90) }));
    expect(later).toEqual({ sessionId: session.sessionId, status: "completed", results: completed.results });
    expect(bodyOf(await transport.getSessionResults(alice, session.sessionId))).toEqual({
      sessionId: session.sessionId,
      results: completed.results,
    });
  },
  "results name every value and pairing in their order": async (world) => {
    const { results } = (await completedSession(world)).completed;
    if (results === null) throw new Error("not scored");
    expect(Object.keys(results.overall)).toEqual([
      "archetypeId",
      "totalAuthenticityGapScaled",
      "totalConflictScoreScaled",
      "totalHarmonyScoreScaled",
    ]);
    expect(results.values.map((value) => value.idealDisplayRank)).toEqual(results.values.map((_, index) => index + 1));
    expect(results.pairings).toHaveLength(76);
    const scores = results.pairings.map((pairing) => Number(pairing.scaledScore));
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
  },
  "a value without a score is null, and comes at the end": async (world) => {
    const { transport, alice } = world;
    const session = await newSession(world);
    const given = session.assessment.questions
      .filter((question) => question.valuesBridgeConfig?.valueId === 4)
      .map(({ id }, index) => answer(id, 1 + (index % 7)));
    const { results } = bodyOf(await transport.completeSession(alice, session.sessionId, { answers: given }));
    if (results === null) throw new Error("not scored");
    expect(results.overall).toMatchObject({
      archetypeId: 9,
      totalConflictScoreScaled: null,
      totalHarmonyScoreScaled: null,
    });
    expect(results.values[0]).toMatchObject({ valueId: 4, idealDisplayRank: 1, idealRankTier: "core" });
    expect(results.values[1]).toEqual({
      valueId: 1,
      idealDisplayRank: null,
      idealRankTier: "unranked",
      currentDisplayRank: null,
      currentRankTier: "unranked",
      authenticityGapScaled: null,
    });
    expect(new Set(results.pairings.map((pairing) => pairing.scaledScore))).toEqual(new Set([null]));
  },
  "a session without any answer is not completed": async (world) => {
    const { transport, alice } = world;
    const { sessionId } = await newSession(world);
    const faults = [{ pointer: "#/answers", code: "too_few_items" }];
    expectRefused(await transport.completeSession(alice, sessionId), "invalid_request", faults);
    expectRefused(await transport.completeSession(alice, sessionId, { answers: [] }), "invalid_request", faults);
    expect(bodyOf(await transport.getSession(alice, sessionId)).status).toBe("in_progress");
  },
  "a session id in capitals is the same session": async (world) => {
    const { sessionId } = await newSession(world);
    const body = bodyOf(await world.transport.getSession(world.alice, sessionId.toUpperCase()));
    expect(body.sessionId).toBe(sessionId);
  },
  ...refusedAnswers({
    name: "answers that match no question of the session",
    answers: () => [answer(9_999_001, 4), answer(0, 4), answer(-1, 4)],
    faults: [unknownFault(0), unknownFault(1), unknownFault(2)],
  }),
  ...refusedAnswers({
    name: "one unknown question among good ones",
    answers: ([a = 0, b = 0]) => [answer(a, 4), answer(153_001, 4), answer(b, 4)],
    faults: [unknownFault(1)],
  }),
  ...refusedAnswers({
    name: "ratings outside the scale and between its points",
    answers: (ids) => [0, 8, 4.5, -1, 1e300].map((value, index) => answer(ids[index] ?? 0, value)),
    faults: [0, 1, 2, 3, 4].map(valueFault),
  }),
  ...refusedAnswers({
    name: "a response of another type",
    answers: ([a = 0]) => [{ questionId: a, response: { type: "text", value: 4 } }],
    faults: [{ pointer: "#/answers/0/response/type", code: "wrong_type" }],
  }),
  "a hosted session accepts answers and completion through the API as well": async (world) => {
    const { transport, alice } = world;
    const { assessment } = await newSession(world);
    const hosted = bodyOf(await transport.createSession(alice, { mode: "hosted", redirectUrl: "https://p.example/" }));
    const answers = fullAnswers({ assessment });
    expect(bodyOf(await transport.recordAnswers(alice, hosted.sessionId, { answers })).recorded).toBe(152);
    expect(bodyOf(await transport.completeSession(alice, hosted.sessionId)).status).toBe("completed");
  },
};
