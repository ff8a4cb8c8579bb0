// Sessions that end before their completion, as the store keeps them: for whoever writes at the same time, for the job that
// notes the end, and for the log of events.
import { expect, test } from "vitest";
import { computeEventId } from "../../../src/domain/events/event.ts";
import type { NewSession } from "../../../src/domain/sessions/session.ts";
import { emitDueEvents, reopenSession } from "../../../src/services/sessions/lifecycle.ts";
import { at, someArrivals, someAssessment, someRecording, someResults } from "../../support/builders.ts";
import { storeCompleted, storeSession } from "../../support/databases/stored-sessions.ts";
import { signal } from "../../support/deadline.ts";
import { someCall, testDependencies } from "../../support/dependencies.ts";
import { storesOfFile } from "../../support/of-file.ts";
import { logOf, sequenceEvents } from "../../support/webhooks/sequencing.ts";

const [past, future] = [new Date("2020-01-01T00:00:00Z"), new Date("2100-01-01T00:00:00Z")];

const database = await storesOfFile();
const dependencies = testDependencies(database);

/** The events of a session, once all are in the log. */
async function eventsOf({ id, partnerId }: NewSession) {
  await sequenceEvents(database);
  return (await logOf(database, partnerId)).filter(({ resourceId }) => resourceId === id);
}

const typesOf = async (session: NewSession) => (await eventsOf(session)).map(({ type }) => type);
/** What the ids of a session's events end with. */
const idsOf = async (session: NewSession) =>
  (await eventsOf(session)).map((event) => computeEventId(event).replace(/^evt_[0-9a-f]{32}_/, ""));

const at0 = (session: NewSession, revision = 0) => ({ ...session, revision });

test("a session whose answers are erased before its start was announced still counts as started", async () => {
  const { sessions } = database;
  const answered = await storeSession(database);
  await sessions.saveAnswers(answered, 0, someRecording([1], { arrivals: someArrivals(at(3)) }), signal);
  await sessions.saveCancellation(at0(answered, 1), at(4), true, signal);
  expect(await typesOf(answered)).toEqual(["session.created", "session.started", "session.cancelled"]);
  // As a release stores them that does not note when answers arrive.
  const untimed = await storeSession(database);
  await sessions.saveAnswers(untimed, 0, someRecording([1]), signal);
  await sessions.saveCancellation(at0(untimed, 1), at(4), true, signal);
  expect(await typesOf(untimed)).toEqual(["session.created", "session.started", "session.cancelled"]);
  const silent = await storeSession(database);
  await sessions.saveCancellation(at0(silent), at(4), true, signal);
  expect(await typesOf(silent)).toEqual(["session.created", "session.cancelled"]);
});

test("the arrival times of answers are kept, whatever happens to the session between two calls", async () => {
  const { sessions } = database;
  const arrivals = someArrivals(at(3));
  const answered = async (expiresAt: Date | null) => {
    const session = await storeSession(database, { expiresAt });
    expect(await sessions.saveAnswers(session, 0, someRecording([1], { arrivals }), signal)).toBe(true);
    return session;
  };
  const known = async (session: NewSession, revision: number) => {
    const stored = await sessions.findSession(session, signal);
    expect(stored?.revision).toBe(revision);
    return stored?.arrivals;
  };
  const reopened = await answered(future);
  expect(await sessions.saveReopening(at0(reopened, 1), null, signal)).toBe(true);
  expect(await known(reopened, 2)).toEqual(arrivals);
  const overdueSession = await answered(past);
  expect(await sessions.announceDue(overdueSession, await database.now(), signal)).toBe(true);
  expect(await sessions.saveReopening(at0(overdueSession, 2), future, signal)).toBe(true);
  expect(await known(overdueSession, 3)).toEqual(arrivals);
  const ahead = await answered(future);
  expect(await sessions.announceDue(ahead, future, signal)).toBe(true);
  expect(await known(ahead, 2)).toEqual(arrivals);
  const cancelledSession = await answered(null);
  expect(await sessions.saveCancellation(at0(cancelledSession, 1), at(4), false, signal)).toBe(true);
  expect(await known(cancelledSession, 2)).toEqual(arrivals);
});

test("expired sessions are recorded once and announced; open, completed and cancelled ones are not", async () => {
  const { sessions } = database;
  await emitDueEvents(dependencies, signal);
  const over = await storeSession(database, { expiresAt: past });
  const open = await storeSession(database, { expiresAt: future });
  const scoredSession = await storeCompleted(database, { expiresAt: past });
  const cancelledSession = await storeSession(database, { expiresAt: past });
  await sessions.saveCancellation(at0(cancelledSession), at(4), false, signal);
  expect(await emitDueEvents(dependencies, signal)).toBe(1);
  expect(await emitDueEvents(dependencies, signal)).toBe(0);
  expect(await sessions.listDue(10, await database.now(), signal)).toEqual([]);
  expect(await typesOf(over)).toEqual(["session.created", "session.expired"]);
  for (const session of [open, scoredSession, cancelledSession]) {
    expect(await typesOf(session)).not.toContain("session.expired");
  }
});

