// Publication while people answer: a session keeps the version it began with, and everybody else gets the new one.

import { expect, test } from "vitest";
import { Database } from "../../../src/database/database.ts";
import type { PublishedAssessment } from "../../../src/domain/assessments/published-assessment.ts";
import { mergeAnswers } from "../../../src/domain/sessions/answers.ts";
import { QuestionType } from "../../../src/gen/assessment/v1/assessment_pb.ts";
import {
  AssessmentService,
  type PublishAssessmentResponse,
} from "../../../src/gen/assessment/v1/assessment_service_pb.ts";
import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";
import { AssessmentCatalogue } from "../../../src/services/assessments/catalogue.ts";
import { createStores } from "../../../src/store/stores.ts";
import { addCaller, startTestApp } from "../../support/app.ts";
import { processOfTest } from "../../support/of-test.ts";
import { GrpcClient } from "../../support/transports/grpc-client.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { grpcTransport } from "../../support/transports/rpc-transport.ts";
import type { AnswerInput, AssessmentBody, CreatedBody } from "../../support/transports/transports.ts";
import { openStored, valuesBridge } from "../../support/values-bridge/opened.ts";
import { longForm, shortForm } from "../../support/values-bridge/short-form.ts";
import { answer, bodyOf, expectRefused, fullAnswers } from "../cases/case.ts";

