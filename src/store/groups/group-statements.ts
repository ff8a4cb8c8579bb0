// Groups as they are stored, and their SQL.
import { sql } from "../../database/statement.ts";
import { joinCodeFields } from "../../domain/groups/join-code.ts";
import type { IdempotencyKey } from "../../domain/sessions/session.ts";
import { byteText, nullable, partsOf, plain, uuid } from "../../domain/stored-fields.ts";
import { completedSessions } from "../sessions/session-columns.ts";
import { type Stored, table } from "../table.ts";

/** The reason why a closed group has no numbers. */
export type GroupWithheld = "too_few" | "disclosive" | "withdrawn";

/** The fields of groups, without their numbers. */
const groupFields = {
  id: uuid,
  partnerId: uuid,
  product: byteText,
  /** That of all of its sessions. */
  assessmentId: plain<number>(),
  /** The parent group; null: none. */
  parentId: nullable(uuid),
  label: byteText,
  createdAt: plain<Date>(),
  /** When it closes automatically; null: never. */
  closesAt: plain<Date | null>(),
  /** Null while it is open. */
  closedAt: plain<Date | null>(),
  /** The reason why it has no numbers; null while it is open, and if it has numbers. */
  withheld: plain<GroupWithheld | null>(),
  /** The last one, in force or over; null: it never had one. */
  joinCode: partsOf(joinCodeFields),
};
export const groups = table(groupFields);
/** With what finds it for a repeated request. */
const keyedGroups = table({ ...groupFields, requestHash: plain<Uint8Array>() });
export type StoredGroup = Stored<typeof groups>;

/** A group to insert. */
export interface NewGroup extends Omit<StoredGroup, "closedAt" | "withheld" | "joinCode"> {
  readonly idempotency: IdempotencyKey | null;
}

/** The join codes in rows of groups. */
export const joinCodes = table(joinCodeFields);

/** Every statement of sheets: what the members of groups with numbers answered. */
export const sheetStatements = {
  /** With the answers, if they are still stored. */
  listByPeople: sql`SELECT m.sheet_id, m.person_id, s.assessment_id, s.answers
    FROM group_members AS m FORCE INDEX (group_members_person)
    STRAIGHT_JOIN sessions AS s FORCE INDEX (PRIMARY) ON s.id = m.session_id AND s.partner_id = m.partner_id
    WHERE m.partner_id = :partnerId AND m.person_id IN (:personIds) LIMIT :limit`,
  listByAnswers: sql`SELECT MIN(sheet_id) AS sheet_id, answers_hash FROM group_members
    FORCE INDEX (group_members_answers) WHERE partner_id = :partnerId AND answers_hash IN (:hashes) GROUP BY answers_hash`,
  listGroups: sql`SELECT group_id FROM group_members FORCE INDEX (group_members_sheet)
    WHERE partner_id = :partnerId AND sheet_id IN (:sheetIds)`,
  listByGroups: sql`SELECT m.group_id, m.sheet_id, g.has_spread
    FROM group_members AS m FORCE INDEX (PRIMARY)
    STRAIGHT_JOIN session_groups AS g FORCE INDEX (PRIMARY) ON g.id = m.group_id AND g.partner_id = m.partner_id
    WHERE m.group_id IN (:groupIds) AND m.partner_id = :partnerId`,
};

const byId = "FORCE INDEX (PRIMARY) WHERE partner_id = :partnerId AND id = :id";

