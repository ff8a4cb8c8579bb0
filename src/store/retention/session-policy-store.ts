// Policies of partners for their sessions, in MySQL.

import type { Knex } from "knex";
import { NIL } from "uuid";
import { fetchRows, firstIdAt, sql, write } from "../../database/statement.ts";
import type { DataClass, SessionMode } from "../../domain/sessions/session.ts";
import { dayMs } from "../../kernel/environment.ts";
import { bytesToUuid, uuidToBytes } from "../../kernel/ids.ts";
import { modeNumber } from "../events/event-log.ts";
import { findAll, findOne, plain, table, uuid } from "../table.ts";

/**
 * The days after which a policy acts: a session expires so long after its creation, unless its request states another time; an
 * open one is deleted so long after its creation, a completed one, its answers or its results so long after its completion.
 */
const dayColumns = plain(
  "expiresAfterDays",
  "deleteCompletedAfterDays",
  "deleteOpenAfterDays",
  "deleteAnswersAfterDays",
  "deleteResultsAfterDays",
);
export const policyDays = Object.keys(dayColumns) as readonly (keyof typeof dayColumns)[];

/** Null: not set. */
export type PolicyDays = Readonly<Record<keyof typeof dayColumns, number | null>>;

/** A partner's policy for its sessions of one mode. */
export interface SessionPolicy extends PolicyDays {
  readonly partnerId: string;
  readonly mode: SessionMode;
}

type PolicyKey = Pick<SessionPolicy, "partnerId" | "mode">;

/** What a policy deletes: a whole session that is completed or is not, or a part of a completed one. */
export type Deletion = "completed" | "open" | DataClass;

/** Some of the sessions that a policy deletes. */
export interface RetainedPage {
  /** The ids of those that it deletes, wholly or in part. */
  readonly due: Readonly<Record<Deletion, readonly string[]>>;
  /** The last session that was checked; undefined: none after it can be due. */
  readonly lookedAt: string | undefined;
}

/** An id is made shortly before the creation time is read. */
const idLeadMs = 1_000;

/** The store that keeps policies. */
export function createSessionPolicyStore(db: Knex) {
  return {
    findPolicy: (partnerId: string, mode: SessionMode, signal: AbortSignal) =>
      findOne(db, statements.find, keys.toRow({ partnerId, mode }), signal),

    savePolicy: (policy: SessionPolicy, signal: AbortSignal) =>
      write(db, statements.save, policies.toRow(policy), signal),

    /** Policies after one of them, by partner and mode, at most `limit`, each with the position of its last check. */
    async listPolicies(after: PolicyKey | undefined, limit: number, signal: AbortSignal) {
      const position = after === undefined ? { partnerId: NIL, mode: null } : keys.toRow(after);
      const policies = await findAll(db, statements.list, { ...position, limit }, signal);
      return policies.map(({ resumeAfter, ...policy }) => ({ ...policy, resumeAfter: resumeAfter ?? undefined }));
    },

    /** Saves the position of a check. */
    async saveProgress(key: PolicyKey, resumeAfter: string | undefined, signal: AbortSignal): Promise<void> {
      const position = resumeAfter === undefined ? null : uuidToBytes(resumeAfter);
      await write(db, statements.saveProgress, { ...keys.toRow(key), resumeAfter: position }, signal);
    },

    /** Checks some of the partner's oldest sessions, after a given one, for sessions that the policy deletes by now. */
    async listDeletable(
      { partnerId, mode, ...days }: SessionPolicy,
      after: string | undefined,
      most: number,
      now: Date,
      signal: AbortSignal,
    ): Promise<RetainedPage> {
      const before = (count: number | null) => (count === null ? null : new Date(now.getTime() - count * dayMs));
      const ends = {
        completedBefore: before(days.deleteCompletedAfterDays),
        createdBefore: before(days.deleteOpenAfterDays),
        answersBefore: before(days.deleteAnswersAfterDays),
        resultsBefore: before(days.deleteResultsAfterDays),
      };
      // A session completed before a time was also created before it.
      const latest = Math.max(...Object.values(ends).map((end) => end?.getTime() ?? 0));
      const range = { partnerId, after: after ?? NIL };
      const to = firstIdAt(latest + idLeadMs);
      const [endRow] = await fetchRows(db, statements.end, { ...range, to, before: most - 1 }, signal);
      const values = { ...range, to: endRow?.id ?? to, mode, ...ends };
      const rows = await fetchRows(db, statements.listDeletable, values, signal);
      const idsWhere = (flag: string) => rows.filter((row) => row[flag] === 1).map(({ id }) => bytesToUuid(id));
      return {
        due: {
          completed: idsWhere("is_whole"),
          open: idsWhere("is_open"),
          answers: idsWhere("has_answers"),
          results: idsWhere("has_results"),
        },
        lookedAt: endRow && bytesToUuid(endRow.id),
      };
    },
  };
}

const keyColumns = { partnerId: uuid, mode: modeNumber };
const keys = table<PolicyKey>(keyColumns);
const policyDayColumns = table<PolicyDays>(dayColumns);
const policies = table<SessionPolicy>({ ...keyColumns, ...dayColumns });
const checkedPolicies = table<SessionPolicy & { readonly resumeAfter: string | null }>({
  ...keyColumns,
  ...dayColumns,
  resumeAfter: uuid,
});
// A time that a policy does not have is null, and no comparison with it is true.
const isWhole = "COALESCE(completed_at < :completedBefore, 0) = 1";
const isOpen = "completed_at IS NULL AND COALESCE(created_at < :createdBefore, 0) = 1";
const isKept = `NOT (${isWhole})`;
const hasAnswers = `${isKept} AND answers_deleted_at IS NULL AND COALESCE(completed_at < :answersBefore, 0) = 1`;
const hasResults = `${isKept} AND results_deleted_at IS NULL AND results IS NOT NULL
  AND COALESCE(completed_at < :resultsBefore, 0) = 1`;

export const statements = {
  find: policies.select`FROM session_policies WHERE partner_id = :partnerId AND mode = :mode`,
  save: sql`INSERT INTO session_policies (${policies.columns}) VALUES (${policies.markers})
    ON DUPLICATE KEY UPDATE ${policyDayColumns.replacements}, resume_after = NULL`,
  // Of all partners: for the retention job.
  list: checkedPolicies.select`FROM session_policies FORCE INDEX (PRIMARY)
    WHERE partner_id >= :partnerId AND (partner_id > :partnerId OR :mode IS NULL OR mode > :mode)
    ORDER BY partner_id, mode LIMIT :limit`,
  saveProgress: sql`UPDATE session_policies SET resume_after = :resumeAfter
    WHERE partner_id = :partnerId AND mode = :mode`,
  end: sql`SELECT id FROM sessions FORCE INDEX (sessions_partner)
    WHERE partner_id = :partnerId AND id > :after AND id <= :to ORDER BY id LIMIT 1 OFFSET :before`,
  listDeletable: sql`SELECT id, ${isWhole} AS is_whole, ${isOpen} AS is_open, ${hasAnswers} AS has_answers,
      ${hasResults} AS has_results
    FROM sessions FORCE INDEX (sessions_partner)
    WHERE partner_id = :partnerId AND id > :after AND id <= :to AND mode = :mode
      AND (${isWhole} OR ${isOpen} OR ${hasAnswers} OR ${hasResults}) ORDER BY id`,
};
