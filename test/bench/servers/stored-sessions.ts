// Sessions put straight into the database, as the service would have left them there.

import { randomBytes, randomInt } from "node:crypto";
import type { Connection, ResultSetHeader, RowDataPacket } from "mysql2/promise";
import { v7 as uuidv7 } from "uuid";
import { bytesToUuid } from "../../../src/database/rows.ts";
import { encodeResults } from "../../../src/products/values-bridge/messages/results.ts";
import { answersToBytes } from "../../../src/store/sessions/session-rows.ts";
import { externalIds } from "../load/external-ids.ts";
import type { BenchDatabase } from "./bench-database.ts";

const rowsPerStatement = 500;
const distinctSheets = 500;
/** Most subjects that the load is told of. */
const maxSubjects = 20_000;
const hourMs = 3_600_000;

const openColumns = ["id", "partner_id", "external_id", "assessment_id", "mode", "revision", "created_at", "answers"];
const written = ["revision", "answers", "completed_at", "results"];
/** As after one call that answered everything. */
const arrivals = ["first_answer_at", "last_answer_at", "answer_calls", "first_call_answers"];
const settled = ["unpublished_since", "published"];
const settledValues = [null, 1 | 2 | 4 | 8];

export interface StoredSubjects {
  readonly sessionIds: readonly string[];
  readonly externalIds: readonly string[];
}

export interface SessionsToStore {
  readonly count: number;
  /** Open ones have their answers recorded and can be completed. */
  readonly state: "open" | "completed";
  /** The sample of the load, or many different ones. */
  readonly answers: "sample" | "varied";
  readonly sessionsPerPerson: number;
  /** Whether they were announced long ago, so that no job has anything to do for them. */
  readonly isSettled?: boolean;
  /** When the first one was created, in milliseconds since 1970; the last one is an hour younger. */
  readonly from?: number;
  /** Told how many are stored so far. */
  readonly onStored?: (count: number) => void;
}

/**
 * Stores sessions. Rows are inserted empty and grow when they are completed, as they do in life, so that their pages
 * are as full as those of a database that the service has filled.
 * @returns ids and persons of at most 20,000 of them, evenly chosen
 */
export async function storeSessions(
  { connection, partnerId, assessment, sample }: BenchDatabase,
  sessions: SessionsToStore,
): Promise<StoredSubjects> {
  const { count, state, answers, sessionsPerPerson, isSettled = false, onStored = () => undefined } = sessions;
  const partner = Buffer.from(partnerId.replaceAll("-", ""), "hex");
  const contents = Array.from({ length: answers === "sample" ? 1 : distinctSheets }, () => {
    const sheet =
      answers === "sample"
        ? sample.answers.map(({ value }) => value)
        : assessment.questions.map(({ likertConfig: { min, max } }) => randomInt(min, max + 1));
    return {
      answers: answersToBytes(sheet),
      results: encodeResults(assessment.scorer.score(sheet)),
    };
  });
  const newExternalId = externalIds();
  const every = Math.ceil(count / maxSubjects);
  const subjects = { sessionIds: [] as string[], externalIds: [] as string[] };
  const start = sessions.from ?? Date.now() - (answers === "sample" ? 0 : hourMs);
  const [rest, restValues] = isSettled ? [settled, settledValues] : [[], []];
  let externalId = "";
  for (let from = 0; from < count; from += rowsPerStatement) {
    const rows = Array.from({ length: Math.min(rowsPerStatement, count - from) }, (_, offset) => {
      const index = from + offset;
      if (index % sessionsPerPerson === 0) externalId = newExternalId();
      const msecs = start + Math.floor((index / count) * hourMs);
      const id = uuidv7({ msecs, random: randomBytes(16) }, Buffer.alloc(16));
      if (index % every === 0) {
        subjects.sessionIds.push(bytesToUuid(id));
        subjects.externalIds.push(externalId);
      }
      const fixed = [id, partner, Buffer.from(externalId), assessment.id, "headless"];
      return { fixed, at: new Date(msecs), content: contents[index % contents.length] ?? contents[0] };
    });
    const open = rows.map(({ fixed, at, content }) =>
      state === "open"
        ? [...fixed, 1, at, content?.answers, ...restValues]
        : [...fixed, 0, at, Buffer.alloc(0), ...restValues],
    );
    await connection.query("INSERT INTO sessions (??) VALUES ?", [[...openColumns, ...rest], open]);
    onStored(from + rows.length);
    if (state === "open") continue;
    const completed = rows.map(({ fixed, at, content }) => {
      const arrived = [at, at, 1, assessment.questions.length];
      return [...fixed, 2, at, content?.answers, at, content?.results, ...arrived, ...restValues];
    });
    const changed = [...written, ...arrivals, ...rest].map((name) => `${name} = VALUES(${name})`);
    await connection.query(`INSERT INTO sessions (??) VALUES ? ON DUPLICATE KEY UPDATE ${changed.join(", ")}`, [
      [...openColumns, "completed_at", "results", ...arrivals, ...rest],
      completed,
    ]);
  }
  return subjects;
}

/** Remembers the youngest session. @returns what removes all that are younger, so that a database keeps its size */
export async function keepSize({ connection }: BenchDatabase): Promise<() => Promise<void>> {
  const [[youngest]] = await connection.query<RowDataPacket[]>("SELECT id FROM sessions ORDER BY id DESC LIMIT 1");
  return async () => {
    for (let removed = rowsPerStatement; removed === rowsPerStatement; ) {
      const sql = "DELETE FROM sessions WHERE id > ? ORDER BY id LIMIT ?";
      const [result] = await connection.query<ResultSetHeader>(sql, [youngest?.id, rowsPerStatement]);
      removed = result.affectedRows;
    }
  };
}

/** Bytes of the sessions on disk. */
export interface DiskUse {
  readonly sessions: number;
  readonly dataBytes: number;
  readonly indexBytes: number;
}

/** What the table takes on disk: all pages of its clustered index, and of its other ones. */
export async function diskUse({ connection, name }: BenchDatabase): Promise<DiskUse> {
  await connection.query("ANALYZE TABLE sessions");
  await doNotRememberStatistics(connection);
  const [[table]] = await connection.query<RowDataPacket[]>(
    "SELECT data_length AS data, index_length AS indices FROM information_schema.tables WHERE table_schema = ? AND table_name = 'sessions'",
    [name],
  );
  const [[counted]] = await connection.query<RowDataPacket[]>("SELECT COUNT(*) AS sessions FROM sessions");
  return { sessions: Number(counted?.sessions), dataBytes: Number(table?.data), indexBytes: Number(table?.indices) };
}

/** MySQL shows sizes as of a day ago unless told otherwise; MariaDB always shows those of now. */
async function doNotRememberStatistics(connection: Connection): Promise<void> {
  const [rows] = await connection.query<RowDataPacket[]>("SHOW VARIABLES LIKE 'information_schema_stats_expiry'");
  if (rows.length > 0) await connection.query("SET SESSION information_schema_stats_expiry = 0");
}
