// The SQL of groups.
import { sql } from "../../database/statement.ts";
import { answeredSessions } from "../sessions/session-columns.ts";

/** The columns of a group without its numbers. */
const columns = `id, partner_id, product, assessment_id, parent_id, label, created_at, closes_at, closed_at, withheld`;

/** Bindings: rows of group, place, partner, sheet, session, person and hash of the answers. */
export const insertMembers = `INSERT INTO group_members
  (group_id, place, partner_id, sheet_id, session_id, person_id, answers_hash) VALUES ?`;
/** Locks sessions that are not erased. Bindings: ids, partner. */
export const lockSessions = `SELECT id FROM sessions FORCE INDEX (PRIMARY)
  WHERE id IN (?) AND partner_id = ? ORDER BY id FOR UPDATE`;
/** Sheets of people in groups with numbers, with the answers if they are still stored. Bindings: partner, people, limit. */
export const listSheetsOfPeople = `SELECT m.sheet_id, m.person_id, s.assessment_id, s.answers
  FROM group_members AS m FORCE INDEX (group_members_person)
  STRAIGHT_JOIN sessions AS s FORCE INDEX (PRIMARY) ON s.id = m.session_id AND s.partner_id = m.partner_id
  WHERE m.partner_id = ? AND m.person_id IN (?) LIMIT ?`;
/** Bindings: partner, hashes. */
export const listSheetsOfAnswers = `SELECT MIN(sheet_id) AS sheet_id, answers_hash FROM group_members
  FORCE INDEX (group_members_answers) WHERE partner_id = ? AND answers_hash IN (?) GROUP BY answers_hash`;
/** Bindings: partner, sheets. */
export const listGroupsOfSheets = `SELECT m.group_id, g.members
  FROM group_members AS m FORCE INDEX (group_members_sheet)
  STRAIGHT_JOIN session_groups AS g FORCE INDEX (PRIMARY) ON g.id = m.group_id AND g.partner_id = m.partner_id
  WHERE m.partner_id = ? AND m.sheet_id IN (?)`;
/** Bindings: groups, partner. */
export const listSheetsOfGroups = `SELECT m.group_id, m.sheet_id, g.has_spread
  FROM group_members AS m FORCE INDEX (PRIMARY)
  STRAIGHT_JOIN session_groups AS g FORCE INDEX (PRIMARY) ON g.id = m.group_id AND g.partner_id = m.partner_id
  WHERE m.group_id IN (?) AND m.partner_id = ?`;

/** Bindings: groups, partner, groups and partner again, partner. */
export const countPeople = `SELECT part.counted_in AS id, COUNT(DISTINCT s.external_id) AS size,
    COUNT(DISTINCT IF(s.first_answer_at IS NOT NULL OR s.completed_at IS NOT NULL, s.external_id, NULL)) AS started,
    COUNT(DISTINCT IF(s.completed_at IS NOT NULL, s.external_id, NULL)) AS completed
  FROM (SELECT id AS counted_in, id FROM session_groups FORCE INDEX (PRIMARY) WHERE id IN (?) AND partner_id = ?
    UNION ALL SELECT parent_id, id FROM session_groups FORCE INDEX (session_groups_parent)
    WHERE parent_id IN (?) AND partner_id = ?) AS part
  STRAIGHT_JOIN sessions AS s FORCE INDEX (sessions_group) ON s.group_id = part.id AND s.partner_id = ?
  GROUP BY part.counted_in`;

const byId = "FORCE INDEX (PRIMARY) WHERE partner_id = :partnerId AND id = :id";

/** Every statement of the group store, except those with lists. */
export const groupStatements = {
  insert: sql`INSERT INTO session_groups (assessment_id, closes_at, created_at, due_at, id, idempotency_key, joined,
      label, parent_id, partner_id, product, request_hash)
    VALUES (:assessmentId, :closesAt, :createdAt, :closesAt, :id, :idempotencyKey, :joined, :label,
      :parentId, :partnerId, :product, :requestHash)`,
  findCount: sql`SELECT closings FROM group_counts FORCE INDEX (PRIMARY) WHERE partner_id = :partnerId`,
  lockCount: sql`SELECT made, closings FROM group_counts FORCE INDEX (PRIMARY) WHERE partner_id = :partnerId FOR UPDATE`,
  count: sql`UPDATE group_counts FORCE INDEX (PRIMARY) SET made = made + 1 WHERE partner_id = :partnerId`,
  countClosing: sql`UPDATE group_counts FORCE INDEX (PRIMARY) SET closings = closings + 1 WHERE partner_id = :partnerId`,
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
  listCompleted: answeredSessions.select`FROM sessions FORCE INDEX (sessions_group)
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
      has_spread = :hasSpread, numbers = :numbers
    WHERE partner_id = :partnerId AND id = :id AND closed_at IS NULL`,
};
