// Cases of exports of one person: all that is held of them, and nothing of anybody else.
import { expect } from "vitest";
import { Visitor } from "../../../support/browser/visitor.ts";
import {
  answer,
  anyTime,
  bodyOf,
  type Cases,
  completedSession,
  expectRefused,
  newPartner,
  newSession,
  uniqueId,
  type World,
} from "../case.ts";

async function exported({ transport, alice }: World, externalId: string, after?: string) {
  return bodyOf(await transport.exportSubject(alice, externalId, after === undefined ? {} : { after }));
}

export const subjectExportCases: Cases = {
  "an export of a person has a completed session with wording, results and everything that other calls return": async (
    world,
  ) => {
    const { transport, alice } = world;
    const subject = { externalId: `${uniqueId("a/b?c#d")} é%2F` };
    const { sessionId, assessment, answers, completed } = await completedSession(world, { subject });
    const { explanation } = bodyOf(await transport.getSessionResults(alice, sessionId, { explain: true }));
    const { quality } = bodyOf(await transport.getSessionResults(alice, sessionId, { quality: true }));
    const status = bodyOf(await transport.getSession(alice, sessionId));
    const { sessions, ...rest } = await exported(world, subject.externalId);
    expect(rest).toMatchObject({
      subject: { externalId: subject.externalId, anonymous: false },
      nextCursor: expect.stringMatching(/^[0-9a-f-]{36}\.[0-9a-f-]{36}$/),
      atEnd: true,
    });
    expect(sessions).toEqual([
      {
        sessionId,
        mode: "headless",
        status: "completed",
        assessmentVersion: assessment.version,
        form: "long",
        createdAt: status.createdAt,
        completedAt: status.completedAt,
        cancelledAt: null,
        expiresAt: null,
        answersDeletedAt: null,
        resultsDeletedAt: null,
        group: null,
        redirectUrl: null,
        locale: null,
        personAccess: "none",
        shownLanguage: null,
        statementLanguage: "en",
        answers: answers.map(({ questionId, response: { value } }, index) => {
          const question = assessment.questions[index];
          const label = question?.choices.find(({ id }) => id === value)?.label;
          return { questionId, statement: question?.prompt, value, label };
        }),
        arrivals: {
          firstAnswerAt: status.completedAt,
          lastAnswerAt: status.completedAt,
          answerCalls: 1,
          firstCallAnswers: answers.length,
        },
        results: completed.results,
        explanation,
        quality,
        links: [],
        browserSessions: [],
        reportViews: [],
        hasEarlierReportViews: false,
        intention: null,
      },
    ]);
  },
  "an export of a person has sessions in every state, in the order of creation, each recorded as exported": async (
    given,
  ) => {
    const { world, transport, alice } = await newPartner(given);
    const externalId = uniqueId("person");
    const subject = { externalId };
    const open = await newSession(world, { subject });
    const questionId = open.assessment.questions[1]?.id ?? 0;
    bodyOf(await transport.recordAnswers(alice, open.sessionId, { answers: [answer(questionId, 5)] }));
    const cancelledSession = await newSession(world, { subject });
    bodyOf(await transport.cancelSession(alice, cancelledSession.sessionId));
    await newSession(world, { subject: { externalId: `${externalId} too` } });
    const last = await completedSession(world, { subject });
    const { sessions, nextCursor } = await exported(world, externalId);
    expect(sessions.map(({ sessionId, status }) => [sessionId, status])).toEqual([
      [open.sessionId, "in_progress"],
      [cancelledSession.sessionId, "cancelled"],
      [last.sessionId, "completed"],
    ]);
    expect(sessions[0]).toMatchObject({
      answers: [{ questionId, statement: open.assessment.questions[1]?.prompt, value: 5 }],
      arrivals: { answerCalls: 1, firstCallAnswers: 1 },
      results: null,
      explanation: null,
      quality: null,
    });
    expect(sessions[1]).toMatchObject({ answers: [], arrivals: null, cancelledAt: anyTime });
    // All of them are of the last minute, in which others may still be stored.
    for (const after of [open.sessionId.toUpperCase(), nextCursor]) {
      expect(await exported(world, externalId, after)).toMatchObject({ sessions, atEnd: true });
    }
    const [settled] = nextCursor.split(".");
    const rest = await exported(world, externalId, `${settled}.${open.sessionId}`);
    expect(rest.sessions).toEqual(sessions.slice(1));
    const { records } = bodyOf(await transport.listAuditRecords(alice, {}));
    const exports = records.filter(({ action, outcome }) => action === "subject.export" && outcome === "ok");
    const ofFirstCall = exports.filter(({ requestId }) => requestId === exports.at(-1)?.requestId);
    expect(ofFirstCall.map(({ sessionId }) => sessionId).toSorted()).toEqual(
      sessions.map(({ sessionId }) => sessionId).toSorted(),
    );
  },
  "an export of a person has links and their views, and no token": async (world) => {
    const { app, transport, alice } = world;
    const externalId = uniqueId("person");
    const subject = { externalId };
    const redirectUrl = "https://partner.test/back";
    const hostedSession = bodyOf(
      await transport.createSession(alice, {
        subject,
        mode: "hosted",
        redirectUrl,
        locale: "de",
        personAccess: "after_completion",
      }),
    );
    await new Visitor(app.httpUrl).open(hostedSession.hostedUrl ?? "");
    const { sessionId } = await completedSession(world, { subject });
    const view = { locale: "de", name: "Zoë", date: "2026-11-23", timeZone: "Europe/Berlin" };
    const link = bodyOf(await transport.createReportLink(alice, sessionId, view));
    const visitor = new Visitor(app.httpUrl);
    await visitor.get(await visitor.open(link.reportUrl));
    const intention = { step: "Call one person", lookAgainOn: "2027-01-07" };
    bodyOf(await transport.setIntention(alice, sessionId, intention));
    const outcome = await exported(world, externalId);
    const [first, second] = outcome.sessions;
    const access = { createdAt: anyTime, expiresAt: anyTime };
    expect(first).toMatchObject({
      mode: "hosted",
      redirectUrl,
      locale: "de",
      personAccess: "after_completion",
      links: [{ target: "hosted", ...access, locale: null, name: null, date: null, timeZone: null }],
      browserSessions: [{ target: "hosted", ...access }],
      reportViews: [],
    });
    expect(second).toMatchObject({
      links: [{ target: "report", ...access, ...view }],
      browserSessions: [{ target: "report", ...access }],
      reportViews: [{ viewedAt: anyTime, byLink: true }],
      hasEarlierReportViews: false,
      intention: { ...intention, setAt: anyTime },
    });
    const tokens = [hostedSession.hostedUrl, link.reportUrl].map((url) => url?.split("/").at(-1) ?? "");
    for (const token of tokens) expect(JSON.stringify(outcome)).not.toContain(token);
  },
  "an export of an unknown person, of another partner's and of an erased one is not found alike": async (world) => {
    const { transport, alice, bob } = world;
    const externalId = uniqueId("person");
    const unknown = await transport.exportSubject(alice, externalId);
    expectRefused(unknown, "not_found");
    const { sessionId } = await completedSession(world, { subject: { externalId } });
    expect(await transport.exportSubject(bob, externalId)).toEqual(unknown);
    expect(bodyOf(await transport.exportSubject(bob, externalId, { after: sessionId }))).toMatchObject({
      sessions: [],
    });
    expectRefused(await transport.exportSubject({ ...alice, product: "unknown" }, externalId), "not_found");
    bodyOf(await transport.eraseSubject(alice, externalId));
    expect(await transport.exportSubject(alice, externalId)).toEqual(unknown);
  },
  "an export of an anonymous person is theirs alone": async (world) => {
    const one = await newSession(world);
    await newSession(world);
    const { subject, sessions } = await exported(world, one.subject.externalId);
    expect(subject).toEqual(one.subject);
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual([one.sessionId]);
  },
  "an invalid cursor of an export of a person is refused": async (world) => {
    const { transport, alice } = world;
    const { subject } = await newSession(world);
    const fault = { pointer: "#", code: "invalid_format" };
    const refusal = await transport.exportSubject(alice, subject.externalId, { after: "elsewhere" });
    expectRefused(refusal, "invalid_request", [fault]);
  },
};