test("the day of a step is announced once when it begins, and none that had begun, was taken back, or is of deleted results", async () => {
  const { sessions, reportAccess } = database;
  await emitDueEvents(dependencies, signal);
  const today = new Date((await database.now()).toISOString().slice(0, 10));
  const day = (days: number) => new Date(today.getTime() + days * 86_400_000);
  const hour = 3_600_000;
  const choose = (session: NewSession, step: string, days: number, setAt = new Date(today.getTime() - hour)) => {
    const lookAgainOn = day(days).toISOString().slice(0, 10);
    const choice = { step, lookAgainOn, setAt };
    return reportAccess.saveIntention({ partnerId: session.partnerId, sessionId: session.id }, choice, signal);
  };
  const chosen = async (days: number) => {
    const session = await storeCompleted(database, {}, { results: someResults() });
    await choose(session, "Walk", days);
    return session;
  };
  const due = await chosen(0);
  const others = [await chosen(1), await chosen(-1), await chosen(0), await chosen(0), await chosen(0)];
  const [, , movedOn, takenBack, deleted] = others as [NewSession, NewSession, NewSession, NewSession, NewSession];
  await choose(movedOn, "Walk", 1);
  await choose(takenBack, "", 0);
  const deletion = { partnerId: deleted.partnerId, deletedAt: at(9) };
  expect(await sessions.eraseData("results", [deleted.id], deletion, signal)).toBe(1);
  expect(await emitDueEvents(dependencies, signal)).toBe(1);
  await choose(due, "Run", 0);
  const begun = new Date(today.getTime() + hour);
  await choose(due, "Run", 1, begun);
  await choose(due, "Run", 0, begun);
  expect(await emitDueEvents(dependencies, signal)).toBe(0);
  expect(await idsOf(due)).toContain("intention_due");
  for (const session of others) expect(await idsOf(session)).not.toContain("intention_due");
  const later = { ...dependencies, clock: () => day(1).getTime() };
  expect(await emitDueEvents(later, signal)).toBe(2);
});

test("a session that was reopened before its expiry was recorded has expired, and each further expiry is announced too", async () => {
  const { sessions } = database;
  const assessment = someAssessment();
  await database.assessments.insertAssessment(assessment, signal);
  const session = await storeSession(database, { assessmentId: assessment.id, expiresAt: past });
  const address = { product: assessment.product, partnerId: session.partnerId, sessionId: session.id };
  const reopen = () => reopenSession(dependencies, address, null, someCall(session.partnerId));
  const revision = async () => (await sessions.findSession(session, signal))?.revision ?? 0;
  await reopen();
  expect(await emitDueEvents(dependencies, signal)).toBe(0);
  expect(await idsOf(session)).toEqual(["created", "expired"]);
  await sessions.saveReopening(at0(session, await revision()), past, signal);
  expect(await emitDueEvents(dependencies, signal)).toBe(1);
  expect(await emitDueEvents(dependencies, signal)).toBe(0);
  // Unnoticed once more, and then it is completed before anybody looks.
  await sessions.saveReopening(at0(session, await revision()), past, signal);
  await reopen();
  const completion = { ...someRecording([1]), completedAt: at(5), results: null };
  await sessions.saveCompletion(session, await revision(), completion, signal);
  expect(await idsOf(session)).toEqual(["created", "expired", "expired_2", "expired_3", "started", "completed"]);
});

test("a session whose expiry cannot be announced does not hold up those of further batches, and fails the run at its end", async () => {
  const due = [];
  for (let count = 0; count < 3; count += 1) due.push(await storeSession(database, { expiresAt: past }));
  const failing = due[0]?.id;
  const sessions = {
    ...database.sessions,
    async announceDue(...[session, ...rest]: Parameters<typeof database.sessions.announceDue>) {
      if (session.id === failing) throw new Error("it cannot be announced");
      return database.sessions.announceDue(session, ...rest);
    },
  };
  const batchSizes = { ...dependencies.batchSizes, expirations: 2 };
  await expect(emitDueEvents({ ...dependencies, sessions, batchSizes }, signal)).rejects.toThrow("cannot be announced");
  expect(await emitDueEvents(dependencies, signal)).toBe(1);
});
