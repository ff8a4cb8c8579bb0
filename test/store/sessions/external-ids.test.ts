// External ids are compared byte for byte: what looks alike is not the same person.
import { expect, test } from "vitest";
import { eraseSubject } from "../../../src/services/subjects/subject-service.ts";
import { at, someAssessment, someId, someRecording, someResults, someSession } from "../../support/builders.ts";
import { testDependencies } from "../../support/dependencies.ts";
import { storesOfFile } from "../../support/of-file.ts";

const { signal } = new AbortController();
const assessment = someAssessment();
const emoji = "\u{1f642}";
const lookalikes = [
  "Bob",
  "bob",
  "BOB",
  "Bob ",
  " Bob",
  "Bob\u00a0",
  "B\u00f6b",
  "Bo\u0308b",
  "Bo\u200db",
  "Stra\u00dfe",
  "Strasse",
  emoji.repeat(255),
  emoji.repeat(254),
  `${emoji.repeat(254)}\u{1f643}`,
  "0",
  "00",
  "a/b%20c?d#e",
  "\\",
  "\\\\",
  "'",
  "_",
  "%",
];

const database = await storesOfFile();
await database.assessments.insertAssessment(assessment, signal);

/** A completed session of each of them. @returns the session ids by external id */
async function completeSessions(partnerId: string, externalIds: readonly string[]): Promise<Map<string, string>> {
  const sessionIds = new Map<string, string>();
  for (const externalId of externalIds) {
    const session = someSession({ partnerId, externalId, product: assessment.product, assessmentId: assessment.id });
    await database.sessions.insertSession(session, signal);
    const completion = { ...someRecording([1]), completedAt: at(1), results: someResults() };
    await database.sessions.saveCompletion(session, 0, completion, signal);
    sessionIds.set(externalId, session.id);
  }
  return sessionIds;
}

async function latestSessionId(partnerId: string, externalId: string): Promise<string | undefined> {
  const outcome = await database.sessions.findLatestCompleted(assessment.product, partnerId, externalId, signal);
  return outcome?.id;
}

test("erasing a person leaves those whose external ids look alike", async () => {
  const partnerId = someId();
  const left = await completeSessions(partnerId, lookalikes);
  for (const externalId of lookalikes) {
    const ids = await database.sessions.listSessionIds(partnerId, externalId, 100, signal);
    expect(ids, externalId).toEqual([left.get(externalId)]);
    const deadline = { signal, at: Number.POSITIVE_INFINITY };
    expect(await eraseSubject(testDependencies(database), { partnerId, externalId }, deadline)).toBe(1);
    left.delete(externalId);
    for (const [other, sessionId] of left) expect(await latestSessionId(partnerId, other)).toBe(sessionId);
    expect(await latestSessionId(partnerId, externalId), externalId).toBeUndefined();
  }
});
