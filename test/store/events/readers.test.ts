// Whoever has read up to a number is never shown anything at or below it later: 32 writers, many of whose commits are slow
// or never come, erasures, and three processes that sequence at once.
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { uuidToBytes } from "../../../src/database/statement.ts";
import { at, someId } from "../../support/builders.ts";
import { erasePerson } from "../../support/erasing.ts";
import { storesOfFile } from "../../support/of-file.ts";
import { createdColumns, newSequencer } from "../../support/webhooks/sequencing.ts";

const { signal } = new AbortController();
const writers = 32;
const sessionsEach = 8;
const partners = [someId(), someId(), someId()];

const database = await storesOfFile();

/** Writes sessions in transactions of its own, each of which stays open for a while. @returns those it committed */
async function write(writer: number): Promise<string[]> {
  const connection = await database.openConnection();
  const committed: string[] = [];
  for (let index = 0; index < sessionsEach; index += 1) {
    const turn = writer * sessionsEach + index;
    const id = someId();
    const partnerId = uuidToBytes(partners[turn % 3] ?? "");
    await connection.beginTransaction();
    await connection.query(
      `INSERT INTO sessions (id, partner_id, external_id, assessment_id, mode, revision, created_at, answers,
        unpublished, unpublished_since)
       VALUES (?, ?, ?, 1, 'headless', 0, ?, '', ?, ?)`,
      [uuidToBytes(id), partnerId, `person ${turn}`, at(0), ...createdColumns],
    );
    if (turn % 3 === 0) await pause((turn * 37) % 400);
    if (turn % 19 === 0) await connection.rollback();
    else {
      await connection.commit();
      committed.push(id);
    }
  }
  await connection.end();
  return committed;
}

test("readers get every event once and in order, while many write and several processes announce", async () => {
  const sequencers = Array.from({ length: 3 }, () => newSequencer(database.address).sequencer);
  let isWriting = true;
  const sequencing = sequencers.map(async (sequencer) => {
    while (isWriting) await sequencer.run(signal);
    await sequencer.run(signal);
  });
  const seen: { position: number; resourceId: string; type: string }[] = [];
  const read = async () => {
    const { events } = await database.events.listAllEvents(seen.at(-1)?.position ?? 0, 100, signal);
    seen.push(...events);
    return events.length;
  };
  const reading = (async () => {
    while (isWriting) await read();
  })();
  const written = await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  const erased = await erasePerson(database.sessions, partners[1] ?? "", "person 1");
  isWriting = false;
  await Promise.all([...sequencing, reading]);
  while ((await read()) > 0);

  expect(erased).toBe(1);
  const committed = written.flat();
  expect(committed.length).toBeGreaterThan(writers * sessionsEach * 0.9);
  const created = seen.filter(({ type }) => type === "session.created").map(({ resourceId }) => resourceId);
  expect(new Set(created).size).toBe(created.length);
  // The erased one was seen, or was gone before it could be.
  expect(committed.length - created.length).toBeLessThanOrEqual(1);
  expect(created.filter((id) => !committed.includes(id))).toEqual([]);
  expect(seen.filter(({ type }) => type === "session.erased")).toHaveLength(1);
  const positions = seen.map(({ position }) => position);
  expect(positions).toEqual(positions.toSorted((one, other) => one - other));
});
