// Lists of sessions in MySQL. A page takes two statements: the first finds its last possible position in the index, the
// second reads up to there. So a filter that matches few sessions reads some hundred rows, not all of the partner's.

import type { RowDataPacket } from "mysql2";
import { MAX, NIL } from "uuid";
import type { Database } from "../../database/database.ts";
import { sql } from "../../database/statement.ts";
import { computeFirstId, idLeadMs } from "../../domain/identifiers.ts";
import type { SessionMode, SessionState, StoredSession } from "../../domain/sessions/session.ts";
import { bytesToUuid } from "../../kernel/ids.ts";
import { answeredSessions, sessionStateSql, sessions as sessionTable } from "./session-columns.ts";

/** A filter that every session matches: null is anything. */
export const noFilter = {
  state: null as SessionState | null,
  mode: null as SessionMode | null,
  /** Sessions whose answers are deleted have none. */
  progress: null as "not_started" | "partly_answered" | "all_answered" | null,
  externalId: null as string | null,
  /** The group that they are in. */
  groupId: null as string | null,
  /** That of the long form of a version. */
  assessmentId: null as number | null,
  // Ranges: start inclusive, end exclusive.
  createdAfter: null as Date | null,
  createdBefore: null as Date | null,
  completedAfter: null as Date | null,
  completedBefore: null as Date | null,
  lastActivityBefore: null as Date | null,
};
export type SessionFilter = Readonly<typeof noFilter>;

/** Sessions that a page reads, at most. */
const maxScannedRows = 500;

/** The part of a list to read. */
export interface ListPosition {
  /** Sessions older than this one; undefined: from the newest. */
  readonly before: string | undefined;
  /** Most sessions of the page. */
  readonly limit: number;
  /** By the clock of the partner's sessions: those past their time are expired. */
  readonly now: Date;
}

export interface ListPage {
  /** Their results are null unless the list is of a person. */
  readonly sessions: readonly StoredSession[];
  /** The start of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

// A byte for each question, 0 where there is no answer.
const progress = `CASE WHEN s.answers_deleted_at IS NOT NULL THEN NULL WHEN s.answers = '' THEN 'not_started'
  WHEN LOCATE(X'00', s.answers) > 0 THEN 'partly_answered' ELSE 'all_answered' END`;
/** As `lastActivityAt` of `computeProgress`. */
const lastActivity = `COALESCE(s.completed_at, s.cancelled_at, s.last_answer_at, s.created_at)`;

/** A page of a list, in two statements: its lowest id, or no row if everything that is left may be read; and the page. */
const createListStatement = (index: string, owner: string, columns: string) => ({
  end: sql`SELECT id FROM sessions FORCE INDEX (${index})
    WHERE ${owner} AND id >= :firstId AND id < :endId ORDER BY id DESC LIMIT 1 OFFSET ${maxScannedRows - 1}`,
  page: sql`SELECT ${columns} FROM sessions AS s FORCE INDEX (${index})
    WHERE ${owner} AND s.id >= :firstId AND s.id < :endId AND s.product = :product
      AND (:assessmentId IS NULL OR s.assessment_id % 1000000 = :assessmentId)
      AND (:mode IS NULL OR s.mode = :mode)
      AND (:state IS NULL OR ${sessionStateSql} = :state)
      AND (:progress IS NULL OR ${progress} = :progress)
      AND (:lastActivityBefore IS NULL OR ${lastActivity} < :lastActivityBefore)
      AND (:createdAfter IS NULL OR s.created_at >= :createdAfter)
      AND (:createdBefore IS NULL OR s.created_at < :createdBefore)
      AND (:completedAfter IS NULL OR s.completed_at >= :completedAfter)
      AND (:completedBefore IS NULL OR s.completed_at < :completedBefore)
    ORDER BY s.id DESC LIMIT :limit`,
});
const groupCondition =
  "group_id = :groupId AND partner_id = :partnerId AND (:externalId IS NULL OR external_id = :externalId)";
const personCondition = "partner_id = :partnerId AND external_id = :externalId";

/** Every statement of the store of lists. Unset filters are null. */
const sessionListStatements = {
  ofPartner: createListStatement("sessions_partner", "partner_id = :partnerId", answeredSessions.columns),
  ofPerson: createListStatement("sessions_person", personCondition, sessionTable.columns),
  ofGroup: createListStatement("sessions_group", groupCondition, answeredSessions.columns),
};

/** The store that lists sessions. */
export function createSessionListStore(db: Database) {
  const { ofPartner, ofPerson, ofGroup } = sessionListStatements;
  return {
    /**
     * Sessions of a partner in a product that match the filter. At most `maxScannedRows` are read, so a page may
     * hold fewer than its limit although there are more.
     */
    async listSessions(
      partnerId: string,
      product: string,
      filter: SessionFilter,
      position: ListPosition,
      signal: AbortSignal,
    ): Promise<ListPage> {
      const { limit } = position;
      const values = toValues(partnerId, product, filter, position);
      const narrowStatements = filter.groupId === null ? ofPerson : ofGroup;
      const statements = filter.externalId === null && filter.groupId === null ? ofPartner : narrowStatements;
      const end = await db.findOne(statements.end, values, signal);
      const firstId = end?.id ?? values.firstId;
      const rows = await db.findAll(statements.page, { ...values, firstId, limit: limit + 1 }, signal);
      const sessions = rows.slice(0, limit).map(toListed);
      const last = rows.length > limit ? sessions.at(-1)?.id : end && bytesToUuid(end.id);
      return { sessions, next: last };
    },
  };
}

function toValues(partnerId: string, product: string, filter: SessionFilter, { before, now }: ListPosition) {
  const { createdAfter, createdBefore, completedBefore, lastActivityBefore } = filter;
  const firstId = createdAfter === null ? NIL : computeFirstId(createdAfter.getTime() - idLeadMs);
  // Nothing happens to a session before it is created.
  const ends = [createdBefore, completedBefore, lastActivityBefore].filter((end) => end !== null);
  const endIds = [before ?? MAX, ...ends.map((end) => computeFirstId(end.getTime() + idLeadMs))];
  const endId = endIds.reduce((least, each) => (each < least ? each : least));
  return { partnerId, product, ...filter, firstId, endId, now };
}

function toListed(row: RowDataPacket): StoredSession {
  return { results: null, ...(row.results === undefined ? answeredSessions : sessionTable).fromRow(row) };
}
