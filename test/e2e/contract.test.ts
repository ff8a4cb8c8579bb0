// The contract over every door: the same cases, the same outcomes.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addCaller, startTestApp, type TestApp } from "../support/app.ts";
import type { Door } from "../support/doors.ts";
import { restDoor } from "../support/rest-door.ts";
import { connectDoor, grpcDoor } from "../support/rpc-door.ts";
import { accessCases } from "./cases/access.ts";
import { answerCases } from "./cases/answers.ts";
import { assessmentCases } from "./cases/assessments.ts";
import { bodyOf, type Case, fullAnswers, type World } from "./cases/case.ts";
import { createCases } from "./cases/create.ts";
import { idempotencyCases } from "./cases/idempotency.ts";
import { subjectCases } from "./cases/subjects.ts";

const cases: readonly Case[] = [
  ...createCases,
  ...idempotencyCases,
  ...answerCases,
  ...subjectCases,
  ...assessmentCases,
  ...accessCases,
];

const doors = {
  rest: (app: TestApp) => restDoor(app.httpUrl),
  grpc: (app: TestApp) => grpcDoor(app.grpcAddress),
  connect: (app: TestApp) => connectDoor(app.httpUrl, false),
} as const;

let app: TestApp;
let callers: Pick<World, "alice" | "bob">;
beforeAll(async () => {
  app = await startTestApp();
  const [alice, bob] = [await addCaller(app), await addCaller(app)];
  callers = { alice: { token: alice.token }, bob: { token: bob.token } };
});
afterAll(() => app.stop());

describe.each(["rest", "grpc", "connect"] as const)("over %s", (name) => {
  let door: Door;
  beforeAll(() => {
    door = doors[name](app);
  });
  afterAll(() => door.close());

  test.each(cases.filter(({ doors: only }) => only?.includes(name) ?? true))("$name", ({ run }) =>
    run({ app, door, ...callers }),
  );
});

test("the same answers give equal results through every door", async () => {
  const results = await Promise.all(
    Object.values(doors).map(async (open) => {
      const door = open(app);
      const created = bodyOf(await door.createSession(callers.alice, {}));
      if (created.assessment === undefined) throw new Error("no assessment");
      const answers = fullAnswers({ assessment: created.assessment });
      bodyOf(await door.recordAnswers(callers.alice, created.sessionId, answers));
      const completed = bodyOf(await door.completeSession(callers.alice, created.sessionId));
      door.close();
      return completed.results;
    }),
  );
  expect(results[1]).toEqual(results[0]);
  expect(results[2]).toEqual(results[0]);
});
