// Norms of all partners in MySQL: participation and releases.
import type { Knex } from "knex";
import { isDuplicateKey } from "../../database/database-errors.ts";
import { bytesToUuid, fetchRows, fetchRowsOf, fromRow, sql, uuidToBytes, write } from "../../database/statement.ts";
import type { TrustedTime } from "../../domain/trusted-clock.ts";
import { type PoolCounts, type PoolKey, toKey } from "./norm-store.ts";

/** Whether a partner's people count for norms of all partners. */
export interface Participation {
  /** Since when the partner takes part; people who began earlier were not informed. Null: it does not. */
  readonly since: Date | null;
  /** Whether an operator excludes the partner anyway. */
  readonly isExcluded: boolean;
}

export interface PoolRelease {
  /** From 1 on. */
  readonly number: number;
  readonly releasedAt: Date;
  /** JSON that only the product reads. */
  readonly histograms: Uint8Array;
}

/** A release that is not saved yet. */
export interface DrawnRelease extends Omit<PoolRelease, "releasedAt"> {
  readonly quarter: number;
}

export function createNormPoolStore(db: Knex) {
  return {
    /** Undefined if nothing was ever set. */
    async findParticipation(partnerId: string, signal: AbortSignal): Promise<Participation | undefined> {
      const [row] = await fetchRows(db, statements.findParticipation, { partnerId }, signal);
      return row && { since: row.takes_part_since, isExcluded: row.is_excluded === 1 };
    },

    async saveParticipation(partnerId: string, participation: Participation, signal: AbortSignal) {
      await write(db, statements.saveParticipation, { partnerId, ...participation }, signal);
    },

    /** Partners that take part, in ascending id after `after`, at most `limit`. */
    async listParticipants(after: string, limit: number, signal: AbortSignal) {
      const rows = await fetchRows(db, statements.listParticipants, { after, limit }, signal);
      return rows.map((row) => ({ partnerId: bytesToUuid(row.partner_id), since: row.takes_part_since as Date }));
    },

    /** The counts of those partners' people. */
    async listCounts(
      partnerIds: readonly string[],
      signal: AbortSignal,
    ): Promise<(PoolCounts & { readonly partnerId: string })[]> {
      if (partnerIds.length === 0) return [];
      const rows = await fetchRowsOf(db, statements.listCounts, [partnerIds.map(uuidToBytes)], signal);
      return rows.map((row) => {
        return { partnerId: bytesToUuid(row.partner_id), ...toKey(row), since: row.since, counts: row.counts };
      });
    },

    /** Whether every release of a quarter, or of a later one, is decided. */
    async isDecided(quarter: number, signal: AbortSignal): Promise<boolean> {
      return (await fetchRows(db, statements.findDecided, { quarter }, signal)).length > 0;
    },

    async saveDecidedQuarter(quarter: number, decidedAt: TrustedTime, signal: AbortSignal): Promise<void> {
      await write(db, statements.saveDecidedQuarter, { quarter, decidedAt }, signal);
    },

    /** The last release; undefined before the first. */
    async findRelease(key: PoolKey, signal: AbortSignal): Promise<PoolRelease | undefined> {
      const [row] = await fetchRows(db, statements.findRelease, key, signal);
      return row && fromRow<PoolRelease>(row);
    },

    /**
     * Stores a release permanently.
     * @returns false if there is another one of that number or quarter: that one stays, and this one must never be shown
     */
    async saveRelease(
      key: PoolKey,
      release: DrawnRelease,
      releasedAt: TrustedTime,
      signal: AbortSignal,
    ): Promise<boolean> {
      const values = { ...key, ...release, releasedAt };
      try {
        await write(db, statements.insertRelease, values, signal);
        return true;
      } catch (error) {
        // Our earlier attempt that seemed to fail, or another process's release: the stored one is shown.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
  };
}

export type NormPoolStore = ReturnType<typeof createNormPoolStore>;

export const statements = {
  findParticipation: sql`SELECT takes_part_since, is_excluded FROM norm_pool_partners WHERE partner_id = :partnerId`,
  saveParticipation: sql`INSERT INTO norm_pool_partners (partner_id, takes_part_since, is_excluded)
    VALUES (:partnerId, :since, :isExcluded)
    ON DUPLICATE KEY UPDATE takes_part_since = VALUES(takes_part_since), is_excluded = VALUES(is_excluded)`,
  listParticipants: sql`SELECT partner_id, takes_part_since FROM norm_pool_partners FORCE INDEX (PRIMARY)
    WHERE partner_id > :after AND takes_part_since IS NOT NULL AND is_excluded = 0 ORDER BY partner_id LIMIT :limit`,
  listCounts: `SELECT partner_id, assessment_id, language, since, counts FROM norm_pool_counts FORCE INDEX (PRIMARY)
    WHERE partner_id IN (?)`,
  findDecided: sql`SELECT quarter FROM norm_pool_quarters WHERE quarter >= :quarter LIMIT 1`,
  saveDecidedQuarter: sql`INSERT INTO norm_pool_quarters (quarter, decided_at)
    VALUES (:quarter, :decidedAt) ON DUPLICATE KEY UPDATE quarter = quarter`,
  findRelease: sql`SELECT number, released_at, histograms FROM norm_pool_releases FORCE INDEX (PRIMARY)
    WHERE assessment_id = :assessmentId AND language = :language ORDER BY number DESC LIMIT 1`,
  insertRelease: sql`INSERT INTO norm_pool_releases (assessment_id, histograms, language, number, quarter, released_at)
    VALUES (:assessmentId, :histograms, :language, :number, :quarter, :releasedAt)`,
};
