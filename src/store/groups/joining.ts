// Joining and leaving groups: sessions join when they are inserted, and leave when they are erased.
import type { Connection } from "../../database/connection.ts";
import { sql } from "../../database/statement.ts";
import { minPeople } from "../../domain/groups/disclosure.ts";
import { maxGroupSessions, type NewSession } from "../../domain/sessions/session.ts";
import { bytesToUuid } from "../../kernel/ids.ts";

/** The statements of sessions that concern groups. */
export const joinStatements = {
  findParent: sql`SELECT parent_id FROM session_groups FORCE INDEX (PRIMARY)
    WHERE partner_id = :partnerId AND id = :groupId`,
  // A transaction that closes the group waits until the session has joined, or the other way round.
  lockGroup: sql`SELECT joined, closed_at IS NOT NULL OR closes_at <= :createdAt AS is_closed,
      join_hash = :joinCodeHash AND join_expires_at > :createdAt AND joined_by_code < join_max_sessions AS admits_by_code
    FROM session_groups FORCE INDEX (PRIMARY) WHERE partner_id = :partnerId AND id = :groupId FOR UPDATE`,
  join: sql`UPDATE session_groups FORCE INDEX (PRIMARY) SET joined = joined + 1, joined_by_code = joined_by_code + :byCode
    WHERE partner_id = :partnerId AND id = :groupId`,
  /** The groups whose numbers include the sessions. */
  listMembers: sql`SELECT group_id FROM group_members FORCE INDEX (group_members_session)
    WHERE session_id IN (:ids) AND partner_id = :partnerId`,
  forgetMembers: sql`UPDATE group_members FORCE INDEX (group_members_session)
    SET session_id = NULL, person_id = NULL, answers_hash = NULL WHERE session_id IN (:ids) AND partner_id = :partnerId`,
  // The server assigns from left to right.
  leave: sql`UPDATE session_groups FORCE INDEX (PRIMARY)
    SET held = held - :erasedCount, numbers = IF(held < :minPeople, NULL, numbers),
      withheld = IF(held < :minPeople, 'withdrawn', withheld)
    WHERE partner_id = :partnerId AND id = :groupId`,
};

/** The group and its parent, in the order in which they are locked. */
async function listLockOrder(connection: Connection, partnerId: string, groupId: string): Promise<readonly string[]> {
  const [row] = await connection.findAll(joinStatements.findParent, { partnerId, groupId });
  return row?.parent_id ? [groupId, bytesToUuid(row.parent_id)].sort() : [groupId];
}

/**
 * The reason why a session cannot join its group and the parent; undefined if it can, or has no group. An expired or used-up
 * code counts as a closed group. Locks both.
 */
export async function findJoinRefusal(
  connection: Connection,
  { partnerId, groupId, createdAt, joinCodeHash }: NewSession,
): Promise<"group_closed" | "group_full" | undefined> {
  if (groupId === null) return undefined;
  for (const each of await listLockOrder(connection, partnerId, groupId)) {
    const values = { partnerId, groupId: each, createdAt, joinCodeHash: joinCodeHash ?? null };
    const [group] = await connection.findAll(joinStatements.lockGroup, values);
    if (group === undefined || group.is_closed === 1) return "group_closed";
    if (joinCodeHash !== undefined && each === groupId && group.admits_by_code !== 1) return "group_closed";
    if (group.joined >= maxGroupSessions) return "group_full";
  }
  return undefined;
}

/** Counts a session that was inserted. @param isByCode whether it joined by the code of the group */
export async function countJoin(connection: Connection, partnerId: string, groupId: string, isByCode: boolean) {
  for (const id of await listLockOrder(connection, partnerId, groupId)) {
    await connection.execute(joinStatements.join, {
      partnerId,
      groupId: id,
      byCode: isByCode && id === groupId ? 1 : 0,
    });
  }
}

/** Removes the persons from the sheets of sessions, whose rows are locked, and withdraws numbers of too few people. */
export async function forgetMembers(connection: Connection, partnerId: string, ids: readonly string[]) {
  const rows = await connection.findAll(joinStatements.listMembers, { partnerId, ids });
  if (rows.length === 0) return;
  await connection.execute(joinStatements.forgetMembers, { partnerId, ids });
  const groups = Map.groupBy(rows, (row) => bytesToUuid(row.group_id));
  // In one order, so that two erasures cannot deadlock.
  for (const [groupId, memberRows] of [...groups].sort(([one], [other]) => (one < other ? -1 : 1))) {
    await connection.execute(joinStatements.leave, {
      partnerId,
      groupId,
      erasedCount: memberRows.length,
      minPeople,
    });
  }
}
