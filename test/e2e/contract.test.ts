// The contract over every door: the same cases, the same outcomes.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addCaller, startTestApp, startTestGateway, type TestApp } from "../support/app.ts";
import type { Door } from "../support/doors.ts";
import { answerChecker, fetchOpenApi } from "../support/openapi.ts";
import { restDoor } from "../support/rest-door.ts";
import { connectDoor, grpcDoor } from "../support/rpc-door.ts";
import { accessCases } from "./cases/access.ts";
import { answerCases } from "./cases/answers.ts";
import { assessmentCases } from "./cases/assessments.ts";
import { bodyOf, type Case, fullAnswers, type World } from "./cases/case.ts";
import { createCases } from "./cases/create.ts";
import { eventCases } from "./cases/events.ts";
import { explanationCases } from "./cases/explanation.ts";
import { idempotencyCases } from "./cases/idempotency.ts";
import { normCases } from "./cases/norms.ts";
import { changeCases, qualityCases } from "./cases/quality.ts";
import { reportLinkCases } from "./cases/report-links.ts";
import { reportCases } from "./cases/reports.ts";
import { subjectCases } from "./cases/subjects.ts";
import { webhookCases } from "./cases/webhooks.ts";

const cases: readonly Case[] = [
  ...createCases,
  ...idempotencyCases,
  ...answerCases,
  ...explanationCases,
  ...qualityCases,
  ...changeCases,
  ...normCases,
  ...subjectCases,
  ...reportCases,
  ...reportLinkCases,
  ...assessmentCases,
  ...eventCases,
  ...webhookCases,
  ...accessCases,
];

let app: TestApp;
let checkAnswer: ReturnType<typeof answerChecker>;
let gateway: Awaited<ReturnType<typeof startTestGateway>>;
let callers: Pick<World, "alice" | "bob">;
beforeAll(async () => {
  app = await startTestApp();
  gateway = await startTestGateway(app);
  checkAnswer = answerChecker(await fetchOpenApi(app.httpUrl));
  const [alice, bob] = [await addCaller(app), await addCaller(app)];
  callers = { alice: { token: alice.token }, bob: { token: bob.token } };
});
afterAll(async () => {
  await gateway.stop();
  await app.stop();
});

const doors = {
  REST: () => restDoor(app.httpUrl, checkAnswer),
  "REST through a gateway of its own": () => restDoor(gateway.httpUrl),
  gRPC: () => grpcDoor(app.grpcAddress),
  "Connect with JSON": () => connectDoor(app.httpUrl, false),
  "Connect with binary messages": () => connectDoor(app.httpUrl, true),
} satisfies Record<string, () => Door>;

describe.each(Object.entries(doors))("over %s", (_name, open) => {
  let door: Door;
  beforeAll(() => {
    door = open();
  });
  afterAll(() => door.close());

  for (const { name, run } of cases) test(name, () => run({ app, door, ...callers }));
});

test("the same answers give equal results through every door", async () => {
  const results = await Promise.all(
    Object.values(doors).map(async (open) => {
      const door = open();
      const created = bodyOf(await door.createSession(callers.alice, {}));
      if (created.assessment === undefined) throw new Error("no assessment");
      const answers = fullAnswers({ assessment: created.assessment });
      bodyOf(await door.recordAnswers(callers.alice, created.sessionId, answers));
      const completed = bodyOf(await door.completeSession(callers.alice, created.sessionId));
      door.close();
      return completed.results;
    }),
  );
  expect(results[0]?.values).toHaveLength(19);
  for (const each of results) expect(each).toEqual(results[0]);
});
