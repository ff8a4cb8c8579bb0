// A lock for each partner: for limits on numbers, and for comparisons among its groups.
import type { Connection } from "../database/connection.ts";
import { sql } from "../database/statement.ts";

// The row is on the shard of the partner's other rows.
const lock = sql`INSERT INTO partner_locks (partner_id, group_count) VALUES (:partnerId, 0)
  ON DUPLICATE KEY UPDATE group_count = group_count`;

/**
 * Locks the partner until the transaction ends: two groups that close at once would not be compared, and two endpoints that
 * are created at once could exceed the limit.
 */
export async function lockPartner(connection: Connection, partnerId: string): Promise<void> {
  await connection.execute(lock, { partnerId });
}