/** Every statement of the group store. */
export const groupStatements = {
  insert: sql`INSERT INTO session_groups (${groups.columns}, due_at, joined, idempotency_key, request_hash)
    VALUES (${groups.markers}, :closesAt, 0, :idempotencyKey, :requestHash)`,
  countClosings: sql`SELECT closings FROM partner_locks FORCE INDEX (PRIMARY) WHERE partner_id = :partnerId`,
  // No other group of the partner is created or closed meanwhile.
  lockCounts: sql`SELECT group_count, closings FROM partner_locks FORCE INDEX (PRIMARY) WHERE partner_id = :partnerId FOR UPDATE`,
  countGroup: sql`UPDATE partner_locks FORCE INDEX (PRIMARY) SET group_count = group_count + 1 WHERE partner_id = :partnerId`,
  countClosing: sql`UPDATE partner_locks FORCE INDEX (PRIMARY) SET closings = closings + 1 WHERE partner_id = :partnerId`,
  find: groups.select`FROM session_groups ${byId}`,
  findByKey: keyedGroups.select`FROM session_groups FORCE INDEX (session_groups_idempotency)
    WHERE partner_id = :partnerId AND idempotency_key = :idempotencyKey`,
  list: groups.select`FROM session_groups FORCE INDEX (session_groups_list)
    WHERE partner_id = :partnerId AND product = :product AND id < :before ORDER BY id DESC LIMIT :limit`,
  listParts: groups.select`FROM session_groups FORCE INDEX (session_groups_parent)
    WHERE partner_id = :partnerId AND parent_id = :id ORDER BY id`,
  findOpenPart: sql`SELECT id FROM session_groups FORCE INDEX (session_groups_parent)
    WHERE partner_id = :partnerId AND parent_id = :id AND closed_at IS NULL LIMIT 1`,
  findByJoinCode: groups.select`FROM session_groups FORCE INDEX (session_groups_join) WHERE join_hash = :hash`,
  saveJoinCode: sql`UPDATE session_groups FORCE INDEX (PRIMARY) SET ${joinCodes.assignments}
    WHERE partner_id = :partnerId AND id = :id AND closed_at IS NULL`,
  endJoinCode: sql`UPDATE session_groups FORCE INDEX (PRIMARY) SET join_expires_at = LEAST(join_expires_at, :now)
    WHERE partner_id = :partnerId AND id = :id`,
  findNumbers: sql`SELECT numbers FROM session_groups ${byId}`,
  listCompleted: completedSessions.select`FROM sessions FORCE INDEX (sessions_group)
    WHERE group_id = :id AND partner_id = :partnerId AND id > :after AND completed_at IS NOT NULL
      AND answers_deleted_at IS NULL
    ORDER BY id LIMIT :limit`,
  insertMembers: sql`INSERT INTO group_members
    (group_id, place, partner_id, sheet_id, session_id, person_id, answers_hash) VALUES :rows`,
  /** Locks sessions that are not erased. */
  lockSessions: sql`SELECT id FROM sessions FORCE INDEX (PRIMARY)
    WHERE id IN (:ids) AND partner_id = :partnerId ORDER BY id FOR UPDATE`,
  countPeople: sql`SELECT part.counted_in AS id, COUNT(DISTINCT s.external_id) AS size,
      COUNT(DISTINCT IF(s.first_answer_at IS NOT NULL OR s.completed_at IS NOT NULL, s.external_id, NULL)) AS started,
      COUNT(DISTINCT IF(s.completed_at IS NOT NULL, s.external_id, NULL)) AS completed
    FROM (SELECT id AS counted_in, id FROM session_groups FORCE INDEX (PRIMARY)
      WHERE id IN (:groupIds) AND partner_id = :partnerId
      UNION ALL SELECT parent_id, id FROM session_groups FORCE INDEX (session_groups_parent)
      WHERE parent_id IN (:groupIds) AND partner_id = :partnerId) AS part
    STRAIGHT_JOIN sessions AS s FORCE INDEX (sessions_group) ON s.group_id = part.id AND s.partner_id = :partnerId
    GROUP BY part.counted_in`,
  nextDuePartner: sql`SELECT partner_id FROM session_groups FORCE INDEX (session_groups_due)
    WHERE due_at <= :now AND partner_id > :after ORDER BY partner_id LIMIT 1`,
  // The time is years ahead for a twin: among all partners' groups by time this would read most of them.
  listDue: groups.select`FROM session_groups FORCE INDEX (session_groups_partner_due)
    WHERE partner_id = :partnerId AND due_at <= :now ORDER BY due_at LIMIT :limit`,
  lock: sql`SELECT closed_at FROM session_groups ${byId} FOR UPDATE`,
  close: sql`UPDATE session_groups FORCE INDEX (PRIMARY)
    SET closed_at = :closedAt, due_at = NULL, held = :held, withheld = :withheld,
      has_spread = :hasSpread, numbers = :numbers
    WHERE partner_id = :partnerId AND id = :id AND closed_at IS NULL`,
};
