// Cases of exports: everything of a partner, and nothing of another.
import { expect } from "vitest";
import { LifeContextSchema } from "../../../../src/gen/assessment/v1/assessment_pb.ts";
import { GradeSchema } from "../../../../src/gen/assessment/v1/quality_pb.ts";
import { SessionModeSchema, SessionStatusSchema } from "../../../../src/gen/assessment/v1/session_service_pb.ts";
import { listEnumWords } from "../../../../src/json/bounds.ts";
import type { As, InputOf, Transport } from "../../../support/transports/transports.ts";
import {
  answer,
  bodyOf,
  type Cases,
  completedSession,
  expectRefused,
  fullAnswers,
  newPartner,
  newSession,
  uniqueId,
} from "../case.ts";

const analysed = {
  shownLanguage: null,
  firstLifeContext: "ideal",
  attempt: null,
  grade: null,
  secondsPerAnswer: null,
};
const whole = { answersDeletedAt: null, resultsDeletedAt: null };

const idsOf = async (transport: Transport, as: As, input: InputOf<"exportSessions"> = {}) =>
  bodyOf(await transport.exportSessions(as, input)).sessions.map(({ sessionId }) => sessionId);

export const exportCases: Cases = {
  "an export has every session in the order of creation, with answers and results as other calls give them": async (
    given,
  ) => {
    const { world, transport, as } = await newPartner(given);
    const externalId = uniqueId("person, with a comma");
    const scoredSession = await completedSession(world, { subject: { externalId } });
    const open = await newSession(world);
    bodyOf(
      await transport.recordAnswers(as, open.sessionId, {
        answers: [answer(open.assessment.questions[1]?.id ?? 0, 5)],
      }),
    );
    const { sessions, atEnd } = bodyOf(await transport.exportSessions(as, {}));
    expect(atEnd).toBe(true);
    const status = bodyOf(await transport.getSession(as, scoredSession.sessionId));
    expect(sessions).toEqual([
      {
        sessionId: scoredSession.sessionId,
        externalId,
        mode: "headless",
        status: "completed",
        assessmentVersion: scoredSession.assessment.version,
        form: "long",
        createdAt: status.createdAt,
        completedAt: status.completedAt,
        ...analysed,
        attempt: 1,
        grade: "caution",
        ...whole,
        answers: scoredSession.answers.map(({ questionId, response }) => ({ questionId, value: response.value })),
        results: scoredSession.completed.results,
      },
      {
        sessionId: open.sessionId,
        externalId: open.subject.externalId,
        mode: "headless",
        status: "in_progress",
        assessmentVersion: open.assessment.version,
        form: "long",
        createdAt: expect.any(String),
        completedAt: null,
        ...analysed,
        ...whole,
        answers: [{ questionId: open.assessment.questions[1]?.id, value: 5 }],
        results: null,
      },
    ]);
  },
  "an export continues from a cursor, or some minutes before a session, so that nothing is missed": async (given) => {
    const { world, transport, as } = await newPartner(given);
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) ids.push((await newSession(world)).sessionId);
    expect(await idsOf(transport, as)).toEqual(ids);
    expect(await idsOf(transport, as, { after: ids[1] ?? "" })).toEqual(ids);
    expect(await idsOf(transport, as, { after: (ids[1] ?? "").toUpperCase() })).toEqual(ids);
    const { nextCursor } = bodyOf(await transport.exportSessions(as, {}));
    // All of them were created within the last minute.
    expect(nextCursor < (ids[0] ?? "")).toBe(true);
    expect(await idsOf(transport, as, { after: nextCursor })).toEqual(ids);
    const [settled] = nextCursor.split(".");
    const last = bodyOf(await transport.exportSessions(as, { after: `${settled}.${ids[2]}` }));
    expect(last).toEqual({ sessions: [expect.objectContaining({ sessionId: ids[3] })], nextCursor, atEnd: true });
  },
  "an export counts the completed sessions of a person, in the order of completion": async (given) => {
    const { world, transport, as } = await newPartner(given);
    const subject = { externalId: uniqueId("repeats") };
    const created = await newSession(world, { subject });
    await newSession(world, { subject });
    await completedSession(world, { subject });
    await completedSession(world, { subject: { externalId: uniqueId("once") } });
    bodyOf(await transport.completeSession(as, created.sessionId, { answers: fullAnswers(created) }));
    const { sessions } = bodyOf(await transport.exportSessions(as, {}));
    expect(sessions.map(({ attempt }) => attempt)).toEqual([2, null, 1, 1]);
  },
  "an export has grade and speed as the quality of a session has them, also without its answers": async (given) => {
    const { world, transport, as } = await newPartner(given);
    const session = await newSession(world);
    const answers = fullAnswers(session);
    for (let begin = 0; begin < answers.length; begin += 40)
      bodyOf(await transport.recordAnswers(as, session.sessionId, { answers: answers.slice(begin, begin + 40) }));
    bodyOf(await transport.completeSession(as, session.sessionId, { answers: [] }));
    const { quality } = bodyOf(await transport.getSessionResults(as, session.sessionId, { quality: true }));
    const { response } = quality as { response: { grade: unknown; secondsPerAnswer?: number } };
    for (const include of ["both", "results"] as const) {
      const [exported] = bodyOf(await transport.exportSessions(as, { include })).sessions;
      expect(exported?.grade).toBe("fail");
      expect(exported?.secondsPerAnswer).toBeTypeOf("number");
      expect(response).toMatchObject({ secondsPerAnswer: exported?.secondsPerAnswer });
    }
  },
  "an export may leave out answers and results, and choose a version": async (given) => {
    const { world, transport, as } = await newPartner(given);
    const { sessionId, assessment, answers, completed } = await completedSession(world);
    const [withAnswers] = bodyOf(await transport.exportSessions(as, { include: "answers" })).sessions;
    expect(withAnswers?.answers).toHaveLength(answers.length);
    expect(withAnswers?.results ?? null).toBeNull();
    const [withResults] = bodyOf(await transport.exportSessions(as, { include: "results" })).sessions;
    expect(withResults?.answers ?? []).toEqual([]);
    expect(withResults?.results).toEqual(completed.results);
    const { version } = assessment;
    expect(await idsOf(transport, as, { version })).toEqual([sessionId]);
    if (version > 1) expect(await idsOf(transport, as, { version: version - 1 })).toEqual([]);
  },
  "an export has nothing of another partner, wherever it continues, and is recorded": async (given) => {
    const one = await newPartner(given);
    const other = await newPartner(given);
    const { transport } = given;
    const first = await newSession(one.world);
    const second = await newSession(other.world);
    expect(await idsOf(transport, one.as)).toEqual([first.sessionId]);
    expect(await idsOf(transport, other.as, { after: first.sessionId })).toEqual([second.sessionId]);
    const { records } = bodyOf(await transport.listAuditRecords(one.as, {}));
    expect(records.map(({ action, outcome }) => [action, outcome])).toEqual([["sessions.export", "ok"]]);
  },
  "violations of an export are named, and nothing is written": async ({ transport, alice }) => {
    const expectRefusal = async (input: InputOf<"exportSessions">, code: string) =>
      expectRefused(await transport.exportSessions(alice, input), "invalid_request", [{ pointer: "#", code }]);
    await expectRefusal({ after: "elsewhere" }, "invalid_format");
    const ahead = "ffffffff-0000-7000-8000-000000000000";
    await expectRefusal({ after: `${ahead}.${ahead}` }, "cursor_ahead");
    await expectRefusal({ version: 0 }, "out_of_range");
    expectRefused(await transport.exportSessions(alice, { version: 999_999 }), "not_found");
    expectRefused(await transport.exportSessions({ ...alice, product: "unknown" }, {}), "not_found");
    expectRefused(await transport.getCodebook({ ...alice, product: "unknown" }), "not_found");
    expectRefused(await transport.getCodebook(alice, { version: 999_999 }), "not_found");
  },
  "the codebook of a group is that of its version and form": async (given) => {
    const { transport, alice, bob } = given;
    for (const form of ["long", "short"] as const) {
      const { groupId } = bodyOf(await transport.createGroup(alice, { label: "Team", form }));
      const codebook = bodyOf(await transport.getCodebook(alice, { groupId: groupId.toUpperCase() }));
      expect(codebook.form).toBe(form);
      const { version } = codebook;
      expect(codebook).toEqual(bodyOf(await transport.getCodebook(alice, { version, form })));
      expectRefused(await transport.getCodebook(bob, { groupId }), "not_found");
    }
    const faults = [{ pointer: "#", code: "invalid_format" }];
    expectRefused(await transport.getCodebook(alice, { groupId: "group" }), "invalid_request", faults);
  },
  "a statement has the same number in the codebooks of both forms": async ({ transport, alice }) => {
    const numbersOf = async (form: "long" | "short") =>
      bodyOf(await transport.getCodebook(alice, { form })).columns.flatMap(
        ({ label, statementNumber, valuesBridgeConfig }) =>
          valuesBridgeConfig === null ? [] : [`${valuesBridgeConfig.valueId}.${statementNumber} ${label}`],
      );
    const [long, short] = [await numbersOf("long"), await numbersOf("short")];
    expect(short).toHaveLength(76);
    expect(new Set(short).difference(new Set(long))).toEqual(new Set());
  },
  "the codebook names every column once, with ranges and labels": async ({ transport, alice }) => {
    const { questions, version } = bodyOf(await transport.getPublishedAssessment(alice));
    const codebook = bodyOf(await transport.getCodebook(alice));
    expect(codebook).toMatchObject({ product: "values-bridge", version });
    const names = codebook.columns.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    // What R, SPSS and pandas take as the name of a variable.
    for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]{0,31}$/);
    const sources = new Map(codebook.columns.map((column) => [column.source, column]));
    const [written, ...translated] = sources.get("shownLanguage")?.values ?? [];
    expect(written).toEqual({ value: "en", label: "as the statements were written" });
    expect(translated).toContainEqual({ value: "de", label: "translation, draft" });
    for (const { id, prompt, likertConfig, valuesBridgeConfig } of questions) {
      const column = sources.get(`answers/${id}`);
      expect(column).toMatchObject({
        label: prompt,
        type: "integer",
        minimum: likertConfig?.min,
        maximum: likertConfig?.max,
        valuesBridgeConfig,
      });
      expect(column?.values).toHaveLength(7);
    }
    // Each statement of a value has a number, the same one in both lives.
    const numbered = Map.groupBy(
      codebook.columns.filter(({ valuesBridgeConfig }) => valuesBridgeConfig !== null),
      ({ statementNumber, valuesBridgeConfig }) => `${valuesBridgeConfig?.valueId}.${statementNumber}`,
    );
    expect(numbered.get("19.4")?.map(({ valuesBridgeConfig }) => valuesBridgeConfig?.inverse)).toEqual([true, true]);
    const lives = [...numbered.values()].map((pair) => pair.map((each) => each.valuesBridgeConfig?.lifeContext));
    expect(lives).toEqual(Array.from({ length: questions.length / 2 }, () => ["ideal", "current"]));
    expect(codebook.columns.filter(({ statementNumber }) => statementNumber !== null)).toHaveLength(questions.length);
    expect(names.length).toBe(15 + questions.length + 4 + 19 * 5 + 76);
    for (const [source, words] of [
      ["status", listEnumWords(SessionStatusSchema)],
      ["mode", listEnumWords(SessionModeSchema)],
      ["grade", listEnumWords(GradeSchema)],
      ["firstLifeContext", listEnumWords(LifeContextSchema)],
    ] as const) {
      const values = sources.get(source)?.values ?? [];
      expect(values.map(({ value }) => value)).toEqual(words);
      for (const { label } of values) expect(label).toMatch(/^[^;=]{5,}$/);
    }
  },
};
