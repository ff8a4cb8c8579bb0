// Sessions over sequences of what can happen to them.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { PublishedAssessment } from "../../../src/domain/assessments/published-assessment.ts";
import { computeState } from "../../../src/domain/sessions/session.ts";
import { QuestionType } from "../../../src/gen/assessment/v1/assessment_pb.ts";
import type { SessionCall } from "../../../src/pipeline/call.ts";
import { cancelSession, emitDueEvents, reopenSession } from "../../../src/services/sessions/lifecycle.ts";
import { completeSession, getSession, recordAnswers } from "../../../src/services/sessions/sessions.ts";
import { eraseSubject } from "../../../src/services/subjects/subject-service.ts";
import { createSessionStore } from "../../../src/store/sessions/session-store.ts";
import { someAssessment, someId, someSession } from "../../support/builders.ts";
import { deadline, signal } from "../../support/deadline.ts";
import { someCall, testDependencies } from "../../support/dependencies.ts";
import { holds, outcomeOf, step } from "../../support/models.ts";
import { worldOfFile } from "../../support/of-file.ts";

const begin = Date.UTC(2026, 10, 20);
/** Completes with the answers that are stored. */
const nothingMore = { answers: [], requireAnswered: false };
const hour = 60 * 60 * 1000;

const world = await worldOfFile();
await world.stores.assessments.insertAssessment(someAssessment({ id: 1_000, product: "small-example" }), signal);

