// The SQL of groups.
import { sql } from "../../database/statement.ts";
import { answeredColumns } from "../sessions/session-rows.ts";

/** The columns of a group without its numbers. */
const columns = `id, partner_id, product, assessment_id, parent_id, label, created_at, closes_at, closed_at, withheld`;

/**
 * Locks a partner until the transaction ends: two groups closing concurrently would not be compared, and two endpoints
 * created concurrently could exceed the limit.
 */
export const insertCount = `INSERT INTO group_counts (partner_id, made) VALUES (?, 0)
  ON DUPLICATE KEY UPDATE made = made`;
/** Bindings: rows of session, partner, group, person and hash of the answers. */
export const insertMembers = `INSERT INTO group_members (session_id, partner_id, group_id, person_id, answers_hash)
  VALUES ?`;
/** Locks sessions that are not erased. Bindings: ids, partner. */
export const lockSessions = `SELECT id FROM sessions FORCE INDEX (PRIMARY)
  WHERE id IN (?) AND partner_id = ? ORDER BY id FOR UPDATE`;
/** Bindings: groups, partner. */
export const listMembersOf = `SELECT group_id, person_id, answers_hash FROM group_members
  FORCE INDEX (group_members_group) WHERE group_id IN (?) AND partner_id = ?`;

/** Bindings: groups, partner, groups and partner again, partner. */
export const countPeople = `SELECT part.counted_in AS id, COUNT(DISTINCT s.external_id) AS size,
    COUNT(DISTINCT IF(s.first_answer_at IS NOT NULL OR s.completed_at IS NOT NULL, s.external_id, NULL)) AS started,
    COUNT(DISTINCT IF(s.completed_at IS NOT NULL, s.external_id, NULL)) AS completed
  FROM (SELECT id AS counted_in, id FROM session_groups FORCE INDEX (PRIMARY) WHERE id IN (?) AND partner_id = ?
    UNION ALL SELECT parent_id, id FROM session_groups FORCE INDEX (session_groups_parent)
    WHERE parent_id IN (?) AND partner_id = ?) AS part
  STRAIGHT_JOIN sessions AS s FORCE INDEX (sessions_group) ON s.group_id = part.id AND s.partner_id = ?
  GROUP BY part.counted_in`;

/** Groups that had numbers and contain all but a few of a group's members, or are contained in it but for a few. */
const listNear = (index: string, column: string) => sql`SELECT other.group_id, g.members,
      COUNT(DISTINCT one.session_id) AS shared
    FROM group_members AS one FORCE INDEX (group_members_group)
    STRAIGHT_JOIN group_members AS other FORCE INDEX (${index})
      ON other.${column} = one.${column} AND other.partner_id = one.partner_id
    STRAIGHT_JOIN session_groups AS g FORCE INDEX (PRIMARY) ON g.id = other.group_id AND g.partner_id = one.partner_id
    WHERE one.group_id = :id AND one.partner_id = :partnerId AND other.group_id <> :id
      AND g.product = :product AND g.members IS NOT NULL
    GROUP BY other.group_id, g.members HAVING :size - shared <= :most OR g.members - shared <= :most`;

const byId = "FORCE INDEX (PRIMARY) WHERE partner_id = :partnerId AND id = :id";

/** Every statement of the group store, except those with lists. */
export const groupStatements = {
  insert: sql`INSERT INTO session_groups (assessment_id, closes_at, created_at, due_at, id, idempotency_key, joined,
      label, parent_id, partner_id, product, request_hash)
    VALUES (:assessmentId, :closesAt, :createdAt, :closesAt, :id, :idempotencyKey, :joined, :label,
      :parentId, :partnerId, :product, :requestHash)`,
  lockCount: sql`SELECT made FROM group_counts FORCE INDEX (PRIMARY) WHERE partner_id = :partnerId FOR UPDATE`,
  count: sql`UPDATE group_counts FORCE INDEX (PRIMARY) SET made = made + 1 WHERE partner_id = :partnerId`,
  find: sql`SELECT ${columns} FROM session_groups ${byId}`,
  findByKey: sql`SELECT ${columns}, request_hash FROM session_groups FORCE INDEX (session_groups_idempotency)
    WHERE partner_id = :partnerId AND idempotency_key = :idempotencyKey`,
  list: sql`SELECT ${columns} FROM session_groups FORCE INDEX (session_groups_list)
    WHERE partner_id = :partnerId AND product = :product AND id < :before ORDER BY id DESC LIMIT :limit`,
  listParts: sql`SELECT ${columns} FROM session_groups FORCE INDEX (session_groups_parent)
    WHERE partner_id = :partnerId AND parent_id = :id ORDER BY id`,
  findOpenPart: sql`SELECT id FROM session_groups FORCE INDEX (session_groups_parent)
    WHERE partner_id = :partnerId AND parent_id = :id AND closed_at IS NULL LIMIT 1`,
  findNumbers: sql`SELECT numbers FROM session_groups ${byId}`,
  listCompleted: sql`SELECT ${answeredColumns} FROM sessions FORCE INDEX (sessions_group)
    WHERE group_id = :id AND partner_id = :partnerId AND id > :after AND completed_at IS NOT NULL
      AND answers_deleted_at IS NULL
    ORDER BY id LIMIT :limit`,
  nextDuePartner: sql`SELECT partner_id FROM session_groups FORCE INDEX (session_groups_due)
    WHERE due_at <= :now AND partner_id > :after ORDER BY partner_id LIMIT 1`,
  listDue: sql`SELECT ${columns} FROM session_groups FORCE INDEX (session_groups_due)
    WHERE due_at <= :now AND partner_id = :partnerId ORDER BY due_at LIMIT :limit`,
  lock: sql`SELECT closed_at FROM session_groups ${byId} FOR UPDATE`,
  close: sql`UPDATE session_groups FORCE INDEX (PRIMARY)
    SET closed_at = :closedAt, due_at = NULL, members = :members, held = :members, withheld = :withheld,
      numbers = :numbers
    WHERE partner_id = :partnerId AND id = :id AND closed_at IS NULL`,
  listNearByPerson: listNear("group_members_person", "person_id"),
  listNearByAnswers: listNear("group_members_answers", "answers_hash"),
  forgetMembers: sql`DELETE group_members FROM group_members FORCE INDEX (group_members_group)
    WHERE group_id = :id AND partner_id = :partnerId`,
};
