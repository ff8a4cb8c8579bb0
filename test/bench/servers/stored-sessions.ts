// Completed sessions put straight into the database, as the service would have left them there.

import { randomBytes, randomInt } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { ratings } from "../../../src/domain/sessions/session.ts";
import { openSequencer } from "../../../src/process/run-jobs.ts";
import { encodeResults } from "../../../src/products/values-bridge/messages/results.ts";
import { appendEvents, createEventExpression } from "../../../src/store/events/unpublished.ts";
import type { BenchDatabase } from "./bench-database.ts";
import { externalIds } from "./external-ids.ts";

const rowsPerStatement = 500;
const distinctSheets = 500;
const sessionsPerPerson = 2;
/** Of each session that is stored. */
export const eventsOfSession = 4;
const hourMs = 3_600_000;

const openColumns = [
  ...["id", "partner_id", "external_id", "product", "assessment_id"],
  ...["mode", "revision", "created_at", "answers"],
];
/** As after one call that answered everything. */
const arrivals = ["first_answer_at", "last_answer_at", "answer_calls", "first_call_answers"];
const columns = ["revision", "answers", "completed_at", "results", ...arrivals];
const happened = [
  createEventExpression("session.created", "created_at"),
  ...(["session.started", "session.completed", "session.scored"] as const).map((type) =>
    createEventExpression(type, "completed_at"),
  ),
];
const announce = `UPDATE sessions SET ${appendEvents(happened.join())} WHERE id IN (?)`;

/**
 * Stores so many sessions of the last hour, two of each person. Rows are inserted empty and grow when they are completed,
 * as they do in life, so that their pages are as full as those of a database that the service has filled.
 */
export async function storeSessions(
  { connection, partnerId, assessment }: BenchDatabase,
  count: number,
): Promise<void> {
  const partner = Buffer.from(partnerId.replaceAll("-", ""), "hex");
  const contents = Array.from({ length: Math.min(distinctSheets, count) }, () => {
    const sheet = assessment.questions.map(({ likertConfig: { min, max } }) => randomInt(min, max + 1));
    return { answers: ratings.write(sheet), results: encodeResults(assessment.scorer.score(sheet)) };
  });
  const newExternalId = externalIds();
  const start = Date.now() - hourMs;
  let externalId = "";
  for (let from = 0; from < count; from += rowsPerStatement) {
    const rows = Array.from({ length: Math.min(rowsPerStatement, count - from) }, (_, offset) => {
      const index = from + offset;
      if (index % sessionsPerPerson === 0) externalId = newExternalId();
      const msecs = start + Math.floor((index / count) * hourMs);
      const id = uuidv7({ msecs, random: randomBytes(16) }, Buffer.alloc(16));
      const fixed = [id, partner, Buffer.from(externalId), Buffer.from(assessment.product), assessment.id, "headless"];
      return { fixed, at: new Date(msecs), content: contents[index % contents.length] };
    });
    const open = rows.map(({ fixed, at }) => [...fixed, 0, at, Buffer.alloc(0)]);
    await connection.query("INSERT INTO sessions (??) VALUES ?", [openColumns, open]);
    const completedRows = rows.map(({ fixed, at, content }) => {
      return [...fixed, 2, at, content?.answers, at, content?.results, at, at, 1, assessment.questions.length];
    });
    const assignments = columns.map((name) => `${name} = VALUES(${name})`);
    await connection.query(`INSERT INTO sessions (??) VALUES ? ON DUPLICATE KEY UPDATE ${assignments.join(", ")}`, [
      [...openColumns, "completed_at", "results", ...arrivals],
      completedRows,
    ]);
    await connection.query(announce, [rows.map(({ fixed: [id] }) => id)]);
  }
}

/** Brings so many events of stored sessions into the log, as the service does. */
export async function publishEvents({ address }: Pick<BenchDatabase, "address">, count: number): Promise<void> {
  const { signal } = new AbortController();
  let eventCount = 0;
  const observe = (events: readonly unknown[]) => {
    eventCount += events.length;
  };
  await using opened = openSequencer({ address, warn: () => undefined }, observe);
  while (eventCount < count) await opened.sequencer.run(signal);
}
