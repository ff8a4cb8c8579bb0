// Norms of all partners in MySQL: participation and releases.
import type { Database } from "../../database/database.ts";
import { sql } from "../../database/statement.ts";
import { inColumn, plain, uuid } from "../../domain/stored-fields.ts";
import { insertInto, type Stored, table } from "../table.ts";
import { type PoolKey, poolCounts, poolKeyFields } from "./norm-store.ts";

/** A partner whose people count for norms of all partners. */
const participants = table({
  partnerId: uuid,
  /** People who began earlier were not informed. */
  since: inColumn("takes_part_since", plain<Date>()),
});
const releaseFields = {
  /** From 1 on. */
  number: plain<number>(),
  releasedAt: plain<Date>(),
  /** JSON that only the product reads. */
  histograms: plain<Uint8Array>(),
};
const releases = table(releaseFields);
const newReleases = table({ ...poolKeyFields, ...releaseFields, quarter: plain<number>() });
export type Participant = Stored<typeof participants>;
export type PoolRelease = Stored<typeof releases>;
/** A release that is not saved yet. */
export type NewRelease = Omit<Stored<typeof newReleases>, keyof PoolKey | "releasedAt">;

export function createNormPoolStore(db: Database) {
  return {
    /** Since when a partner takes part; null: it does not. */
    async findParticipation(partnerId: string, signal: AbortSignal): Promise<Date | null> {
      return (await db.findOne(statements.findParticipation, { partnerId }, signal))?.since ?? null;
    },

    saveParticipation: (partnerId: string, since: Date | null, signal: AbortSignal) =>
      db.write(statements.saveParticipation, { partnerId, since }, signal),

    /** Partners that take part, in ascending id after `after`, at most `limit`. */
    listParticipants: (after: string, limit: number, signal: AbortSignal) =>
      db.findAll(statements.listParticipants, { after, limit }, signal),

    /** The counts of a partner's people. */
    listCounts: (partnerId: string, signal: AbortSignal) => db.findAll(statements.listCounts, { partnerId }, signal),

    /** Whether every release of a quarter, or of a later one, is decided. */
    async isDecided(quarter: number, signal: AbortSignal): Promise<boolean> {
      return (await db.findAll(statements.findDecided, { quarter }, signal)).length > 0;
    },

    saveDecidedQuarter: (quarter: number, decidedAt: Date, signal: AbortSignal) =>
      db.write(statements.saveDecidedQuarter, { quarter, decidedAt }, signal),

    /** The last release; undefined before the first. */
    findRelease: (key: PoolKey, signal: AbortSignal): Promise<PoolRelease | undefined> =>
      db.findOne(statements.findRelease, key, signal),

    /**
     * Stores a release permanently.
     * @returns false if there is another one of that number or quarter: that one stays, and this one must never be shown
     */
    // False: our earlier attempt that seemed to fail, or another process's release: the stored one is shown.
    saveRelease: (key: PoolKey, release: NewRelease, releasedAt: Date, signal: AbortSignal): Promise<boolean> =>
      db.insertIfAbsent(statements.insertRelease, { ...key, ...release, releasedAt }, signal),
  };
}

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
  insertRelease: insertInto("norm_pool_releases", newReleases),
};
