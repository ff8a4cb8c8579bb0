// Cases of lists: a partner finds its sessions again, and what became of a person over time.
import { v7 as uuidv7 } from "uuid";
import { expect } from "vitest";
import { uuidToBytes } from "../../../../src/kernel/ids.ts";
import type { BodyOf, InputOf } from "../../../support/transports/transports.ts";
import {
  answer,
  bodyOf,
  type Cases,
  completedSession,
  expectRefused,
  fullAnswers,
  hostedMode,
  newPartner,
  newSession,
  uniqueId,
  type World,
} from "../case.ts";

const unended = { cancelledAt: null, expiresAt: null, answersDeletedAt: null, resultsDeletedAt: null };

/** The ids of every page, read to the end. */
async function listAll({ transport, alice }: World, input: InputOf<"listSessions"> = {}): Promise<string[]> {
  const ids: string[] = [];
  let after: string | null = "";
  while (after !== null) {
    const page: BodyOf<"listSessions"> = bodyOf(
      await transport.listSessions(alice, { ...input, ...(after === "" ? {} : { after }) }),
    );
    expect(page.sessions.length).toBeLessThanOrEqual(input.limit ?? 100);
    ids.push(...page.sessions.map(({ sessionId }) => sessionId));
    after = page.next;
  }
  return ids;
}

