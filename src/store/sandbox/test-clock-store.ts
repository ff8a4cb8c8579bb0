// The clocks of test twins, in MySQL, and what expires by them.
import type { Knex } from "knex";
import type { RowDataPacket } from "mysql2";
import { bytesToUuid, uuidToBytes } from "../../database/rows.ts";
import { fetchRows, sql, write } from "../../database/statement.ts";
import type { TestClock, TestClockStore } from "../../domain/sandbox/test-clock-port.ts";
import { noteExpiry } from "../sessions/session-expiry.ts";

const firstId = Buffer.alloc(16, 0);

/** The part of the Store port that keeps the clocks of test twins. */
export function createTestClockStore(db: Knex): TestClockStore {
  return {
    async findTestClock(partnerId, signal) {
      const [row] = await fetchRows(db, statements.find, { partnerId: uuidToBytes(partnerId) }, signal);
      return row && toClock(row);
    },

    async saveTestClock({ partnerId, aheadMs }, now, signal) {
      await write(db, statements.save, { partnerId: uuidToBytes(partnerId), aheadMs, now }, signal);
    },

    async deleteTestClock(partnerId, signal) {
      await write(db, statements.remove, { partnerId: uuidToBytes(partnerId) }, signal);
    },

    async listTestClocks(after, limit, signal) {
      const values = { after: after === "" ? firstId : uuidToBytes(after), limit };
      return (await fetchRows(db, statements.list, values, signal)).map(toClock);
    },

    async saveExpiredThrough({ partnerId, aheadMs }, through, signal) {
      await write(db, statements.saveExpiredThrough, { partnerId: uuidToBytes(partnerId), aheadMs, through }, signal);
    },

    async listExpiredByTestClock({ partnerId, expiredThrough }, now, limit, signal) {
      const values = { partnerId: uuidToBytes(partnerId), after: expiredThrough, now, limit };
      return (await fetchRows(db, statements.listExpired, values, signal)).map(({ id }) => bytesToUuid(id));
    },

    async saveExpiryByTestClock({ partnerId }, sessionId, now, signal) {
      const session = { partnerId: uuidToBytes(partnerId), id: uuidToBytes(sessionId) };
      return noteExpiry(db, session, now, signal);
    },
  };
}

const columns = ["partner_id", "ahead_ms", "expired_through"];

export const statements = {
  find: sql`SELECT partner_id, ahead_ms, expired_through FROM test_clocks WHERE partner_id = :partnerId`,
  // What expired before the first move is noted by the time of everybody. After a move backwards sessions may be made
  // that expire at a time that the clock had passed once.
  save: sql`INSERT INTO test_clocks (partner_id, ahead_ms, expired_through) VALUES (:partnerId, :aheadMs, NOW(3))
    ON DUPLICATE KEY UPDATE ahead_ms = VALUES(ahead_ms), expired_through = LEAST(expired_through, :now)`,
  remove: sql`DELETE FROM test_clocks WHERE partner_id = :partnerId`,
  list: sql`SELECT ${columns.join(", ")} FROM test_clocks WHERE partner_id > :after ORDER BY partner_id LIMIT :limit`,
  saveExpiredThrough: sql`UPDATE test_clocks SET expired_through = :through
    WHERE partner_id = :partnerId AND ahead_ms = :aheadMs`,
  // The range is read from the index alone, once for each time that the clock passes.
  listExpired: sql`SELECT id FROM sessions FORCE INDEX (sessions_expiry_due)
    WHERE expiry_due_at > :after AND expiry_due_at <= :now AND partner_id = :partnerId
    ORDER BY expiry_due_at LIMIT :limit`,
};

function toClock(row: RowDataPacket): TestClock {
  return {
    partnerId: bytesToUuid(row.partner_id),
    aheadMs: Number(row.ahead_ms),
    expiredThrough: row.expired_through,
  };
}
