// All that is held of a person comes back as it was stored, bounded, and with nothing of anybody else.
import { expect, test } from "vitest";
import type { NewSession } from "../../../src/domain/sessions/session.ts";
import { at, someId, someRecording, someResults, someSession } from "../../support/builders.ts";
import { storesOfFile } from "../../support/of-file.ts";

const { signal } = new AbortController();
const beforeAllIds = "00000000-0000-0000-0000-000000000000";

const database = await storesOfFile();

interface Person {
  readonly partnerId: string;
  readonly externalId: string;
}

const newPerson = (): Person => ({ partnerId: someId(), externalId: someId() });

async function completed(person: Person): Promise<NewSession> {
  const session = someSession(person);
  await database.sessions.insertSession(session, signal);
  const completion = { ...someRecording([1, null, 7]), completedAt: at(5), results: someResults() };
  await database.sessions.saveCompletion(session, 0, completion, signal);
  return session;
}

const held = (person: Person, { after = beforeAllIds, limit = 10, views = 10 } = {}) =>
  database.subjectRecords.listSubjectRecords(person, after, limit, views, signal);

test("the last views are returned if there are more than requested, with a mark that there are others", async () => {
  const person = newPerson();
  const { id: sessionId, partnerId } = await completed(person);
  for (const minute of [1, 2, 3]) {
    await database.reportAccess.recordView(
      { partnerId, sessionId, linkHash: null, viewedAt: at(minute * 60_000) },
      signal,
    );
  }
  const viewsOf = async (views: number) => {
    const [one] = await held(person, { views });
    return [one?.reportViews.map(({ viewedAt }) => viewedAt), one?.hasEarlierReportViews];
  };
  expect(await viewsOf(2)).toEqual([[at(120_000), at(180_000)], true]);
  expect(await viewsOf(3)).toEqual([[at(60_000), at(120_000), at(180_000)], false]);
});