test("a session written by two processes is in the state that its changes lead to, and refuses all others", async () => {
  interface Model {
    now: number;
    expiresAt: number | null;
    end: "completed" | "cancelled" | "erased" | null;
    /** When it came to that end, however often it was told to. */
    endedAt: number | null;
    /** Of the first questions; null: none. */
    answers: (number | null)[];
  }
  type Process = ReturnType<typeof testDependencies>;
  interface Real {
    readonly processes: readonly [Process, Process];
    /** The one that does the next step. */
    readonly dependencies: Process;
    readonly call: SessionCall;
    readonly assessment: PublishedAssessment;
    readonly externalId: string;
    readonly address: { readonly partnerId: string; readonly product: string; readonly sessionId: string };
  }
  type Step = fc.AsyncCommand<Model, Real>;
  const isOver = ({ now, expiresAt }: Model) => expiresAt !== null && expiresAt <= now;
  const stateIn = (model: Model) => model.end ?? (isOver(model) ? "expired" : "in_progress");
  const refusalIn = (model: Model) => (model.end === "erased" ? "not_found" : `session_${stateIn(model)}`);
  const noAnswers = () => [null, null];
  const endIn = (model: Model, end: "completed" | "cancelled") => {
    if (model.end !== end) Object.assign(model, { end, endedAt: model.now });
  };
  const agree = async (model: Model, { dependencies, address }: Real) => {
    if (model.end === "erased") {
      expect(await outcomeOf(() => getSession(dependencies, address, deadline))).toBe("not_found");
      return;
    }
    const { session } = await getSession(dependencies, address, deadline);
    expect(computeState(session, model.now)).toBe(stateIn(model));
    expect(model.answers.map((_, index) => session.answers[index] ?? null)).toEqual(model.answers);
    expect(session.expiresAt?.getTime() ?? null).toBe(model.expiresAt);
    const { completedAt, cancelledAt } = session;
    expect([completedAt, cancelledAt].map((time) => time?.getTime() ?? null)).toEqual([
      model.end === "completed" ? model.endedAt : null,
      model.end === "cancelled" ? model.endedAt : null,
    ]);
  };
  const steps: fc.Arbitrary<Step>[] = [
    fc.tuple(fc.nat(1), fc.integer({ min: 1, max: 3 })).map(([index, value]) =>
      step<Model, Real>(`answer question ${index} with ${value}`, async (model, real) => {
        const isStored = model.end !== "erased" && model.answers[index] === value;
        const expected = stateIn(model) === "in_progress" || isStored ? "ok" : refusalIn(model);
        const response = { type: QuestionType.LIKERT, value };
        const answers = [{ questionId: real.assessment.questions[index]?.id ?? 0, response }];
        expect(await outcomeOf(() => recordAnswers(real.dependencies, real.address, answers, real.call))).toBe(
          expected,
        );
        if (expected === "ok") model.answers[index] = value;
        await agree(model, real);
      }),
    ),
    fc.constant(
      step<Model, Real>("complete", async (model, real) => {
        const isOpen = stateIn(model) === "in_progress";
        const isRepeated = model.end === "completed";
        const isEmpty = isOpen && model.answers.every((answer) => answer === null);
        const expected = isEmpty ? "invalid_request" : isOpen || isRepeated ? "ok" : refusalIn(model);
        expect(await outcomeOf(() => completeSession(real.dependencies, real.address, nothingMore, real.call))).toBe(
          expected,
        );
        if (expected === "ok") endIn(model, "completed");
        await agree(model, real);
      }),
    ),
    fc.constant(
      step<Model, Real>("erase the person", async (model, real) => {
        const { partnerId } = real.address;
        const person = { partnerId, clientId: someId(), externalId: real.externalId };
        const expected = model.end === "erased" ? "not_found" : "ok";
        expect(await outcomeOf(() => eraseSubject(real.dependencies, person, deadline))).toBe(expected);
        model.end = "erased";
        await agree(model, real);
      }),
    ),
    fc.boolean().map((eraseAnswers) =>
      step<Model, Real>(`cancel${eraseAnswers ? " and erase" : ""}`, async (model, real) => {
        const expected = model.end === null || model.end === "cancelled" ? "ok" : refusalIn(model);
        const cancel = () => cancelSession(real.dependencies, real.address, { eraseAnswers }, real.call);
        expect(await outcomeOf(cancel)).toBe(expected);
        if (expected === "ok") endIn(model, "cancelled");
        if (expected === "ok" && eraseAnswers) model.answers = noAnswers();
        await agree(model, real);
      }),
    ),
    fc.constantFrom(null, 1, 5).map((hours) =>
      step<Model, Real>(`reopen for ${hours} hours`, async (model, real) => {
        const expiresAt = hours === null ? null : model.now + hours * hour;
        const expected = model.end === null ? "ok" : refusalIn(model);
        const until = expiresAt === null ? null : new Date(expiresAt);
        expect(await outcomeOf(() => reopenSession(real.dependencies, real.address, until, real.call))).toBe(expected);
        if (expected === "ok") model.expiresAt = expiresAt;
        await agree(model, real);
      }),
    ),
    // To the millisecond at which a session expires, and to the one before.
    fc.constantFrom(1, hour - 1, hour, 5 * hour).map((ms) =>
      step<Model, Real>(`${ms} ms pass, and the job comes by`, async (model, real) => {
        model.now += ms;
        await emitDueEvents(real.dependencies, signal);
        await agree(model, real);
      }),
    ),
  ];
  const byEither = steps.map((each) =>
    fc
      .tuple(fc.nat(1), each)
      .map(([index, command]) =>
        step<Model, Real>(`process ${index}: ${command}`, (model, real) =>
          command.run(model, { ...real, dependencies: real.processes[index === 0 ? 0 : 1] }),
        ),
      ),
  );
  await holds<Model, Real>(
    byEither,
    async () => {
      const model: Model = { now: begin, expiresAt: begin + 5 * hour, end: null, endedAt: null, answers: noAnswers() };
      const clock = () => model.now;
      const session = someSession({
        assessmentId: 1_000,
        createdAt: new Date(begin),
        expiresAt: new Date(begin + 5 * hour),
      });
      const process = (): Process => {
        const stores = { ...world.stores, sessions: createSessionStore(world.db) };
        return testDependencies(stores, { clock });
      };
      const processes = [process(), process()] as const;
      // So this process has it in its cache.
      await processes[0].sessions.insertSession(session, signal);
      const { partnerId, externalId } = session;
      const address = { partnerId, product: "small-example", sessionId: session.id };
      const assessment = await processes[0].catalogue.getById(session.assessmentId);
      const call = someCall(partnerId, clock);
      return { model, real: { processes, dependencies: processes[0], call, assessment, externalId, address } };
    },
    { runs: 20 },
  );
});
