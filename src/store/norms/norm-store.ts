// Norms in MySQL: runs over the sessions of partners, and the published numbers.
import type { Knex } from "knex";
import type { ResultSetHeader } from "mysql2";
import { inTransaction } from "../../database/connection.ts";
import { execute, fetchRows, sql, tryInsert } from "../../database/statement.ts";
import type { AnsweredSession } from "../../domain/sessions/session.ts";
import { bytesToUuid } from "../../kernel/ids.ts";
import { answeredSessions } from "../sessions/session-columns.ts";
import { byteText, type Column, findAll, findOne, insertInto, plain, table, uuid } from "../table.ts";

/** The key of norms of all partners. */
export interface PoolKey {
  readonly assessmentId: number;
  /** Language of the statements shown, as a BCP 47 tag; `und` if it is not known. */
  readonly language: string;
}

/** The key of norms of one partner's people. */
export interface NormKey extends PoolKey {
  /** Of first sessions, or of pairs of sessions. */
  readonly kind: "sessions" | "retests";
}

/** Facts about published numbers. */
export interface PublishedNumbers {
  /** They include sessions that were completed by this time. */
  readonly computedAt: Date;
  /** Number of people, or of pairs of sessions, in them. */
  readonly people: number;
}

export interface StoredNumbers extends PublishedNumbers {
  /** JSON that only the product reads. */
  readonly numbers: Uint8Array;
}

/** The last run over a partner's sessions. */
export interface NormRun {
  readonly partnerId: string;
  /** Sessions that were completed by this time are counted; null: there was no run. */
  readonly countedUntil: Date | null;
  /** Sessions that it read. */
  readonly sessions: number;
}

/** What the people of a partner add to norms of all partners. */
export interface PoolCounts extends PoolKey {
  /** Only sessions that were created from then on count. */
  readonly since: Date;
  /** JSON that only the product reads. */
  readonly counts: Uint8Array;
}

/** What a run publishes and withdraws. Other numbers stay as they were. */
export interface NormChanges {
  readonly published: readonly (NormKey & StoredNumbers)[];
  readonly withdrawn: readonly NormKey[];
  /** Everything that the partner's people add to norms of all partners. */
  readonly counts: readonly PoolCounts[];
}

/** Norms of a shard, or of the whole database. */
export function createNormStore(db: Knex) {
  return {
    /** Sessions of a partner, person by person, after one of them, at most `limit`. */
    listSessions: (
      partnerId: string,
      after: Pick<AnsweredSession, "externalId" | "id">,
      limit: number,
      signal: AbortSignal,
    ) => findAll(db, statements.listSessions, { ...after, partnerId, limit }, signal),

    /** The next partner that has a session. */
    async findNextPartner(after: string, signal: AbortSignal): Promise<string | undefined> {
      const [row] = await fetchRows(db, statements.findNextPartner, { after }, signal);
      return row && bytesToUuid(row.partner_id);
    },

    /** Runs of partners in ascending id after `after`, at most `limit`. */
    listRuns: (after: string, limit: number, signal: AbortSignal): Promise<NormRun[]> =>
      findAll(db, statements.listRuns, { after, limit }, signal),

    /** The published numbers of a partner's own people. */
    listPublished: (partnerId: string, signal: AbortSignal): Promise<(NormKey & PublishedNumbers)[]> =>
      findAll(db, statements.listPublished, { partnerId }, signal),

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
      return inTransaction(db, signal, async (connection) => {
        const updateRun = () => execute(connection, statements.updateRun, { ...run, before });
        const isNext =
          before === null
            ? await tryInsert(connection, statements.insertRun, run)
            : ((await updateRun()) as ResultSetHeader).affectedRows > 0;
        if (!isNext) return false;
        for (const each of publications)
          await execute(connection, statements.saveNumbers, { partnerId, ...numbers.toRow(each) });
        for (const key of withdrawn)
          await execute(connection, statements.deleteNumbers, { partnerId, ...keys.toRow(key) });
        await execute(connection, statements.deleteCounts, { partnerId });
        for (const each of counts) await execute(connection, statements.insertCounts, { partnerId, ...each });
        return true;
      });
    },

    /** The numbers of a partner's own people; undefined if none are published. */
    findNumbers: (partnerId: string, key: NormKey, signal: AbortSignal): Promise<StoredNumbers | undefined> =>
      findOne(db, statements.findNumbers, { partnerId, ...keys.toRow(key) }, signal),
  };
}

const kindNumbers = { sessions: 1, retests: 2 } as const;
const keyColumns = {
  language: byteText,
  kind: {
    read: (number: number) => (number === kindNumbers.sessions ? "sessions" : "retests"),
    write: (kind: NormKey["kind"]) => kindNumbers[kind],
  } satisfies Column<NormKey["kind"]>,
  ...plain("assessmentId"),
};
const keys = table<NormKey>(keyColumns);
const publishedNumbers = table<NormKey & PublishedNumbers>({ ...keyColumns, ...plain("computedAt", "people") });
const storedNumbers = table<StoredNumbers>(plain("computedAt", "people", "numbers"));
const numbers = table<NormKey & StoredNumbers>({ ...keyColumns, ...plain("computedAt", "people", "numbers") });
const runs = table<NormRun>({ partnerId: uuid, ...plain("countedUntil", "sessions") });
export const poolCounts = table<PoolCounts & { readonly partnerId: string }>({
  partnerId: uuid,
  language: byteText,
  ...plain("assessmentId", "since", "counts"),
});

const isKey = "partner_id = :partnerId AND assessment_id = :assessmentId AND language = :language AND kind = :kind";

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
  listPublished: publishedNumbers.select`FROM norm_numbers FORCE INDEX (PRIMARY) WHERE partner_id = :partnerId`,
  saveNumbers: sql`INSERT INTO norm_numbers (partner_id, ${numbers.columns}) VALUES (:partnerId, ${numbers.markers})
    ON DUPLICATE KEY UPDATE ${storedNumbers.replacements}`,
  deleteNumbers: sql`DELETE FROM norm_numbers WHERE ${isKey}`,
  findNumbers: storedNumbers.select`FROM norm_numbers WHERE ${isKey}`,
  deleteCounts: sql`DELETE FROM norm_pool_counts WHERE partner_id = :partnerId`,
  insertCounts: insertInto("norm_pool_counts", poolCounts),
};
