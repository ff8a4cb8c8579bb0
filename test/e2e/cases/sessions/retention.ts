// Cases of sessions whose answers or results a policy of their partner has deleted.

import { expect } from "vitest";
import { Database } from "../../../../src/database/database.ts";
import type { DataClass } from "../../../../src/domain/sessions/session.ts";
import { applyRetention } from "../../../../src/services/retention/retention.ts";
import { createStores } from "../../../../src/store/stores.ts";
import { onEachShard } from "../../../support/databases/shards.ts";
import { signal } from "../../../support/deadline.ts";
import { testDependencies } from "../../../support/dependencies.ts";
import {
  anyTime,
  bodyOf,
  type Cases,
  completedSession,
  dayMs,
  expectRefused,
  newPartner,
  uniqueId,
  type World,
} from "../case.ts";

/** A completed session of a partner of its own; two days later, a policy has deleted a part of it. */
async function sessionWithout(given: World, part: DataClass) {
  const { world, partnerId } = await newPartner(given);
  const externalId = uniqueId("person");
  const session = await completedSession(world, { subject: { externalId } });
  const results = bodyOf(await world.transport.getSessionResults(world.alice, session.sessionId));
  await applyPolicy(world, partnerId, part);
  return { world, externalId, session, results };
}

async function applyPolicy({ app }: World, partnerId: string, part: DataClass): Promise<void> {
  const db = new Database({ address: app.database.address, poolSize: 2, warn: () => undefined });
  try {
    const dependencies = testDependencies(createStores(db), { clock: () => Date.now() + 2 * dayMs });
    const days = { expiresAfterDays: null, deleteCompletedAfterDays: null, deleteOpenAfterDays: null };
    const deleteAnswersAfterDays = part === "answers" ? 1 : null;
    const parts = { deleteAnswersAfterDays, deleteResultsAfterDays: part === "results" ? 1 : null };
    await dependencies.sessionPolicies.savePolicy({ partnerId, mode: "headless", ...days, ...parts }, signal);
    await onEachShard(app.database.address, (shard) => applyRetention({ ...dependencies, ...shard }, signal));
  } finally {
    await db.destroy();
  }
}

export const retentionCases: Cases = {
  "results stay as they were when the answers are deleted, and every response says when that was": async (given) => {
    const { world, externalId, session, results } = await sessionWithout(given, "answers");
    const { transport, alice } = world;
    const { sessionId } = session;
    expect(bodyOf(await transport.getSessionResults(alice, sessionId))).toEqual(results);
    expect(bodyOf(await transport.getLatestResults(alice, externalId))).toMatchObject(results);
    const deleted = { status: "completed", answersDeletedAt: anyTime };
    const status = bodyOf(await transport.getSession(alice, sessionId));
    expect(status).toMatchObject(deleted);
    expect(status).not.toHaveProperty("resultsDeletedAt");
    const entry = { sessionId, ...deleted, resultsDeletedAt: null };
    expect(bodyOf(await transport.listSessions(alice)).sessions).toMatchObject([entry]);
    const [inHistory] = bodyOf(await transport.listSubjectSessions(alice, externalId)).sessions;
    expect(inHistory).toMatchObject({ ...entry, totals: results.results.overall });
    const exported = { ...entry, answers: [], results: results.results };
    const lines = bodyOf(await transport.exportSessions(alice, {})).sessions;
    expect(lines.map((line) => ({ ...line, answers: line.answers ?? [] }))).toMatchObject([exported]);
    const held = { ...exported, explanation: null, quality: null };
    expect(bodyOf(await transport.exportSubject(alice, externalId)).sessions).toMatchObject([held]);
  },
  "deleted answers have no explanation, quality, report or change": async (given) => {
    const { world, externalId, session } = await sessionWithout(given, "answers");
    const { transport, alice } = world;
    const { sessionId } = session;
    expectRefused(await transport.getSessionResults(alice, sessionId, { explain: true }), "not_found");
    expectRefused(await transport.getSessionResults(alice, sessionId, { quality: true }), "not_found");
    expectRefused(await transport.getLatestResults(alice, externalId, { quality: true }), "not_found");
    expectRefused(await transport.getReport(alice, { sessionId }), "not_found");
    expectRefused(await transport.renderReport(alice, { sessionId }), "not_found");
    await completedSession(world, { subject: { externalId } });
    expectRefused(await transport.getChange(alice, externalId), "not_found");
  },
  "deleted results are not found, and every other response says when they were deleted": async (given) => {
    const { world, externalId, session } = await sessionWithout(given, "results");
    const { transport, alice } = world;
    const { sessionId, answers } = session;
    expectRefused(await transport.getSessionResults(alice, sessionId), "not_found");
    expectRefused(await transport.getLatestResults(alice, externalId), "not_found");
    expectRefused(await transport.getReport(alice, { sessionId }), "not_found");
    expectRefused(await transport.getSessionResults(alice, sessionId, { quality: true }), "not_found");
    const deleted = { status: "completed", resultsDeletedAt: anyTime };
    expect(bodyOf(await transport.getSession(alice, sessionId))).toMatchObject(deleted);
    const entry = { sessionId, ...deleted, answersDeletedAt: null };
    expect(bodyOf(await transport.listSessions(alice)).sessions).toMatchObject([entry]);
    const { sessions } = bodyOf(await transport.listSubjectSessions(alice, externalId));
    expect(sessions).toMatchObject([{ ...entry, totals: null }]);
    const [exported] = bodyOf(await transport.exportSessions(alice, {})).sessions;
    expect(exported).toMatchObject({ ...entry, results: null });
    expect(exported?.answers).toHaveLength(answers.length);
    const [held] = bodyOf(await transport.exportSubject(alice, externalId)).sessions;
    expect(held).toMatchObject({ ...entry, results: null, explanation: null, quality: null });
    expect(held?.answers).toHaveLength(answers.length);
    const repeated = bodyOf(await transport.completeSession(alice, sessionId, { answers }));
    expect(repeated).toMatchObject({ status: "completed", results: null });
  },
  "a session with deleted answers accepts none, and its person can still be erased": async (given) => {
    const { world, externalId, session } = await sessionWithout(given, "answers");
    const { transport, alice } = world;
    const { sessionId, answers } = session;
    expectRefused(await transport.recordAnswers(alice, sessionId, { answers }), "session_completed");
    expectRefused(await transport.completeSession(alice, sessionId, { answers }), "session_completed");
    bodyOf(await transport.eraseSubject(alice, externalId));
    expectRefused(await transport.getSession(alice, sessionId), "not_found");
  },
};
