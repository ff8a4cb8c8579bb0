// Cases of operation 5 with an explanation: how results came about.

import { expect } from "vitest";
import type { Definition } from "../../../../src/products/values-bridge/definition/definition.ts";
import valuesBridge from "../../../../src/products/values-bridge/definition/values-bridge.json" with { type: "json" };
import { encodeResults } from "../../../../src/products/values-bridge/messages/results.ts";
import type {
  AnswerInput,
  ExplanationBody,
  ResultsBody,
  SessionResultsBody,
} from "../../../support/transports/transports.ts";
import { exactResults, explainedSession } from "../../../support/values-bridge/exact-results.ts";
import { openStored } from "../../../support/values-bridge/opened.ts";
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

/** A completed session with these answers, its results and their explanation. */
async function explained(world: World, pick: (answers: AnswerInput[]) => AnswerInput[]) {
  const { transport, alice } = world;
  const session = await newSession(world);
  const answers = pick(fullAnswers(session));
  bodyOf(await transport.completeSession(alice, session.sessionId, { answers }));
  const body = bodyOf(await transport.getSessionResults(alice, session.sessionId, { explain: true }));
  return { ...session, answers, results: body.results, explanation: explanationIn(body) };
}

function explanationIn({ explanation }: SessionResultsBody): ExplanationBody {
  if (explanation === undefined) throw new Error("no explanation");
  return explanation;
}

export const explanationCases: Cases = {
  "an explanation is that of the stored answers by the session's version, member by member": async (world) => {
    const { explanation, assessment, answers } = await explained(world, (all) =>
      all.filter((_, index) => index % 5 !== 0),
    );
    const { product, version, assessmentId: id } = assessment;
    const definition = valuesBridge as unknown as Definition;
    const { scorer, getQuality, explain } = openStored({ id, product, version, definition, publishedAt: new Date(0) });
    const given = new Map(answers.map(({ questionId, response }) => [questionId, response.value]));
    const sheet = assessment.questions.map((question) => given.get(question.id) ?? null);
    expect(explanation).toEqual(explain(sheet, scorer.score(sheet), getQuality().assess(sheet, null)));
  },
  "an explanation shows the last answer to each question, recorded or given with completion": async (world) => {
    const { transport, alice } = world;
    const { sessionId, assessment } = await newSession(world);
    const [a = 0, b = 0, c = 0] = assessment.questions.map(({ id }) => id);
    bodyOf(await transport.recordAnswers(alice, sessionId, { answers: [answer(a, 2), answer(b, 7)] }));
    bodyOf(await transport.completeSession(alice, sessionId, { answers: [answer(a, 5)] }));
    const { values } = explanationIn(bodyOf(await transport.getSessionResults(alice, sessionId, { explain: true })));
    const items = values.flatMap(({ ideal, current }) => [...ideal.items, ...current.items]);
    expect(items).toHaveLength(152);
    expect([a, b, c].map((id) => items.find((item) => item.questionId === id)?.answer)).toEqual([5, 7, null]);
  },
  "results come without an explanation unless it is asked for, and are the same with it": async (world) => {
    const { transport, alice } = world;
    const { sessionId } = await completedSession(world);
    const plain = bodyOf(await transport.getSessionResults(alice, sessionId));
    expect(Object.keys(plain)).toEqual(["sessionId", "results"]);
    expect(bodyOf(await transport.getSessionResults(alice, sessionId, { explain: false }))).toEqual(plain);
    const { explanation, ...rest } = bodyOf(await transport.getSessionResults(alice, sessionId, { explain: true }));
    expect(rest).toEqual(plain);
    expect(explanation?.explainsResults).toBe(true);
  },
  "an explanation says that the stored results differ from scoring again, and they stay as they are": async (world) => {
    const { app, transport, alice } = world;
    const { sessionId, completed } = await completedSession(world);
    const id = sessionId.replaceAll("-", "");
    const stored: ResultsBody = JSON.parse(JSON.stringify(completed.results).replaceAll("guiding", "situational"));
    await app.database.connection.query("UPDATE sessions SET results = ? WHERE id = UNHEX(?)", [
      Buffer.from(encodeResults(stored as never)),
      id,
    ]);
    const logged = app.logLines.length;
    const body = bodyOf(await transport.getSessionResults(alice, sessionId, { explain: true }));
    const explanation = explanationIn(body);
    expect(body.results).toEqual(stored);
    expect(explanation.explainsResults).toBe(false);
    expect(exactResults(explainedSession(explanation)).values).toEqual(completed.results?.values);
    expect(app.logLines.slice(logged).join()).toContain('"source":"explanation"');
    expectRefused(await transport.renderReport(alice, { sessionId }, { format: "html" }), "not_acceptable");
  },
};
