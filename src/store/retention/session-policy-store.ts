// Policies of partners for their sessions, in MySQL.

import { NIL } from "uuid";
import type { Database } from "../../database/database.ts";
import { sql } from "../../database/statement.ts";
import { computeFirstId, idLeadMs } from "../../domain/identifiers.ts";
import type { DataClass, SessionMode } from "../../domain/sessions/session.ts";
import { byteWord, nullable, type ObjectOf, plain, uuid } from "../../domain/stored-fields.ts";
import { dayMs } from "../../kernel/environment.ts";
import { bytesToUuid } from "../../kernel/ids.ts";
import { type Stored, table } from "../table.ts";

const days = plain<number | null>();
/**
 * The days after which a policy acts, null: never. A session expires so long after its creation, unless its request states
 * another time; an open one is deleted so long after its creation, a completed one, its answers or its results so long after its
 * completion.
 */
const dayFields = {
  expiresAfterDays: days,
  deleteCompletedAfterDays: days,
  deleteOpenAfterDays: days,
  deleteAnswersAfterDays: days,
  deleteResultsAfterDays: days,
};
export type PolicyDays = ObjectOf<typeof dayFields>;
export const policyFields = Object.keys(dayFields) as readonly (keyof PolicyDays)[];

const keyFields = { partnerId: uuid, mode: byteWord<SessionMode>() };
const policies = table({ ...keyFields, ...dayFields });
/** Policies with the session after which a check continues; null: from the first one. */
const checkedPolicies = table({ ...keyFields, ...dayFields, resumeAfter: nullable(uuid) });

/** A partner's policy for its sessions of one mode. */
export type SessionPolicy = Stored<typeof policies>;
export type CheckedPolicy = Stored<typeof checkedPolicies>;
type PolicyKey = Pick<SessionPolicy, "partnerId" | "mode">;

/** The data that a policy deletes: a whole session that is completed or is not, or a part of a completed one. */
export type Deletion = "completed" | "open" | DataClass;

/** Some of the sessions that a policy deletes. */
export interface DeletablePage {
  /** The ids of those that it deletes, wholly or in part. */
  readonly due: Readonly<Record<Deletion, readonly string[]>>;
  /** The last session that was checked; null: none after it can be due. */
  readonly lastChecked: string | null;
}

/** The store that keeps policies. */
export function createSessionPolicyStore(db: Database) {
  return {
    findPolicy: (partnerId: string, mode: SessionMode, signal: AbortSignal) =>
      db.findOne(statements.find, { partnerId, mode }, signal),

    savePolicy: (policy: SessionPolicy, signal: AbortSignal) => db.write(statements.save, policy, signal),

    /** Policies after one of them, by partner and mode, at most `limit`. */
    listPolicies(after: PolicyKey | undefined, limit: number, signal: AbortSignal) {
      const { partnerId, mode } = after ?? { partnerId: NIL, mode: null };
      return db.findAll(statements.list, { partnerId, mode, limit }, signal);
    },

    /** Saves the position of a check. */
    saveProgress: ({ partnerId, mode }: PolicyKey, resumeAfter: string | null, signal: AbortSignal) =>
      db.write(statements.saveProgress, { partnerId, mode, after: resumeAfter }, signal),

    /** Checks some of the partner's oldest sessions, after a given one, for sessions that the policy deletes by now. */
    async listDeletable(
      { partnerId, mode, ...policyDays }: SessionPolicy,
      after: string | null,
      most: number,
      now: Date,
      signal: AbortSignal,
    ): Promise<DeletablePage> {
      const daysAgo = (count: number | null) => (count === null ? null : new Date(now.getTime() - count * dayMs));
      const limits = {
        completedBefore: daysAgo(policyDays.deleteCompletedAfterDays),
        createdBefore: daysAgo(policyDays.deleteOpenAfterDays),
        answersBefore: daysAgo(policyDays.deleteAnswersAfterDays),
        resultsBefore: daysAgo(policyDays.deleteResultsAfterDays),
      };
      // A session completed before a time was also created before it.
      const latest = Math.max(...Object.values(limits).map((limit) => limit?.getTime() ?? 0));
      const range = { partnerId, after: after ?? NIL };
      const lastId = computeFirstId(latest + idLeadMs);
      const endRow = await db.findOne(statements.end, { ...range, lastId, offset: most - 1 }, signal);
      const values = { ...range, lastId: endRow?.id ?? lastId, mode, ...limits };
      const rows = await db.findAll(statements.listDeletable, values, signal);
      const selectIds = (flag: string) => rows.filter((row) => row[flag] === 1).map(({ id }) => bytesToUuid(id));
      return {
        due: {
          completed: selectIds("is_whole"),
          open: selectIds("is_open"),
          answers: selectIds("has_answers"),
          results: selectIds("has_results"),
        },
        lastChecked: endRow === undefined ? null : bytesToUuid(endRow.id),
      };
    },
  };
}

// A time that a policy does not have is null, and no comparison with it is true.
const deletesSession = "COALESCE(completed_at < :completedBefore, 0) = 1";
const isOpen = "completed_at IS NULL AND COALESCE(created_at < :createdBefore, 0) = 1";
const keepsSession = `NOT (${deletesSession})`;
const hasAnswers = `${keepsSession} AND answers_deleted_at IS NULL AND COALESCE(completed_at < :answersBefore, 0) = 1`;
const hasResults = `${keepsSession} AND results_deleted_at IS NULL AND results IS NOT NULL
  AND COALESCE(completed_at < :resultsBefore, 0) = 1`;

export const statements = {
  find: policies.select`FROM session_policies WHERE partner_id = :partnerId AND mode = :mode`,
  save: sql`INSERT INTO session_policies (${policies.columns}) VALUES (${policies.markers})
    ON DUPLICATE KEY UPDATE ${table(dayFields).replacements}, resume_after = NULL`,
  // Of all partners: for the retention job.
  list: checkedPolicies.select`FROM session_policies FORCE INDEX (PRIMARY)
    WHERE partner_id >= :partnerId AND (partner_id > :partnerId OR :mode IS NULL OR mode > :mode)
    ORDER BY partner_id, mode LIMIT :limit`,
  saveProgress: sql`UPDATE session_policies SET resume_after = :after
    WHERE partner_id = :partnerId AND mode = :mode`,
  end: sql`SELECT id FROM sessions FORCE INDEX (sessions_partner)
    WHERE partner_id = :partnerId AND id > :after AND id <= :lastId ORDER BY id LIMIT 1 OFFSET :offset`,
  listDeletable: sql`SELECT id, ${deletesSession} AS is_whole, ${isOpen} AS is_open, ${hasAnswers} AS has_answers,
      ${hasResults} AS has_results
    FROM sessions FORCE INDEX (sessions_partner)
    WHERE partner_id = :partnerId AND id > :after AND id <= :lastId AND mode = :mode
      AND (${deletesSession} OR ${isOpen} OR ${hasAnswers} OR ${hasResults}) ORDER BY id`,
};
