// What joining a group and leaving it takes: sessions join when they are inserted, and leave when they are erased.
import type { Connection } from "mysql2";
import { execute, executeText, readRows, readRowsOf, type SqlValue, sql } from "../../database/statement.ts";
import { maxGroupSessions } from "../../domain/sessions/session-port.ts";

/** The statements of sessions that concern groups. */
export const joinStatements = {
  // Whoever closes the group waits until the session has joined, or the other way round.
  lockGroup: sql`SELECT joined, closed_at IS NOT NULL OR closes_at <= :createdAt AS is_closed FROM session_groups
    FORCE INDEX (PRIMARY) WHERE partner_id = :partnerId AND id = :groupId FOR UPDATE`,
  join: sql`UPDATE session_groups FORCE INDEX (PRIMARY) SET joined = joined + 1
    WHERE partner_id = :partnerId AND id = :groupId`,
  // The server assigns from left to right.
  leave: sql`UPDATE session_groups FORCE INDEX (PRIMARY)
    SET held = held - :gone, numbers = IF(held < :least, NULL, numbers),
      withheld = IF(held < :least, 'withdrawn', withheld)
    WHERE partner_id = :partnerId AND id = :groupId`,
};

/** Whose numbers sessions are in. Bindings: ids, partner. */
const listMembers = `SELECT group_id FROM group_members FORCE INDEX (PRIMARY) WHERE session_id IN (?) AND partner_id = ?`;
const deleteMembers = `DELETE group_members FROM group_members FORCE INDEX (PRIMARY)
  WHERE session_id IN (?) AND partner_id = ?`;
/** As the product's `leastMembers`: numbers of fewer people are withdrawn. */
const leastHeld = 5;

/** Why a session cannot join its group; undefined if it can, or has none. Locks the group. */
export async function groupRefusal(
  connection: Connection,
  session: Readonly<Record<string, SqlValue>>,
): Promise<"group_closed" | "group_full" | undefined> {
  if (session.groupId === null) return undefined;
  const [group] = await readRows(connection, joinStatements.lockGroup, session);
  if (group === undefined || group.is_closed === 1) return "group_closed";
  return group.joined < maxGroupSessions ? undefined : "group_full";
}

/** Takes sessions, whose rows are locked, out of the members of their groups, and withdraws numbers of too few. */
export async function removeMembers(connection: Connection, partnerId: Buffer, ids: readonly Buffer[]): Promise<void> {
  const rows = await readRowsOf(connection, listMembers, [ids, partnerId]);
  if (rows.length === 0) return;
  await executeText(connection, deleteMembers, [ids, partnerId]);
  const groups = Map.groupBy(rows, (row) => row.group_id.toString("hex"));
  // In one order, so that two erasures do not wait for each other.
  for (const [groupId, gone] of [...groups].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const values = { partnerId, groupId: Buffer.from(groupId, "hex"), gone: gone.length, least: leastHeld };
    await execute(connection, joinStatements.leave, values);
  }
}
