// Norms of all partners in MySQL: participation and releases.
import type { Knex } from "knex";
import { fetchRows, insertNew, sql, write } from "../../database/statement.ts";
import { byteText, findAll, findOne, insertInto, plain, table, uuid } from "../table.ts";
import { type PoolKey, poolCounts } from "./norm-store.ts";

/** A partner whose people count for norms of all partners. */
export interface Participant {
  readonly partnerId: string;
  /** People who began earlier were not informed. */
  readonly since: Date;
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
    /** Since when a partner takes part; null: it does not. */
    async findParticipation(partnerId: string, signal: AbortSignal): Promise<Date | null> {
      return (await findOne(db, statements.findParticipation, { partnerId }, signal))?.since ?? null;
    },

    saveParticipation: (partnerId: string, since: Date | null, signal: AbortSignal) =>
      write(db, statements.saveParticipation, { partnerId, since }, signal),

    /** Partners that take part, in ascending id after `after`, at most `limit`. */
    listParticipants: (after: string, limit: number, signal: AbortSignal) =>
      findAll(db, statements.listParticipants, { after, limit }, signal),

    /** The counts of a partner's people. */
    listCounts: (partnerId: string, signal: AbortSignal) => findAll(db, statements.listCounts, { partnerId }, signal),

    /** Whether every release of a quarter, or of a later one, is decided. */
    async isDecided(quarter: number, signal: AbortSignal): Promise<boolean> {
      return (await fetchRows(db, statements.findDecided, { quarter }, signal)).length > 0;
    },

    saveDecidedQuarter: (quarter: number, decidedAt: Date, signal: AbortSignal) =>
      write(db, statements.saveDecidedQuarter, { quarter, decidedAt }, signal),

    /** The last release; undefined before the first. */
    findRelease: (key: PoolKey, signal: AbortSignal): Promise<PoolRelease | undefined> =>
      findOne(db, statements.findRelease, key, signal),

    /**
     * Stores a release permanently.
     * @returns false if there is another one of that number or quarter: that one stays, and this one must never be shown
     */
    // False: our earlier attempt that seemed to fail, or another process's release: the stored one is shown.
    saveRelease: (key: PoolKey, release: DrawnRelease, releasedAt: Date, signal: AbortSignal): Promise<boolean> =>
      insertNew(db, statements.insertRelease, { ...key, ...release, releasedAt }, signal),
  };
}

const participants = table<Participant>({ partnerId: uuid, since: { name: "takes_part_since" } });
const releases = table<PoolRelease>(plain("number", "releasedAt", "histograms"));
const drawnReleases = table<PoolKey & PoolRelease & DrawnRelease>({
  language: byteText,
  ...plain("assessmentId", "number", "quarter", "releasedAt", "histograms"),
});

export const statements = {
  findParticipation: participants.select`FROM norm_pool_partners WHERE partner_id = :partnerId`,
  saveParticipation: sql`INSERT INTO norm_pool_partners (partner_id, takes_part_since) VALUES (:partnerId, :since)
    ON DUPLICATE KEY UPDATE takes_part_since = VALUES(takes_part_since)`,
  listParticipants: participants.select`FROM norm_pool_partners FORCE INDEX (PRIMARY)
    WHERE partner_id > :after AND takes_part_since IS NOT NULL ORDER BY partner_id LIMIT :limit`,
  listCounts: poolCounts.select`FROM norm_pool_counts FORCE INDEX (PRIMARY) WHERE partner_id = :partnerId`,
  findDecided: sql`SELECT quarter FROM norm_pool_quarters WHERE quarter >= :quarter LIMIT 1`,
  saveDecidedQuarter: sql`INSERT INTO norm_pool_quarters (quarter, decided_at)
    VALUES (:quarter, :decidedAt) ON DUPLICATE KEY UPDATE quarter = quarter`,
  findRelease: releases.select`FROM norm_pool_releases FORCE INDEX (PRIMARY)
    WHERE assessment_id = :assessmentId AND language = :language ORDER BY number DESC LIMIT 1`,
  insertRelease: insertInto("norm_pool_releases", drawnReleases),
};
