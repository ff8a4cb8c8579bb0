// All that is held of a person comes back as it was stored, bounded, and with nothing of anybody else.
import { NIL } from "uuid";
import { expect, test } from "vitest";
import { at } from "../../support/builders.ts";
import { storeCompleted } from "../../support/databases/stored-sessions.ts";
import { storesOfFile } from "../../support/of-file.ts";

const { signal } = new AbortController();

const database = await storesOfFile();

test("the last views are returned if there are more than requested, with a mark that there are others", async () => {
  const session = await storeCompleted(database);
  const { id: sessionId, partnerId } = session;
  for (const minute of [1, 2, 3]) {
    const viewedAt = at(minute * 60_000);
    await database.reportAccess.recordView({ partnerId, sessionId, linkHash: null, viewedAt }, signal);
  }
  const viewsOf = async (views: number) => {
    const [one] = await database.subjectRecords.listSubjectRecords(session, NIL, 10, views, signal);
    return [one?.reportViews.map(({ viewedAt }) => viewedAt), one?.hasEarlierReportViews];
  };
  expect(await viewsOf(2)).toEqual([[at(120_000), at(180_000)], true]);
  expect(await viewsOf(3)).toEqual([[at(60_000), at(120_000), at(180_000)], false]);
});