/** The service with the shipped instrument as version 1, an administrator, and a partner. */
async function startWorld() {
  await using starting = new AsyncDisposableStack();
  const app = await startTestApp();
  starting.defer(() => app.stop());
  const operator = await app.addClient(await app.addPartner({ internal: true }), ["admin"]);
  const metadata = { authorization: `Bearer ${await app.tokenOf(operator)}` };
  const { token } = await addCaller(app);
  const transport = restTransport(app.httpUrl);
  const rpcTransport = grpcTransport(app.grpcAddress);
  starting.defer(() => rpcTransport.close());
  const begin = async (idempotencyKey?: string) =>
    withAssessment(bodyOf(await transport.createSession({ token, ...(idempotencyKey ? { idempotencyKey } : {}) }, {})));
  const started = starting.move();
  return {
    app,
    alice: { token },
    transport,
    transports: [transport, rpcTransport],
    begin,
    publish: (definition: Definition) => publishAt(app.grpcAddress, metadata, JSON.stringify(definition)),
    metadata,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

async function publishAt(
  address: string,
  metadata: Record<string, string>,
  definition: string,
): Promise<PublishAssessmentResponse> {
  const client = new GrpcClient(address);
  try {
    return await client.unary(AssessmentService.method.publishAssessment, { definition }, { metadata });
  } finally {
    client.close();
  }
}

function withAssessment({ sessionId, assessment }: CreatedBody): { sessionId: string; assessment: AssessmentBody } {
  if (assessment === undefined) throw new Error("no assessment");
  return { sessionId, assessment };
}

function idsOf({ questions }: AssessmentBody): number[] {
  return questions.map(({ id }) => id);
}

/** What the definition makes of these answers, computed here. */
function scoreHere(
  definition: Definition,
  { assessmentId: id, product, version }: AssessmentBody,
  given: AnswerInput[],
) {
  const assessment: PublishedAssessment = openStored({
    id,
    product,
    version,
    definition,
    publishedAt: new Date(0),
  });
  const answers = given.map(({ questionId, response: { value } }) => ({
    questionId,
    response: { type: QuestionType.LIKERT, value },
  }));
  const { ratings } = mergeAnswers([], answers, assessment);
  return { results: assessment.scorer.score(ratings), explanation: assessment.scorer.explain(ratings) };
}

test("after publication new sessions get the next version with new question ids, and both versions are found", async () => {
  await using world = await startWorld();
  const { alice, transport, begin, publish } = world;
  const { assessment: long } = await begin();
  expect(await publish(shortForm())).toMatchObject({ product: "values-bridge", version: 2, created: true });
  const { assessment: short } = await begin();
  expect([long.version, idsOf(long).length, short.version, idsOf(short).length]).toEqual([1, 152, 2, 76]);
  expect(short.assessmentId).toBeGreaterThan(long.assessmentId);
  expect(new Set([...idsOf(long), ...idsOf(short)]).size).toBe(152 + 76);
  for (const each of world.transports) {
    expect(bodyOf(await each.getPublishedAssessment(alice))).toEqual(short);
    expect(bodyOf(await each.getPublishedAssessment(alice, { version: 1 }))).toEqual(long);
    expect(bodyOf(await each.getPublishedAssessment(alice, { version: 2 }))).toEqual(short);
    expectRefused(await each.getPublishedAssessment(alice, { version: 3 }), "not_found");
  }
  expect(bodyOf(await transport.getPublishedAssessment(alice)).questions[0]?.prompt).toMatch(/^In the life I want, /);
});

test("a session begun before keeps its version: it is answered, completed, scored and explained by it", async () => {
  await using world = await startWorld();
  const { alice, transport, begin, publish } = world;
  const old = await begin("before");
  const answers = fullAnswers(old);
  bodyOf(await transport.recordAnswers(alice, old.sessionId, { answers: answers.slice(0, 50) }));
  await publish(shortForm());
  expect(await begin("before")).toEqual(old);
  bodyOf(await transport.recordAnswers(alice, old.sessionId, { answers: answers.slice(50, 100) }));
  const completion = bodyOf(await transport.completeSession(alice, old.sessionId, { answers: answers.slice(100) }));
  const expected = scoreHere(longForm(), old.assessment, answers);
  expect(completion.results).toEqual(expected.results);
  const explained = bodyOf(await transport.getSessionResults(alice, old.sessionId, { explain: true }));
  const archetype = { ...expected.explanation.archetype, certain: false, between: [] };
  expect(explained.explanation).toEqual({ explainsResults: true, ...expected.explanation, archetype });
});

test("answers for the other version are refused with a violation each, and the session stays open as it was", async () => {
  await using world = await startWorld();
  const { alice, begin, publish } = world;
  for (const transport of world.transports) {
    await publish(longForm());
    const long = await begin();
    await publish(shortForm());
    const short = await begin();
    for (const [session, other] of [
      [long, short],
      [short, long],
    ] as const) {
      const foreign = fullAnswers(other).slice(0, 12);
      const faults = foreign.map((_, index) => ({
        pointer: `#/answers/${index}/questionId`,
        code: "unknown_question",
      }));
      expectRefused(
        await transport.recordAnswers(alice, session.sessionId, { answers: foreign }),
        "invalid_request",
        faults,
      );
      expectRefused(
        await transport.completeSession(alice, session.sessionId, { answers: foreign }),
        "invalid_request",
        faults,
      );
      const mixed = [answer(session.assessment.questions[0]?.id ?? 0, 4), ...foreign.slice(0, 1)];
      expectRefused(await transport.completeSession(alice, session.sessionId, { answers: mixed }), "invalid_request", [
        { pointer: "#/answers/1/questionId", code: "unknown_question" },
      ]);
      expect(bodyOf(await transport.getSession(alice, session.sessionId)).status).toBe("in_progress");
      const own = fullAnswers(session);
      const { results } = bodyOf(await transport.completeSession(alice, session.sessionId, { answers: own }));
      const definition = session === long ? longForm() : shortForm();
      expect(results).toEqual(scoreHere(definition, session.assessment, own).results);
    }
  }
});

test("the published definition again changes nothing, and an older one again becomes a further version", async () => {
  await using world = await startWorld();
  const { begin, publish } = world;
  const { assessmentId: longId } = (await begin()).assessment;
  expect(await publish(longForm())).toMatchObject({ assessmentId: longId, version: 1, created: false });
  const short = await publish(shortForm());
  const reordered = Object.fromEntries(Object.entries(shortForm()).reverse()) as unknown as Definition;
  for (const same of [shortForm(), reordered]) {
    expect(await publish(same)).toMatchObject({ assessmentId: short.assessmentId, version: 2, created: false });
  }
  const third = await publish(longForm());
  expect(third).toMatchObject({ version: 3, created: true });
  expect(new Set([longId, short.assessmentId, third.assessmentId]).size).toBe(3);
  expect((await begin()).assessment).toMatchObject({ version: 3, assessmentId: third.assessmentId });
});

test("definitions published at once by two processes become a version each, equal ones a single version", async () => {
  await using world = await startWorld();
  const { app, metadata } = world;
  const second = await processOfTest(app.database.address);
  const addresses = [app.grpcAddress, second.grpcAddress];
  for (let version = 2; version < 12; version += 2) {
    const rivals = await Promise.all(
      addresses.map((address) => publishAt(address, metadata, JSON.stringify(shortForm(`${version} ${address}`)))),
    );
    expect(rivals.map((each) => each.version).toSorted((a, b) => a - b)).toEqual([version, version + 1]);
    expect(rivals.map((each) => each.created)).toEqual([true, true]);
    expect(new Set(rivals.map((each) => each.assessmentId)).size).toBe(2);
  }
  const twins = await Promise.all(
    addresses.map((address) => publishAt(address, metadata, JSON.stringify(shortForm()))),
  );
  expect(twins.map((each) => each.version)).toEqual([12, 12]);
  expect(twins.map((each) => each.created).toSorted()).toEqual([false, true]);
});

test("a process follows a publication within 5 seconds, by its clock", async () => {
  await using world = await startWorld();
  const db = new Database({ address: world.app.database.address, poolSize: 2, warn: () => undefined });
  try {
    let now = 1_000_000;
    const catalogue = new AssessmentCatalogue(createStores(db).assessments, valuesBridge, () => now);
    for (const [version, definition] of [shortForm(), longForm()].entries()) {
      expect((await catalogue.getPublished("values-bridge")).version).toBe(version + 1);
      await world.publish(definition);
      now += 5_000;
      expect((await catalogue.getPublished("values-bridge")).version).toBe(version + 2);
    }
  } finally {
    await db.destroy();
  }
});
