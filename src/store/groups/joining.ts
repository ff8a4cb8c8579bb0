// Joining and leaving groups: sessions join when they are inserted, and leave when they are erased.
import type { Connection } from "mysql2";
import { execute, executeText, readRows, readRowsOf, sql } from "../../database/statement.ts";
import { maxGroupSessions } from "../../domain/sessions/session.ts";
import type { GroupCounts } from "./group-store.ts";

/** The statements of sessions that concern groups. */
export const joinStatements = {
  findParent: sql`SELECT parent_id FROM session_groups FORCE INDEX (PRIMARY)
    WHERE partner_id = :partnerId AND id = :groupId`,
  listPartIds: sql`SELECT id FROM session_groups FORCE INDEX (session_groups_parent)
    WHERE partner_id = :partnerId AND parent_id = :groupId`,
  // A transaction that closes the group waits until the session has joined, or the other way round.
  lockGroup: sql`SELECT joined, closed_at IS NOT NULL OR closes_at <= :createdAt AS is_closed FROM session_groups
    FORCE INDEX (PRIMARY) WHERE partner_id = :partnerId AND id = :groupId FOR UPDATE`,
  // The states of the person's other sessions in the group and its parts.
  findOthers: sql`SELECT COUNT(*) AS size, COUNT(s.first_answer_at) + COUNT(s.completed_at) AS started,
      COUNT(s.completed_at) AS completed
    FROM sessions AS s FORCE INDEX (sessions_person)
    STRAIGHT_JOIN session_groups AS g FORCE INDEX (PRIMARY) ON g.id = s.group_id AND g.partner_id = s.partner_id
    WHERE s.partner_id = :partnerId AND s.external_id = :externalId AND s.id <> :id
      AND (g.id = :groupId OR g.parent_id = :groupId)`,
  addPeople: sql`UPDATE session_groups FORCE INDEX (PRIMARY)
    SET size = size + :size, started = started + :started, completed = completed + :completed
    WHERE partner_id = :partnerId AND id = :groupId`,
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

/** The groups whose numbers include the sessions. Bindings: ids, partner. */
const listMembers = `SELECT group_id FROM group_members FORCE INDEX (PRIMARY) WHERE session_id IN (?) AND partner_id = ?`;
/** Bindings: ids, partner. */
const listGroups = `SELECT s.group_id, g.parent_id FROM sessions AS s FORCE INDEX (PRIMARY)
  STRAIGHT_JOIN session_groups AS g FORCE INDEX (PRIMARY) ON g.id = s.group_id AND g.partner_id = s.partner_id
  WHERE s.id IN (?) AND s.partner_id = ?`;
/** Bindings: groups, partner. */
const countPeople = `SELECT COUNT(DISTINCT external_id) AS size,
    COUNT(DISTINCT IF(first_answer_at IS NOT NULL OR completed_at IS NOT NULL, external_id, NULL)) AS started,
    COUNT(DISTINCT IF(completed_at IS NOT NULL, external_id, NULL)) AS completed
  FROM sessions FORCE INDEX (sessions_group) WHERE group_id IN (?) AND partner_id = ?`;
const deleteMembers = `DELETE group_members FROM group_members FORCE INDEX (PRIMARY)
  WHERE session_id IN (?) AND partner_id = ?`;
/** As the product's `leastMembers`: numbers of fewer people are withdrawn. */
const leastHeld = 5;

/** The group and its parent, in the order in which they are locked. */
async function withParent(connection: Connection, partnerId: Buffer, groupId: Buffer): Promise<readonly Buffer[]> {
  const [row] = await readRows(connection, joinStatements.findParent, { partnerId, groupId });
  return inOrder([groupId, row?.parent_id]);
}

function inOrder(ids: readonly (Buffer | null | undefined)[]): readonly Buffer[] {
  const byHex = new Map(ids.flatMap((id) => (id ? [[id.toString("hex"), id] as const] : [])));
  return [...byHex.values()].sort(Buffer.compare);
}

/** A session that may be in a group, as its row names it. */
interface MayJoin {
  readonly partnerId: Buffer;
  readonly groupId: Buffer | null;
  readonly createdAt: Date;
}

/** Why a session cannot join its group and the parent; undefined if it can, or has no group. Locks both. */
export async function groupRefusal(
  connection: Connection,
  { partnerId, groupId, createdAt }: MayJoin,
): Promise<"group_closed" | "group_full" | undefined> {
  if (groupId === null) return undefined;
  for (const each of await withParent(connection, partnerId, groupId)) {
    const [group] = await readRows(connection, joinStatements.lockGroup, { partnerId, groupId: each, createdAt });
    if (group === undefined || group.is_closed === 1) return "group_closed";
    if (group.joined >= maxGroupSessions) return "group_full";
  }
  return undefined;
}

/** Counts a session that was inserted, and its person. */
export async function joinGroup(connection: Connection, session: InGroup): Promise<void> {
  for (const groupId of await withParent(connection, session.partnerId, session.groupId)) {
    await execute(connection, joinStatements.join, { ...session, groupId });
  }
  await countPerson(connection, session, ["size"]);
}

/** A session of a group, as its row names it. */
type InGroup = Readonly<Record<"partnerId" | "id" | "externalId" | "groupId", Buffer>>;

/**
 * Counts a person in a group and its parent, unless another session of theirs counts there already. Locks
 * both.
 * @param gained the states that the session has reached
 */
export async function countPerson(
  connection: Connection,
  session: InGroup,
  gained: readonly (keyof GroupCounts)[],
): Promise<void> {
  for (const groupId of await withParent(connection, session.partnerId, session.groupId)) {
    const values = { ...session, groupId };
    await readRows(connection, joinStatements.lockCounts, values);
    const [others] = await readRows(connection, joinStatements.findOthers, values);
    const gain = (what: keyof GroupCounts) => (gained.includes(what) && Number(others?.[what]) === 0 ? 1 : 0);
    const gains = { size: gain("size"), started: gain("started"), completed: gain("completed") };
    await execute(connection, joinStatements.addPeople, { ...values, ...gains });
  }
}

/** The groups of sessions, and their parents, in the order in which they are locked. */
export async function groupsOf(
  connection: Connection,
  partnerId: Buffer,
  ids: readonly Buffer[],
): Promise<readonly Buffer[]> {
  const rows = await readRowsOf(connection, listGroups, [ids, partnerId]);
  return inOrder(rows.flatMap(({ group_id, parent_id }) => [group_id, parent_id]));
}

/** Recounts the people of a group and its parts, after sessions of it were erased. */
export async function recountPeople(connection: Connection, partnerId: Buffer, groupId: Buffer): Promise<void> {
  const group = { partnerId, groupId };
  await readRows(connection, joinStatements.lockCounts, group);
  const parts = await readRows(connection, joinStatements.listPartIds, group);
  const [row] = await readRowsOf(connection, countPeople, [[groupId, ...parts.map(({ id }) => id)], partnerId]);
  const counts = { size: row?.size, started: row?.started, completed: row?.completed };
  await execute(connection, joinStatements.savePeople, { ...group, ...counts });
}

/** Removes sessions, whose rows are locked, from the members of their groups, and withdraws numbers of too few. */
export async function removeMembers(connection: Connection, partnerId: Buffer, ids: readonly Buffer[]): Promise<void> {
  const rows = await readRowsOf(connection, listMembers, [ids, partnerId]);
  if (rows.length === 0) return;
  await executeText(connection, deleteMembers, [ids, partnerId]);
  const groups = Map.groupBy(rows, (row) => row.group_id.toString("hex"));
  // In one order, so that two erasures cannot deadlock.
  for (const [groupId, gone] of [...groups].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const values = { partnerId, groupId: Buffer.from(groupId, "hex"), gone: gone.length, least: leastHeld };
    await execute(connection, joinStatements.leave, values);
  }
}
