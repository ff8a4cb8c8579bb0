// Moments are stored in UTC, wherever the service runs.
import { afterAll, expect, test } from "vitest";
import { storeSession } from "../../support/databases/stored-sessions.ts";
import { countOf } from "../../support/databases/stores.ts";
import { signal } from "../../support/deadline.ts";
import { storesOfFile } from "../../support/of-file.ts";

const zone = process.env.TZ;

process.env.TZ = "Europe/Zurich";
const database = await storesOfFile();
afterAll(async () => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

test.each([
  ["in winter", "2026-11-20 12:00:00.001"],
  ["in the hour that clocks skip", "2026-03-29 02:30:00.001"],
  ["when clocks show an hour for the first time", "2026-10-25 00:30:00.001"],
  ["when clocks show the same hour again", "2026-10-25 01:30:00.001"],
])("a moment %s is stored in UTC and read back unchanged", async (_, text) => {
  const createdAt = new Date(`${text.replace(" ", "T")}Z`);
  expect(createdAt.getTimezoneOffset()).not.toBe(0);
  const session = await storeSession(database, { createdAt });
  expect((await database.sessions.findSession(session, signal))?.createdAt).toEqual(createdAt);
  expect(await countOf(database.connection, "SELECT COUNT(*) FROM sessions WHERE created_at = ?", [text])).toBe(1);
});
