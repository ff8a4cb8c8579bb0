// The clocks of test twins in MySQL, and the expiry of sessions by them.
import type { Knex } from "knex";
import { bytesToUuid, fetchRows, sql, write } from "../../database/statement.ts";
import { findAll, findOne, plain, table, uuid } from "../table.ts";

/** The clock of a test twin. */
export interface TestClock {
  readonly partnerId: string;
  /** How far it is ahead of the database's clock, in milliseconds; above 0. */
  readonly aheadMs: number;
  /** By the twin's clock: sessions that had expired by then are marked. */
  readonly expiredThrough: Date;
}

/** The store that keeps the clocks of test twins. */
export function createTestClockStore(db: Knex) {
  return {
    findTestClock: (partnerId: string, signal: AbortSignal) => findOne(db, statements.find, { partnerId }, signal),

    /** Moves the clock of a twin. @param now its new time */
    saveTestClock: ({ partnerId, aheadMs }: Pick<TestClock, "partnerId" | "aheadMs">, now: Date, signal: AbortSignal) =>
      write(db, statements.save, { partnerId, aheadMs, now }, signal),

    /** Resets the twin to the service's clock. */
    deleteTestClock: (partnerId: string, signal: AbortSignal) => write(db, statements.remove, { partnerId }, signal),

    /** Clocks of the twins after a given one, by id, at most `limit`. */
    listTestClocks: (after: string, limit: number, signal: AbortSignal) =>
      findAll(db, statements.list, { after, limit }, signal),

    /** Saves up to when sessions are marked, unless the clock was moved meanwhile. */
    saveExpiredThrough: ({ partnerId, aheadMs }: TestClock, through: Date, signal: AbortSignal) =>
      write(db, statements.saveExpiredThrough, { partnerId, aheadMs, through }, signal),

    /** Sessions of the twin that expired after the last marked one, by the twin's clock, at most `limit`. */
    async listExpiredByTestClock(
      { partnerId, expiredThrough }: TestClock,
      now: Date,
      limit: number,
      signal: AbortSignal,
    ): Promise<string[]> {
      const values = { partnerId, after: expiredThrough, now, limit };
      return (await fetchRows(db, statements.listExpired, values, signal)).map(({ id }) => bytesToUuid(id));
    },
  };
}

const testClocks = table<TestClock>({ partnerId: uuid, aheadMs: { read: Number }, ...plain("expiredThrough") });

export const statements = {
  find: testClocks.select`FROM test_clocks WHERE partner_id = :partnerId`,
  // What expired before the first move is marked by the service's clock. After a move backwards sessions may be created
  // that expire at a time that the clock had passed before.
  save: sql`INSERT INTO test_clocks (partner_id, ahead_ms, expired_through) VALUES (:partnerId, :aheadMs, NOW(3))
    ON DUPLICATE KEY UPDATE ahead_ms = VALUES(ahead_ms), expired_through = LEAST(expired_through, :now)`,
  remove: sql`DELETE FROM test_clocks WHERE partner_id = :partnerId`,
  list: testClocks.select`FROM test_clocks WHERE partner_id > :after ORDER BY partner_id LIMIT :limit`,
  saveExpiredThrough: sql`UPDATE test_clocks SET expired_through = :through
    WHERE partner_id = :partnerId AND ahead_ms = :aheadMs`,
  // The range is read from the index alone, once for each time that the clock passes.
  listExpired: sql`SELECT id FROM sessions FORCE INDEX (sessions_expiry_due)
    WHERE expiry_due_at > :after AND expiry_due_at <= :now AND partner_id = :partnerId
    ORDER BY expiry_due_at LIMIT :limit`,
};
