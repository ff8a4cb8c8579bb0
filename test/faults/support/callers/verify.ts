// The reckoning: every row of the database against the journal, and against a fresh scoring of its answers.

import { isDeepStrictEqual } from "node:util";
import type { Connection, RowDataPacket } from "mysql2/promise";
import type { PublishedAssessment } from "../../../../src/domain/assessments/published-assessment.ts";
import { ratings } from "../../../../src/domain/sessions/session.ts";
import { bytesToUuid } from "../../../../src/kernel/ids.ts";
import { decodeResults } from "../../../../src/products/values-bridge/messages/results.ts";
import type { Results } from "../../../../src/products/values-bridge/scoring/shapes.ts";
import { openStored } from "../../../support/values-bridge/opened.ts";
import type { Entry, Journal } from "./journal.ts";

interface StoredRow {
  readonly sessionId: string;
  readonly key: string;
  /** By question id. */
  readonly answers: ReadonlyMap<number, number>;
  readonly isCompleted: boolean;
  readonly results: Results | null;
}

/** Everything that is wrong, in words; empty where nothing acknowledged is lost and nothing is half-written. */
export async function faultsOf(connection: Connection, journal: Journal): Promise<string[]> {
  const faults = [...journal.violations];
  const { rows, unsound } = await storedRows(connection);
  faults.push(...unsound);
  const byKey = new Map(rows.map((row) => [row.key, row]));
  if (byKey.size < rows.length) faults.push("an idempotency key made two sessions");
  for (const entry of journal.entries) {
    const row = byKey.get(entry.key);
    byKey.delete(entry.key);
    faults.push(...entryFaults(entry, row).map((fault) => `${entry.sessionId ?? entry.key}: ${fault}`));
  }
  if (byKey.size > 0) faults.push(`${byKey.size} sessions are in nobody's journal`);
  return faults;
}

function entryFaults({ sessionId, answers, unknown, results }: Entry, row: StoredRow | undefined): string[] {
  if (sessionId === undefined) return row === undefined || row.answers.size === 0 ? [] : ["answers without a creation"];
  if (row === undefined) return ["the session is lost"];
  if (row.sessionId !== sessionId) return [`another session has its key: ${row.sessionId}`];
  if (results !== undefined && !row.isCompleted) return ["the completion is lost"];
  if (results !== undefined && !isDeepStrictEqual(row.results, results)) return ["results are not as acknowledged"];
  if (row.isCompleted && results === undefined && unknown?.kind !== "completion") return ["nobody completed it"];
  const possible = possibleAnswers(answers, unknown, row.isCompleted);
  return possible.some((each) => isDeepStrictEqual(each, row.answers)) ? [] : ["answers are not as acknowledged"];
}

/** The answers that a session may hold: those acknowledged, and those sent last as a whole or not at all. */
function possibleAnswers(
  answers: Entry["answers"],
  unknown: Entry["unknown"],
  isCompleted: boolean,
): Entry["answers"][] {
  const after = new Map(answers);
  for (const { questionId, response } of unknown?.answers ?? []) after.set(questionId, response.value);
  if (unknown?.kind === "completion") return [isCompleted ? after : answers];
  return [answers, after];
}

/** All sessions, and those that are not sound in themselves. */
async function storedRows(connection: Connection): Promise<{ rows: StoredRow[]; unsound: string[] }> {
  const assessments = await storedAssessments(connection);
  const [sessionRows] = await connection.query<RowDataPacket[]>(
    `SELECT s.id, s.assessment_id, s.idempotency_key, s.answers, s.completed_at, s.revision, s.results
      FROM sessions AS s`,
  );
  const unsound: string[] = [];
  const rows = sessionRows.map((row) => {
    const sessionId = bytesToUuid(row.id);
    const assessment = assessments.get(row.assessment_id);
    const sheet = ratings.read(row.answers);
    if (assessment === undefined) throw new Error("a session is of an assessment that is not there");
    const results = row.results === null ? null : decodeResults(row.results);
    const isCompleted = row.completed_at !== null;
    if (isCompleted !== (results !== null)) unsound.push(`${sessionId} is half completed`);
    if (sheet.length > 0 !== row.revision > 0) unsound.push(`${sessionId} has revision ${row.revision} by mistake`);
    if (isCompleted && !isDeepStrictEqual(assessment.scorer.score(sheet), results)) {
      unsound.push(`${sessionId} has other results than its answers give`);
    }
    const answers = new Map(
      assessment.questions.flatMap(({ id, position }) => {
        const rating = sheet[position - 1] ?? null;
        return rating === null ? [] : [[id, rating] as const];
      }),
    );
    return { sessionId, key: String(row.idempotency_key), answers, isCompleted, results };
  });
  return { rows, unsound };
}

async function storedAssessments(connection: Connection): Promise<ReadonlyMap<number, PublishedAssessment>> {
  const [rows] = await connection.query<RowDataPacket[]>("SELECT * FROM assessments");
  return new Map(
    rows.map((row) => {
      const definition = JSON.parse(row.definition.toString());
      const { id, version, published_at: publishedAt } = row;
      return [id, openStored({ id, product: row.product.toString(), version, definition, publishedAt })];
    }),
  );
}
