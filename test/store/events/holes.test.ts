// Positions of the log: an erasure leaves holes, whoever's session it was, and the sequencer none.
import { expect, onTestFinished, test } from "vitest";
import { logFaults } from "../../faults/support/events/event-log.ts";
import { someId, someRecording, someSession } from "../../support/builders.ts";
import { countOf } from "../../support/databases/stores.ts";
import { erasePerson } from "../../support/erasing.ts";
import { storesOfFile } from "../../support/of-file.ts";
import { sequenceEvents } from "../../support/webhooks/sequencing.ts";

const { signal } = new AbortController();
const holes = "SELECT MAX(position) - MIN(position) + 1 - COUNT(*) FROM events";

const database = await storesOfFile();

async function newSession(partnerId: string) {
  const session = someSession({ partnerId });
  await database.sessions.insertSession(session, signal);
  return session;
}

test("verification reports a number left out, and not another partner's session that was announced and then erased", async () => {
  const { connection, sessions } = database;
  const [earlier, partnerId] = [someId(), someId()];
  await newSession(earlier);
  await sequenceEvents(database);
  // As after a frozen erasure: what waited for its lock writes and is announced, before the erasure is tried again.
  const erased = await newSession(earlier);
  await sessions.saveAnswers(erased, 0, someRecording([1]), signal);
  await sequenceEvents(database);
  expect(await erasePerson(sessions, earlier, erased.externalId)).toBe(1);
  await sequenceEvents(database);
  expect(await countOf(connection, holes)).toBe(2);
  for (let count = 0; count < 2; count += 1) await newSession(partnerId);
  await sequenceEvents(database);
  expect(await logFaults(connection, partnerId)).toEqual([]);
  await connection.query("UPDATE event_position SET position = position + 3");
  onTestFinished(async () => void (await connection.query("UPDATE event_position SET position = position - 3")));
  await newSession(partnerId);
  await sequenceEvents(database);
  expect(await logFaults(connection, partnerId)).toEqual(["3 positions were skipped"]);
});
