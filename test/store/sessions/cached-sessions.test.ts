// The next write of a session that this process has just written does not read it first. What others did to it meanwhile
// counts all the same.
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { QuestionType } from "../../../src/gen/assessment/v1/assessment_pb.ts";
import { CreateSessionRequestSchema } from "../../../src/gen/assessment/v1/session_service_pb.ts";
import { createSession } from "../../../src/services/sessions/create-session.ts";
import { cancelSession } from "../../../src/services/sessions/lifecycle.ts";
import { completeSession, getSession, recordAnswers } from "../../../src/services/sessions/sessions.ts";
import { eraseSubject } from "../../../src/services/subjects/subject-service.ts";
import { createSessionStore } from "../../../src/store/sessions/session-store.ts";
import { someAssessment, someId } from "../../support/builders.ts";
import { poolOfTest } from "../../support/databases/pool.ts";
import { deadline, signal } from "../../support/deadline.ts";
import { someCall, testDependencies } from "../../support/dependencies.ts";
import { outcomeOf } from "../../support/models.ts";
import { storesOfFile } from "../../support/of-file.ts";

const [product, otherProduct] = ["small-example", "other-example"];
const externalId = "a person";

const database = await storesOfFile();
for (const each of [product, otherProduct]) {
  await database.assessments.insertAssessment(someAssessment({ product: each }), signal);
}
const { questions } = await testDependencies(database).catalogue.getPublished(product);
const questionIds = questions.map(({ id }) => id);

/** A process of its own over the database, which counts what it reads and writes of sessions. */
function newProcess() {
  const done: string[] = [];
  const of: Readonly<Record<string, string>> = { "SELECT sessions": "read", "UPDATE sessions": "write" };
  const beginStatement = (statement: string) => {
    const what = of[statement];
    if (what !== undefined) done.push(what);
    return () => undefined;
  };
  const observer = { beginStatement, beginWait: () => () => undefined };
  const db = poolOfTest({ address: database.address, poolSize: 2, observer });
  const deps = testDependencies({ ...database, sessions: createSessionStore(db) });
  return {
    deps,
    /** What was done since it was asked last. */
    done: () => done.splice(0),
    record: (address: Address, index: number, value: number) => {
      const response = { type: QuestionType.LIKERT, value };
      const answer = { questionId: questionIds[index] ?? 0, response };
      return recordAnswers(deps, address, [answer], someCall(address.partnerId));
    },
    complete: (address: Address) =>
      completeSession(deps, address, { answers: [], requireAnswered: false }, someCall(address.partnerId)),
  };
}

type Process = ReturnType<typeof newProcess>;
type Address = Parameters<typeof getSession>[1];

async function newSession({ deps }: Process): Promise<Address> {
  const partnerId = someId();
  const request = create(CreateSessionRequestSchema, { product, subject: { externalId } });
  const { sessionId } = await createSession(deps, request, someCall(partnerId));
  return { partnerId, product, sessionId };
}

/** The first three answers that are stored. */
async function answersOf(address: Address) {
  const { session } = await getSession(testDependencies(database), address, deadline);
  return [0, 1, 2].map((index) => session.answers[index] ?? null);
}

test("a process that creates, records and completes reads nothing of the session", async () => {
  const one = newProcess();
  const address = await newSession(one);
  expect(await one.record(address, 0, 1)).toBe(1);
  expect(await one.record(address, 1, 2)).toBe(1);
  expect(await one.complete(address)).toMatchObject({});
  expect(one.done()).toEqual(["write", "write", "write"]);
  expect(await answersOf(address)).toEqual([1, 2, null]);
});

test("two processes that write in turns each read the other's writes, after one failed write only", async () => {
  const [one, other] = [newProcess(), newProcess()];
  const address = await newSession(one);
  await other.record(address, 0, 1);
  expect(other.done()).toEqual(["read", "write"]);
  await one.record(address, 1, 2);
  expect(one.done()).toEqual(["write", "read", "write"]);
  await other.record(address, 2, 2);
  expect(other.done()).toEqual(["read", "write"]);
  await one.record(address, 0, 3);
  expect(one.done()).toEqual(["read", "write"]);
  expect(await answersOf(address)).toEqual([3, 2, 2]);
  await other.complete(address);
  expect(other.done()).toEqual(["read", "write"]);
  expect(await answersOf(address)).toEqual([3, 2, 2]);
});

test("answers to a session that another process ended or erased are refused at once, even the same answers", async () => {
  const [one, other] = [newProcess(), newProcess()];
  const cancelledSession = await newSession(one);
  await one.record(cancelledSession, 0, 1);
  await cancelSession(other.deps, cancelledSession, { eraseAnswers: true }, someCall(cancelledSession.partnerId));
  expect(await outcomeOf(() => one.record(cancelledSession, 0, 1))).toBe("session_cancelled");
  expect(await outcomeOf(() => one.complete(cancelledSession))).toBe("session_cancelled");
  expect(await answersOf(cancelledSession)).toEqual([null, null, null]);
  const erased = await newSession(one);
  await one.record(erased, 0, 1);
  await eraseSubject(other.deps, { partnerId: erased.partnerId, externalId }, deadline);
  expect(await outcomeOf(() => one.record(erased, 0, 1))).toBe("not_found");
  const scoredSession = await newSession(one);
  await one.record(scoredSession, 0, 1);
  await other.complete(scoredSession);
  expect(await outcomeOf(() => one.record(scoredSession, 0, 2))).toBe("session_completed");
  expect(await outcomeOf(() => one.complete(scoredSession))).toBe("ok");
});

test("an invalid answer gets not found if the session is gone", async () => {
  const [one, other] = [newProcess(), newProcess()];
  const address = await newSession(one);
  await one.record(address, 0, 1);
  await eraseSubject(other.deps, { partnerId: address.partnerId, externalId }, deadline);
  expect(await outcomeOf(() => one.record(address, 0, 999))).toBe("not_found");
});

test("a cached session is not found by another partner, or in another product", async () => {
  const one = newProcess();
  const address = await newSession(one);
  const strange = [
    { ...address, partnerId: someId() },
    { ...address, product: otherProduct },
  ];
  for (const each of strange) {
    expect(await outcomeOf(() => one.record(each, 0, 1))).toBe("not_found");
    expect(await outcomeOf(() => one.complete(each))).toBe("not_found");
  }
  expect(await answersOf(address)).toEqual([null, null, null]);
});