export const sessionListCases: Cases = {
  "a session in a list has its person, its progress and its version": async (world) => {
    const { world: own, transport, alice } = await newPartner(world);
    const externalId = uniqueId("person");
    const scoredSession = await completedSession(own, { subject: { externalId } });
    const open = bodyOf(await transport.createSession(alice, hostedMode));
    const total = scoredSession.answers.length;
    const statuses = [];
    for (const id of [open.sessionId, scoredSession.sessionId])
      statuses.push(bodyOf(await transport.getSession(alice, id)));
    expect(bodyOf(await transport.listSessions(alice))).toEqual({
      sessions: [
        {
          ...statuses[0],
          ...unended,
          mode: "hosted",
          subject: open.subject,
          assessmentVersion: scoredSession.assessment.version,
          form: "long",
          progress: { answered: 0, total, lastActivityAt: statuses[0]?.createdAt },
        },
        {
          ...statuses[1],
          ...unended,
          mode: "headless",
          subject: { id: scoredSession.subject.id, externalId, anonymous: false },
          assessmentVersion: scoredSession.assessment.version,
          form: "long",
          progress: { answered: total, total, lastActivityAt: statuses[1]?.completedAt },
        },
      ],
      next: null,
    });
  },
  "lists distinguish who has not begun, who stopped half-way and since when, and who has answered all": async (
    world,
  ) => {
    const { world: own, transport, alice } = await newPartner(world);
    const untouched = await newSession(own);
    const half = await newSession(own, { subject: { externalId: uniqueId("half") } });
    const answers = fullAnswers(half);
    bodyOf(await transport.recordAnswers(alice, half.sessionId, { answers: answers.slice(0, 50) }));
    const full = await newSession(own);
    bodyOf(await transport.recordAnswers(alice, full.sessionId, { answers }));
    const scoredSession = await completedSession(own);
    const shortened = await newSession(own);
    bodyOf(await transport.completeSession(alice, shortened.sessionId, { answers: answers.slice(0, 3) }));
    const cancelledSession = await newSession(own);
    bodyOf(await transport.cancelSession(alice, cancelledSession.sessionId));
    const ids = async (input: InputOf<"listSessions">) => listAll(own, input);
    const idsOf = (...sessions: { readonly sessionId: string }[]) => sessions.map(({ sessionId }) => sessionId);
    for (const limit of [1, 200]) {
      expect(await ids({ progress: "not_started", limit })).toEqual(idsOf(cancelledSession, untouched));
      expect(await ids({ progress: "partly_answered", limit })).toEqual(idsOf(shortened, half));
      expect(await ids({ progress: "all_answered", limit })).toEqual(idsOf(scoredSession, full));
    }
    const open = { status: "in_progress" };
    expect(await ids({ ...open, progress: "not_started" })).toEqual(idsOf(untouched));
    const { externalId } = half.subject;
    expect(await ids({ externalId, progress: "partly_answered" })).toEqual(idsOf(half));
    expect(await ids({ externalId, progress: "not_started" })).toEqual([]);

    const partly = { ...open, progress: "partly_answered" };
    const [listed] = bodyOf(await transport.listSessions(alice, partly)).sessions;
    const { progress, createdAt } = listed ?? { progress: undefined, createdAt: "" };
    expect(progress).toMatchObject({ answered: 50, total: answers.length });
    const lastActivityAt = progress?.lastActivityAt ?? "";
    expect(lastActivityAt > createdAt).toBe(true);
    const later = new Date(Date.parse(lastActivityAt) + 1).toISOString();
    expect(await ids({ ...partly, lastActivityBefore: later })).toEqual(idsOf(half));
    expect(await ids({ ...partly, lastActivityBefore: lastActivityAt })).toEqual([]);
    expect(await ids({ lastActivityBefore: later })).toEqual(idsOf(half, untouched));
    expect(await ids({ lastActivityBefore: later, createdBefore: createdAt })).toEqual(idsOf(untouched));
    const history = bodyOf(await transport.listSubjectSessions(alice, externalId)).sessions;
    expect(history.map((session) => session.progress)).toEqual([progress]);
  },
  "sessions with deleted answers are in lists, and match no filter of progress": async (world) => {
    const { world: own, transport, alice, app } = await newPartner(world);
    const { sessionId } = await completedSession(own);
    const noted = await newSession(own);
    bodyOf(await transport.recordAnswers(alice, noted.sessionId, { answers: [answer(1001, 4)] }));
    // As a policy leaves it.
    const deletes = "UPDATE sessions SET answers = '', answers_deleted_at = NOW(3) WHERE id = ?";
    await app.database.connection.query(deletes, [uuidToBytes(sessionId)]);
    const listed = bodyOf(await transport.listSessions(alice)).sessions;
    expect(listed.map(({ progress }) => progress)).toMatchObject([
      { answered: 1, lastActivityAt: expect.any(String) },
      { answered: null, lastActivityAt: expect.any(String) },
    ]);
    for (const progress of ["not_started", "all_answered"]) expect(await listAll(own, { progress })).toEqual([]);
    expect(await listAll(own, { progress: "partly_answered" })).toEqual([noted.sessionId]);
    const lastActivityBefore = new Date(Date.now() + 60_000).toISOString();
    expect(await listAll(own, { lastActivityBefore })).toEqual([noted.sessionId, sessionId]);
  },
  "a list has the sessions that match all filters": async (world) => {
    const { world: own, transport, alice } = await newPartner(world);
    const externalId = uniqueId("person é");
    const first = await completedSession(own, { subject: { externalId } });
    const second = await newSession(own, { subject: { externalId } });
    const third = bodyOf(await transport.createSession(alice, hostedMode));
    const { version } = first.assessment;
    const ids = async (input: InputOf<"listSessions">) => listAll(own, input);
    expect(await ids({ status: "completed" })).toEqual([first.sessionId]);
    expect(await ids({ status: "in_progress" })).toEqual([third.sessionId, second.sessionId]);
    expect(await ids({ mode: "hosted" })).toEqual([third.sessionId]);
    expect(await ids({ mode: "headless", status: "in_progress" })).toEqual([second.sessionId]);
    expect(await ids({ externalId })).toEqual([second.sessionId, first.sessionId]);
    expect(await ids({ externalId, status: "completed", limit: 1 })).toEqual([first.sessionId]);
    expect(await ids({ externalId: third.subject.externalId })).toEqual([third.sessionId]);
    expect(await ids({ externalId: externalId.toUpperCase() })).toEqual([]);
    expect(await ids({ version })).toHaveLength(3);
    expect(await ids({ version: version + 1 })).toEqual([]);
  },
  "ranges of creation and completion include their first moment, and not their last": async (world) => {
    const { world: own, transport, alice } = await newPartner(world);
    const { sessionId } = await completedSession(own);
    const { createdAt, completedAt } = bodyOf(await transport.getSession(alice, sessionId));
    const later = (time: string) => new Date(Date.parse(time) + 1).toISOString();
    const countListed = async (input: InputOf<"listSessions">) => (await listAll(own, input)).length;
    expect(await countListed({ createdAfter: createdAt, createdBefore: later(createdAt) })).toBe(1);
    expect(await countListed({ createdAfter: later(createdAt) })).toBe(0);
    expect(await countListed({ createdBefore: createdAt })).toBe(0);
    const completed = completedAt ?? "";
    expect(await countListed({ completedAfter: completed, completedBefore: later(completed) })).toBe(1);
    expect(await countListed({ completedAfter: later(completed) })).toBe(0);
    expect(await countListed({ completedBefore: completed })).toBe(0);
  },
  "a filter that matches hardly anything gives pages without sessions, and cursors that lead to the end": async (
    world,
  ) => {
    const { world: own, transport, alice, app } = await newPartner(world);
    const { sessionId } = await completedSession(own);
    // Copies of an older open session, as many as two pages look at.
    const { connection } = app.database;
    const open = await newSession(own);
    const columns = "partner_id, external_id, product, assessment_id, mode, revision, created_at, answers";
    for (let from = 0; from < 2_000; from += 100) {
      const ids = Array.from({ length: 100 }, (_, index) => uuidv7({ msecs: from + index }).replaceAll("-", ""));
      const values = ids.map((hex) => `SELECT UNHEX('${hex}') AS id`).join(" UNION ALL ");
      await connection.query(
        `INSERT INTO sessions (id, ${columns}) SELECT n.id, ${columns.replaceAll(/\w+/g, "s.$&")}
         FROM (${values}) AS n JOIN sessions AS s ON s.id = UNHEX(REPLACE(?, '-', ''))`,
        [open.sessionId],
      );
    }
    const page = bodyOf(await transport.listSessions(alice, { status: "completed" }));
    expect(page.sessions.map((session) => session.sessionId)).toEqual([sessionId]);
    expect(page.next).not.toBeNull();
    const second = bodyOf(await transport.listSessions(alice, { status: "completed", after: page.next ?? "" }));
    expect(second.sessions).toEqual([]);
    expect(second.next).not.toBeNull();
    expect(await listAll(own, { status: "completed" })).toEqual([sessionId]);
    expect(await listAll(own, { limit: 200 })).toHaveLength(2_002);
    const partly = bodyOf(await transport.listSessions(alice, { progress: "partly_answered" }));
    expect(partly.sessions).toEqual([]);
    expect(partly.next).not.toBeNull();
    expect(await listAll(own, { progress: "partly_answered" })).toEqual([]);
    expect(await listAll(own, { progress: "not_started", limit: 200 })).toHaveLength(2_001);
  },
  "a list holds nothing of another partner, filters and cursors or not": async (world) => {
    const { transport, bob } = world;
    const own = (await newPartner(world)).world;
    const externalId = uniqueId("person");
    for (let count = 0; count < 2; count += 1) await newSession(own, { subject: { externalId } });
    expect(bodyOf(await transport.listSessions(bob, { externalId }))).toEqual({ sessions: [], next: null });
    const { next } = bodyOf(await transport.listSessions(own.alice, { limit: 1 }));
    const page = bodyOf(await transport.listSessions(bob, { externalId, after: next ?? "" }));
    expect(page).toEqual({ sessions: [], next: null });
  },
  "a text that is no cursor is refused": async ({ transport, alice }) => {
    const fault = [{ pointer: "#", code: "invalid_format" }];
    for (const after of ["nonsense", "%", "1"]) {
      expectRefused(await transport.listSessions(alice, { after }), "invalid_request", fault);
      expectRefused(await transport.listSubjectSessions(alice, "a", { after }), "invalid_request", fault);
    }
  },
  "times before 1970 are refused as filters": async ({ transport, alice }) => {
    const fault = [{ pointer: "#", code: "out_of_range" }];
    const early = "1969-12-31T23:59:59Z";
    for (const input of [{ createdAfter: early }, { lastActivityBefore: early }]) {
      expectRefused(await transport.listSessions(alice, input), "invalid_request", fault);
    }
  },
  "the history of a person shows each session, newest first, with the totals of its results": async (world) => {
    const { transport, alice } = world;
    const externalId = `${uniqueId("person")}/é`;
    const first = await completedSession(world, { subject: { externalId } });
    const second = await newSession(world, { subject: { externalId } });
    const changed = fullAnswers(second).map(({ questionId, response }) => answer(questionId, 8 - response.value));
    const completed = bodyOf(await transport.completeSession(alice, second.sessionId, { answers: changed }));
    const open = await newSession(world, { subject: { externalId } });
    await newSession(world, { subject: { externalId: uniqueId("another") } });
    const page = bodyOf(await transport.listSubjectSessions(alice, externalId));
    expect(page).toEqual({
      subject: { externalId },
      sessions: [open, second, first].map(({ sessionId, assessment }) => ({
        sessionId,
        status: sessionId === open.sessionId ? "in_progress" : "completed",
        mode: "headless",
        assessmentVersion: assessment.version,
        form: "long",
        createdAt: expect.any(String),
        completedAt: sessionId === open.sessionId ? null : expect.any(String),
        ...unended,
        progress: {
          answered: sessionId === open.sessionId ? 0 : assessment.questions.length,
          total: assessment.questions.length,
          lastActivityAt: expect.any(String),
        },
        totals:
          sessionId === open.sessionId
            ? null
            : (sessionId === second.sessionId ? completed : first.completed).results?.overall,
      })),
      next: null,
    });
    const ids: string[] = [];
    let after = "";
    for (;;) {
      const each = bodyOf(await transport.listSubjectSessions(alice, externalId, { limit: 1, after }));
      ids.push(...each.sessions.map(({ sessionId }) => sessionId));
      if (each.next === null) break;
      after = each.next;
    }
    expect(ids).toEqual(page.sessions.map(({ sessionId }) => sessionId));
  },
  "an erased person is in no list, and their history is gone": async (world) => {
    const { world: own, transport, alice } = await newPartner(world);
    const externalId = uniqueId("person");
    await completedSession(own, { subject: { externalId } });
    const { sessionId } = await newSession(own);
    bodyOf(await transport.eraseSubject(alice, externalId));
    expect(await listAll(own)).toEqual([sessionId]);
    expectRefused(await transport.listSubjectSessions(alice, externalId), "not_found");
  },
};
