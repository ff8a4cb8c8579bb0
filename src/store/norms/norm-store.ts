// Norms in MySQL: runs over the sessions of partners, and the published numbers.

import type { Database } from "../../database/database.ts";
import { sql } from "../../database/statement.ts";
import type { AnsweredSession } from "../../domain/sessions/session.ts";
import { byteText, byteWord, type ObjectOf, plain, uuid } from "../../domain/stored-fields.ts";
import { bytesToUuid } from "../../kernel/ids.ts";
import { answeredSessions } from "../sessions/session-columns.ts";
import { insertInto, type Stored, table } from "../table.ts";

/** The key of norms of all partners. */
export const poolKeyFields = {
  assessmentId: plain<number>(),
  /** Language of the statements shown, as a BCP 47 tag; `und` if it is not known. */
  language: byteText,
};
/** The key of norms of one partner's people: of first sessions, or of pairs of sessions. */
const keyFields = { ...poolKeyFields, kind: byteWord<"sessions" | "retests">() };
/** Facts about published numbers. */
const summaryFields = {
  /** They include sessions that were completed by this time. */
  computedAt: plain<Date>(),
  /** Number of people, or of pairs of sessions, in them. */
  people: plain<number>(),
};
/** `numbers` is JSON that only the product reads. */
const numberFields = { ...summaryFields, numbers: plain<Uint8Array>() };

const summaries = table({ ...keyFields, ...summaryFields });
const storedNumbers = table(numberFields);
const numbers = table({ ...keyFields, ...numberFields });
/** The last run over a partner's sessions. */
const runs = table({
  partnerId: uuid,
  /** Sessions that were completed by this time are counted; null: there was no run. */
  countedUntil: plain<Date | null>(),
  /** Sessions that it read. */
  sessions: plain<number>(),
});
/** Counts that the people of a partner add to norms of all partners. */
export const poolCounts = table({
  partnerId: uuid,
  ...poolKeyFields,
  /** Only sessions that were created from then on count. */
  since: plain<Date>(),
  /** JSON that only the product reads. */
  counts: plain<Uint8Array>(),
});
export type PoolKey = ObjectOf<typeof poolKeyFields>;
export type NormKey = ObjectOf<typeof keyFields>;
export type NumbersSummary = ObjectOf<typeof summaryFields>;
export type StoredNumbers = ObjectOf<typeof numberFields>;
export type NormRun = Stored<typeof runs>;
export type StoredPoolCounts = Omit<Stored<typeof poolCounts>, "partnerId">;

/** Norms that a run publishes and withdraws. Other numbers stay as they were. */
export interface NormChanges {
  readonly published: readonly (NormKey & StoredNumbers)[];
  readonly withdrawn: readonly NormKey[];
  /** Everything that the partner's people add to norms of all partners. */
  readonly counts: readonly StoredPoolCounts[];
}

/** Norms of a shard, or of the whole database. */
export function createNormStore(db: Database) {
  return {
    /** Sessions of a partner, person by person, after one of them, at most `limit`. */
    listSessions: (
      partnerId: string,
      after: Pick<AnsweredSession, "externalId" | "id">,
      limit: number,
      signal: AbortSignal,
    ) => db.findAll(statements.listSessions, { ...after, partnerId, limit }, signal),

    /** The next partner that has a session. */
    async findNextPartner(after: string, signal: AbortSignal): Promise<string | undefined> {
      const row = await db.findOne(statements.findNextPartner, { after }, signal);
      return row && bytesToUuid(row.partner_id);
    },

    /** Runs of partners in ascending id after `after`, at most `limit`. */
    listRuns: (after: string, limit: number, signal: AbortSignal): Promise<NormRun[]> =>
      db.findAll(statements.listRuns, { after, limit }, signal),

    /** The published numbers of a partner's own people. */
    listPublished: (partnerId: string, signal: AbortSignal): Promise<(NormKey & NumbersSummary)[]> =>
      db.findAll(statements.listPublished, { partnerId }, signal),

    /**
     * Saves a run together with what it changes.
     * @param before the end of the run before it
     * @returns false if another run was saved since: nothing was done
     */
    saveRun(
      run: NormRun & { readonly countedUntil: Date },
      before: Date | null,
      { published: publications, withdrawn, counts }: NormChanges,
      signal: AbortSignal,
    ): Promise<boolean> {
      const { partnerId } = run;
      return db.runTransaction(signal, async (connection) => {
        const isNext =
          before === null
            ? await connection.insertIfAbsent(statements.insertRun, run)
            : (await connection.write(statements.updateRun, { ...run, before })) > 0;
        if (!isNext) return false;
        for (const each of publications) await connection.execute(statements.saveNumbers, { partnerId, ...each });
        for (const key of withdrawn) await connection.execute(statements.deleteNumbers, { partnerId, ...key });
        await connection.execute(statements.deleteCounts, { partnerId });
        for (const each of counts) await connection.execute(statements.insertCounts, { partnerId, ...each });
        return true;
      });
    },

    /** The numbers of a partner's own people; undefined if none are published. */
    findNumbers: (partnerId: string, key: NormKey, signal: AbortSignal): Promise<StoredNumbers | undefined> =>
      db.findOne(statements.findNumbers, { partnerId, ...key }, signal),
  };
}

const byKey = "partner_id = :partnerId AND assessment_id = :assessmentId AND language = :language AND kind = :kind";

const statements = {
  listSessions: answeredSessions.select`FROM sessions FORCE INDEX (sessions_person)
    WHERE partner_id = :partnerId AND external_id >= :externalId AND (external_id > :externalId OR id > :id)
    ORDER BY external_id, id LIMIT :limit`,
  findNextPartner: sql`SELECT partner_id FROM sessions FORCE INDEX (sessions_partner)
    WHERE partner_id > :after ORDER BY partner_id LIMIT 1`,
  listRuns: runs.select`FROM norm_runs FORCE INDEX (PRIMARY)
    WHERE partner_id > :after ORDER BY partner_id LIMIT :limit`,
  insertRun: insertInto("norm_runs", runs),
  updateRun: sql`UPDATE norm_runs SET counted_until = :countedUntil, sessions = :sessions
    WHERE partner_id = :partnerId AND counted_until = :before`,
  listPublished: summaries.select`FROM norm_numbers FORCE INDEX (PRIMARY) WHERE partner_id = :partnerId`,
  saveNumbers: sql`INSERT INTO norm_numbers (partner_id, ${numbers.columns}) VALUES (:partnerId, ${numbers.markers})
    ON DUPLICATE KEY UPDATE ${storedNumbers.replacements}`,
  deleteNumbers: sql`DELETE FROM norm_numbers WHERE ${byKey}`,
  findNumbers: storedNumbers.select`FROM norm_numbers WHERE ${byKey}`,
  deleteCounts: sql`DELETE FROM norm_pool_counts WHERE partner_id = :partnerId`,
  insertCounts: insertInto("norm_pool_counts", poolCounts),
};
