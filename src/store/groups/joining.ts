// What joining a group and leaving it takes: sessions join when they are inserted, and leave when they are erased.
import type { Connection } from "mysql2";
import { execute, executeText, readRows, readRowsOf, type SqlValue, sql } from "../../database/statement.ts";
import { maxGroupSessions } from "../../domain/sessions/session.ts";
import type { GroupCounts } from "./group-store.ts";

/** The statements of sessions that concern groups. */
export const joinStatements = {
  // Whoever closes the group waits until the session has joined, or the other way round.
  lockGroup: sql`SELECT joined, closed_at IS NOT NULL OR closes_at <= :createdAt AS is_closed FROM session_groups
    FORCE INDEX (PRIMARY) WHERE partner_id = :partnerId AND id = :groupId FOR UPDATE`,
  // What other sessions of the person in the group are.
  findOthers: sql`SELECT COUNT(*) AS size, COUNT(first_answer_at) + COUNT(completed_at) AS started,
      COUNT(completed_at) AS completed
    FROM sessions FORCE INDEX (sessions_person)
    WHERE partner_id = :partnerId AND external_id = :externalId AND group_id = :groupId AND id <> :id`,
  addPeople: sql`UPDATE session_groups FORCE INDEX (PRIMARY)
    SET size = size + :size, started = started + :started, completed = completed + :completed
    WHERE partner_id = :partnerId AND id = :groupId`,
  countPeople: sql`SELECT COUNT(DISTINCT external_id) AS size,
      COUNT(DISTINCT IF(first_answer_at IS NOT NULL OR completed_at IS NOT NULL, external_id, NULL)) AS started,
      COUNT(DISTINCT IF(completed_at IS NOT NULL, external_id, NULL)) AS completed
    FROM sessions FORCE INDEX (sessions_group) WHERE group_id = :groupId AND partner_id = :partnerId`,
  savePeople: sql`UPDATE session_groups FORCE INDEX (PRIMARY)
    SET size = :size, started = :started, completed = :completed WHERE partner_id = :partnerId AND id = :groupId`,
  lockCounts: sql`SELECT id FROM session_groups FORCE INDEX (PRIMARY)
    WHERE partner_id = :partnerId AND id = :groupId FOR UPDATE`,
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
/** Bindings: ids, partner. */
const listGroups = `SELECT DISTINCT group_id FROM sessions FORCE INDEX (PRIMARY)
  WHERE id IN (?) AND partner_id = ? AND group_id IS NOT NULL ORDER BY group_id`;
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

/** A session of a group, as its row names it. */
type InGroup = Readonly<Record<"partnerId" | "id" | "externalId" | "groupId", Buffer>>;

/**
 * Counts a person in a group, unless another session of theirs counts already. Locks the group.
 * @param gained what the session has become
 */
export async function countPerson(
  connection: Connection,
  session: InGroup,
  gained: readonly (keyof GroupCounts)[],
): Promise<void> {
  await readRows(connection, joinStatements.lockCounts, session);
  const [others] = await readRows(connection, joinStatements.findOthers, session);
  const gain = (what: keyof GroupCounts) => (gained.includes(what) && Number(others?.[what]) === 0 ? 1 : 0);
  const gains = { size: gain("size"), started: gain("started"), completed: gain("completed") };
  await execute(connection, joinStatements.addPeople, { ...session, ...gains });
}

/** The groups of sessions, in the order in which they are locked. */
export async function groupsOf(
  connection: Connection,
  partnerId: Buffer,
  ids: readonly Buffer[],
): Promise<readonly Buffer[]> {
  const rows = await readRowsOf(connection, listGroups, [ids, partnerId]);
  return rows.map(({ group_id }) => group_id as Buffer);
}

/** Counts the people of a group anew, after sessions of it were erased. */
export async function recountPeople(connection: Connection, partnerId: Buffer, groupId: Buffer): Promise<void> {
  const group = { partnerId, groupId };
  await readRows(connection, joinStatements.lockCounts, group);
  const [row] = await readRows(connection, joinStatements.countPeople, group);
  const counts = { size: row?.size, started: row?.started, completed: row?.completed };
  await execute(connection, joinStatements.savePeople, { ...group, ...counts });
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
