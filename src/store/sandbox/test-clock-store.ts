// The clocks of test twins in MySQL, and the sessions that are due by them.
import type { Database } from "../../database/database.ts";
import { sql } from "../../database/statement.ts";
import { type Field, uuid } from "../../domain/stored-fields.ts";
import { bytesToUuid } from "../../kernel/ids.ts";
import { type Stored, table } from "../table.ts";

const bigNumber: Field<number> = { read: Number };
const testClocks = table({
  partnerId: uuid,
  /** Milliseconds by which it is ahead of the database's clock; above 0. */
  aheadMs: bigNumber,
});
/** The clock of a test twin. */
export type TestClock = Stored<typeof testClocks>;

/** The store that keeps the clocks of test twins. */
export function createTestClockStore(db: Database) {
  return {
    findTestClock: (partnerId: string, signal: AbortSignal) => db.findOne(statements.find, { partnerId }, signal),

    /** Moves the clock of a twin. */
    saveTestClock: (clock: TestClock, signal: AbortSignal) => db.write(statements.save, clock, signal),

    /** Resets the twin to the service's clock. */
    deleteTestClock: (partnerId: string, signal: AbortSignal) => db.write(statements.remove, { partnerId }, signal),

    /** Clocks of the twins after a given one, by id, at most `limit`. */
    listTestClocks: (after: string, limit: number, signal: AbortSignal) =>
      db.findAll(statements.list, { after, limit }, signal),

    /** Sessions of the twin after a given one, by id, that are due by a time (see `announceDue`), at most `limit`. */
    async listDue(partnerId: string, now: Date, after: string, limit: number, signal: AbortSignal): Promise<string[]> {
      const values = { partnerId, now, after, limit };
      return (await db.findAll(statements.listDue, values, signal)).map(({ id }) => bytesToUuid(id));
    },
  };
}

export const statements = {
  find: testClocks.select`FROM test_clocks WHERE partner_id = :partnerId`,
  save: sql`INSERT INTO test_clocks (partner_id, ahead_ms) VALUES (:partnerId, :aheadMs)
    ON DUPLICATE KEY UPDATE ahead_ms = VALUES(ahead_ms)`,
  remove: sql`DELETE FROM test_clocks WHERE partner_id = :partnerId`,
  list: testClocks.select`FROM test_clocks WHERE partner_id > :after ORDER BY partner_id LIMIT :limit`,
  // The twin's clock may be years ahead: among all partners' sessions by time this would read most of them.
  listDue: sql`SELECT id FROM sessions FORCE INDEX (sessions_partner)
    WHERE partner_id = :partnerId AND id > :after AND announce_at <= :now ORDER BY id LIMIT :limit`,
};
