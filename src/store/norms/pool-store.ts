// Norms of all partners in MySQL: who takes part, and what was released.
import type { Knex } from "knex";
import { isDuplicateKey } from "../../database/database-errors.ts";
import { bytesToUuid, uuidToBytes } from "../../database/rows.ts";
import { fetchRows, fetchRowsOf, sql, write } from "../../database/statement.ts";
import type { NormPoolStore, PoolKey } from "../../domain/norms/pool-port.ts";
import { kindToNumber } from "./norm-rows.ts";

/** The pool part of the Store port. */
export function createNormPoolStore(db: Knex): NormPoolStore {
  return {
    async findParticipation(partnerId, signal) {
      const values = { partnerId: uuidToBytes(partnerId) };
      const [row] = await fetchRows(db, statements.findParticipation, values, signal);
      return row && { takesPart: row.takes_part === 1, isExcluded: row.is_excluded === 1 };
    },

    async saveParticipation(partnerId, { takesPart, isExcluded }, signal) {
      const flags = { takesPart: Number(takesPart), isExcluded: Number(isExcluded) };
      const values = { partnerId: uuidToBytes(partnerId), ...flags };
      await write(db, statements.saveParticipation, values, signal);
    },

    async listParticipants(after, limit, signal) {
      const rows = await fetchRows(db, statements.listParticipants, { after: uuidToBytes(after), limit }, signal);
      return rows.map(({ partner_id: id }) => bytesToUuid(id));
    },

    async listSums(key, partnerIds, signal) {
      if (partnerIds.length === 0) return [];
      const { assessmentId, language } = toRow(key);
      const values = [assessmentId, language, kindToNumber("sessions"), partnerIds.map(uuidToBytes)];
      return (await fetchRowsOf(db, statements.listSums, values, signal)).map(({ sums }) => sums);
    },

    async isDecided(quarter, signal) {
      return (await fetchRows(db, statements.findDecided, { quarter }, signal)).length > 0;
    },

    async saveDecidedQuarter(quarter, decidedAt, signal) {
      await write(db, statements.saveDecidedQuarter, { quarter, decidedAt }, signal);
    },

    async findRelease(key, signal) {
      const [row] = await fetchRows(db, statements.findRelease, toRow(key), signal);
      return row && { number: row.number, releasedAt: row.released_at, histograms: row.histograms };
    },

    async saveRelease(key, { number, quarter, histograms }, releasedAt, signal) {
      const values = { ...toRow(key), number, quarter, releasedAt, histograms: Buffer.from(histograms) };
      try {
        await write(db, statements.insertRelease, values, signal);
        return true;
      } catch (error) {
        // An earlier try of ours that was thought lost, or somebody else's: what is there is what is shown.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
  };
}

/** The values of a key. */
export function toRow({ assessmentId, language }: PoolKey) {
  return { assessmentId, language: Buffer.from(language) };
}

export const statements = {
  findParticipation: sql`SELECT takes_part, is_excluded FROM norm_pool_partners WHERE partner_id = :partnerId`,
  saveParticipation: sql`INSERT INTO norm_pool_partners (partner_id, takes_part, is_excluded)
    VALUES (:partnerId, :takesPart, :isExcluded)
    ON DUPLICATE KEY UPDATE takes_part = VALUES(takes_part), is_excluded = VALUES(is_excluded)`,
  listParticipants: sql`SELECT partner_id FROM norm_pool_partners FORCE INDEX (PRIMARY)
    WHERE partner_id > :after AND takes_part = 1 AND is_excluded = 0 ORDER BY partner_id LIMIT :limit`,
  listSums: `SELECT n.sums FROM norm_sets AS s FORCE INDEX (norm_sets_key)
    STRAIGHT_JOIN norm_sums AS n FORCE INDEX (PRIMARY) ON n.set_id = s.id AND n.partner_id = s.partner_id
    WHERE s.assessment_id = ? AND s.language = ? AND s.kind = ? AND s.partner_id IN (?)`,
  findDecided: sql`SELECT quarter FROM norm_pool_quarters WHERE quarter >= :quarter LIMIT 1`,
  saveDecidedQuarter: sql`INSERT INTO norm_pool_quarters (quarter, decided_at)
    VALUES (:quarter, :decidedAt) ON DUPLICATE KEY UPDATE quarter = quarter`,
  findRelease: sql`SELECT number, released_at, histograms FROM norm_pool_releases FORCE INDEX (PRIMARY)
    WHERE assessment_id = :assessmentId AND language = :language ORDER BY number DESC LIMIT 1`,
  insertRelease: sql`INSERT INTO norm_pool_releases (assessment_id, histograms, language, number, quarter, released_at)
    VALUES (:assessmentId, :histograms, :language, :number, :quarter, :releasedAt)`,
};
