// Cases of what refusals say: in one line what is wrong, and to nobody what is not theirs to know.
import { expect } from "vitest";
import { addCaller } from "../../support/app.ts";
import { answer, bodyOf, type Cases, completedSession, expectRefused, fullAnswers, newSession } from "./case.ts";

const nobody = "00000000-0000-7000-8000-000000000000";
const nothing = "There is nothing here that this caller may see.";

export const refusalCases: Cases = {
  "an invalid request is refused in one line with the place and the reason of its first violation": async (world) => {
    const { transport, alice } = world;
    const { sessionId } = await newSession(world);
    const refusal = await transport.recordAnswers(alice, sessionId, {
      answers: [answer(1001, 4), answer(1, 4), answer(2, 4)],
    });
    expectRefused(refusal, "invalid_request", [
      { pointer: "#/answers/1/questionId", code: "unknown_question" },
      { pointer: "#/answers/2/questionId", code: "unknown_question" },
    ]);
    const place = transport.name === "rest" ? "#/answers/1/questionId" : "answers[1].question_id";
    expect(refusal).toMatchObject({ detail: expect.stringMatching(/^\S+: [A-Z][^:]+\.$/) });
    expect(refusal).toMatchObject({ detail: expect.stringContaining(`${place}: `) });
  },
  "a violation in path or query is named when a request is refused in one line": async ({ transport, alice }) => {
    const refusal = await transport.listSessions(alice, { externalId: "x".repeat(256) });
    const place = transport.name === "rest" ? "externalId" : "external_id";
    expect(refusal).toMatchObject({ ok: false, code: "invalid_request" });
    expect(refusal).toMatchObject({ detail: expect.stringContaining(`${place}: `) });
  },
  "a call without its scope is refused with the name of the scope": async ({ app, transport }) => {
    const { token } = await addCaller(app, ["sessions:read"]);
    const detail = "The access token lacks the scope `results:read`, which this operation requires.";
    expect(await transport.getLatestResults({ token }, "x")).toMatchObject({ code: "permission_denied", detail });
  },
  "results of an open session tell its own partner that it is not completed, and others nothing": async (world) => {
    const { transport, alice, bob } = world;
    const { sessionId } = await newSession(world);
    const detail = "The session is not completed, so it has no results.";
    for (const explain of [false, true]) {
      const [own, others, none] = [
        await transport.getSessionResults(alice, sessionId, { explain }),
        await transport.getSessionResults(bob, sessionId, { explain }),
        await transport.getSessionResults(bob, nobody, { explain }),
      ];
      expectRefused(own, "not_found");
      expect(own).toMatchObject({ detail, facts: { reason: "session_not_completed" } });
      expect(others).toMatchObject({ code: "not_found", detail: nothing, facts: {} });
      expect(none).toEqual(others);
    }
    bodyOf(await transport.cancelSession(alice, sessionId));
    expect(await transport.getSessionResults(alice, sessionId)).toMatchObject({ code: "not_found", detail });
  },
  "what programs write in the place of an id is named as no id": async ({ transport, alice }) => {
    for (const text of ["undefined", "null", "None", "NaN", "[object Object]"]) {
      for (const refused of [
        await transport.getSession(alice, text),
        await transport.recordAnswers(alice, text, { answers: [answer(1001, 4)] }),
        await transport.getSessionResults(alice, text),
        await transport.getGroup(alice, text),
      ]) {
        const detail = `\`${text}\` is no id: the request was made before its id was known.`;
        expect(refused).toMatchObject({ ok: false, code: "not_found", detail });
      }
    }
    expect(await transport.getSession(alice, "nonsense")).toMatchObject({ code: "not_found", detail: nothing });
  },
  "an unknown product is not found by any call, and the error says so": async (world) => {
    const { transport, alice } = world;
    const other = { ...alice, product: "other" };
    const { sessionId, subject } = await completedSession(world);
    const detail = "There is no such product. There is: values-bridge.";
    for (const refused of [
      await transport.createSession(other, {}),
      await transport.getSession(other, sessionId),
      await transport.getSession(other, nobody),
      await transport.getSessionResults(other, sessionId),
      await transport.getLatestResults(other, subject.externalId),
      await transport.listSessions(other),
      await transport.getPublishedAssessment(other),
    ]) {
      expect(refused).toMatchObject({ ok: false, code: "not_found", detail });
    }
    expect(await transport.getSession(alice, nobody)).toMatchObject({ code: "not_found", detail: nothing });
  },
  "a completion that requires answers is refused with the ids of the missing ones, and the session stays open": async (
    world,
  ) => {
    const { transport, alice } = world;
    const session = await newSession(world);
    const { sessionId } = session;
    const answers = fullAnswers(session);
    const [first, ...others] = answers.map(({ questionId }) => questionId);
    const complete = (given: typeof answers) =>
      transport.completeSession(alice, sessionId, { answers: given, requireAnswered: true });
    const fault = { pointer: "#/answers", code: "unanswered" };
    for (const [given, missing] of [
      [[], answers.length],
      [answers.slice(0, 1), answers.length - 1],
      [answers.slice(0, -1), 1],
    ] as const) {
      const refusal = await complete([...given]);
      expectRefused(refusal, "invalid_request", [fault]);
      const ids = (given.length === 0 ? [first, ...others] : others).slice(-missing).slice(0, 100);
      expect(refusal).toMatchObject({ facts: { unanswered: ids.join(",") } });
      expect(refusal).toMatchObject({
        detail: expect.stringMatching(`${missing} required questions? ha.* ${ids[0]}`),
      });
      expect(bodyOf(await transport.getSession(alice, sessionId)).status).toBe("in_progress");
    }
    bodyOf(await transport.recordAnswers(alice, sessionId, { answers: answers.slice(0, 100) }));
    bodyOf(await complete(answers.slice(100)));
    bodyOf(await complete([]));
  },
  "one answer completes a session without that requirement, and repeating the call with it changes nothing": async (
    world,
  ) => {
    const { transport, alice } = world;
    const session = await newSession(world);
    const [one] = fullAnswers(session);
    const completed = bodyOf(
      await transport.completeSession(alice, session.sessionId, { answers: one === undefined ? [] : [one] }),
    );
    expect(completed.results?.overall.totalConflictScoreScaled).toBeNull();
    const repeated = await transport.completeSession(alice, session.sessionId, { requireAnswered: true });
    expect(bodyOf(repeated).results).toEqual(completed.results);
  },
  "the log has place and code of each violation of a request, and no value": async ({ app, transport }) => {
    const { token, partnerId } = await addCaller(app);
    const redirectUrl = "ftp://partner.example/planted";
    const refusal = await transport.createSession({ token }, { mode: "hosted", redirectUrl });
    expectRefused(refusal, "invalid_request", [{ pointer: "#/redirectUrl", code: "invalid_format" }]);
    const lines = app.logLines.map((line) => JSON.parse(line)).filter((line) => line.partnerId === partnerId);
    // A gateway of its own refuses what it can: its log is another one.
    if (transport.name !== "rest") expect(lines).toHaveLength(1);
    for (const line of lines) {
      expect(line.violation).toEqual({ pointer: "#/redirectUrl", code: "invalid_format" });
      expect(JSON.stringify(line)).not.toContain("planted");
    }
  },
};
