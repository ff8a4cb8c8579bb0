// A session comes back as it was stored, and a write counts only if nobody wrote in between.
import { expect, test } from "vitest";
import type { NewSession, SessionKey, StoredSession } from "../../../src/domain/sessions/session.ts";
import { at, someRecording, someResults, someSession } from "../../support/builders.ts";
import { storeSession } from "../../support/databases/stored-sessions.ts";
import { signal } from "../../support/deadline.ts";
import { storesOfFile } from "../../support/of-file.ts";

const completion = { ...someRecording([5, null]), completedAt: at(1), results: someResults() };

const kept = { answersDeletedAt: null, resultsDeletedAt: null };

const database = await storesOfFile();

async function stored(name: SessionKey): Promise<StoredSession> {
  const session = await database.sessions.findSession(name, signal);
  if (session === undefined) throw new Error("the session is not stored");
  return session;
}

test.each<Partial<NewSession>>([
  { mode: "headless", redirectUrl: null, locale: null },
  { mode: "hosted", redirectUrl: "https://example.com/zurück?an=Zoë&mit=\u{1f642}#ende", locale: "de-CH-1996" },
  { mode: "hosted", redirectUrl: `https://example.com/${"\u{1f642}".repeat(2028)}`, locale: "a".repeat(35) },
  { assessmentId: 2_147_483_647, externalId: "anon_00000000-0000-4000-8000-000000000000" },
  { externalId: "\u{1f642}".repeat(255) },
  { id: "00000000-0000-7000-8000-000000000000", partnerId: "ffffffff-ffff-ffff-ffff-ffffffffffff" },
])("a new session is read with every field: %j", async (changes) => {
  const { idempotency, ...session } = someSession(changes);
  await database.sessions.insertSession({ ...session, idempotency }, signal);
  expect(await stored(session)).toEqual({
    ...session,
    ...kept,
    completedAt: null,
    cancelledAt: null,
    revision: 0,
    answers: [],
    arrivals: null,
    shownLanguage: null,
    results: null,
  });
});

test("every rating from 0 to 253, and a missing one, is read at its position, in as many as 999 of them", async () => {
  const session = await storeSession(database);
  const answers = Array.from({ length: 999 }, (_, index) => (index % 255 === 254 ? null : index % 255));
  expect(await database.sessions.saveAnswers(session, 0, someRecording(answers), signal)).toBe(true);
  expect((await stored(session)).answers).toEqual(answers);
});

test("exactly one of eight writers with the same revision wins, and its write is stored", async () => {
  const session = await storeSession(database);
  const racers = Array.from({ length: 8 }, (_, racer) => racer);
  const wins = await Promise.all(
    racers.map((racer) =>
      racer % 2 === 0
        ? database.sessions.saveAnswers(session, 0, someRecording([racer]), signal)
        : database.sessions.saveCompletion(session, 0, { ...completion, answers: [racer] }, signal),
    ),
  );
  expect(wins.filter((won) => won)).toHaveLength(1);
  const winner = wins.indexOf(true);
  const completedAt = winner % 2 === 0 ? null : completion.completedAt;
  expect(await stored(session)).toMatchObject({ revision: 1, answers: [winner], completedAt });
});
