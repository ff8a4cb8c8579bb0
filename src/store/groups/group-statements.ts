// The SQL of groups, compiled once.
import type { Knex } from "knex";
import { compile } from "../../database/statement.ts";
import { sessionColumns } from "../sessions/session-statements.ts";

/** The columns of a group without its numbers. */
const columns = "id, partner_id, product, assessment_id, label, created_at, closes_at, closed_at, withheld";

/** Of a partner, for the length of a transaction: two of its groups that close at a time would not be compared. */
export const insertCount = `INSERT INTO group_counts (partner_id, made) VALUES (?, 0)
  ON DUPLICATE KEY UPDATE made = made`;
/** Bindings: rows of session, partner, group and person. */
export const insertMembers = "INSERT INTO group_members (session_id, partner_id, group_id, person_id) VALUES ?";
/** Locks sessions that are not erased. Bindings: ids, partner. */
export const lockSessions = `SELECT id FROM sessions FORCE INDEX (PRIMARY)
  WHERE id IN (?) AND partner_id = ? ORDER BY id FOR UPDATE`;
/** Those groups that had numbers of about so many people. Bindings: ids, partner, product, least, most. */
export const listAlikeInSize = `SELECT id, members FROM session_groups FORCE INDEX (PRIMARY)
  WHERE id IN (?) AND partner_id = ? AND product = ? AND members BETWEEN ? AND ?`;

/** The counts of some groups. Bindings: ids, partner. */
export const countPeople = `SELECT group_id, COUNT(DISTINCT external_id) AS size,
    COUNT(DISTINCT IF(first_answer_at IS NOT NULL OR answers <> '' OR completed_at IS NOT NULL, external_id, NULL))
      AS started,
    COUNT(DISTINCT IF(completed_at IS NOT NULL, external_id, NULL)) AS completed
  FROM sessions FORCE INDEX (sessions_group) WHERE group_id IN (?) AND partner_id = ? GROUP BY group_id`;

/** Every statement of the group store, but for those with lists. Bindings are names, `":name"`. */
export function groupStatements(db: Knex) {
  const byId = "FORCE INDEX (PRIMARY) WHERE partner_id = ? AND id = ?";
  const named = [":partnerId", ":id"];
  return {
    insert: compile(
      db("session_groups").insert({
        id: ":id",
        partner_id: ":partnerId",
        product: ":product",
        assessment_id: ":assessmentId",
        label: ":label",
        created_at: ":createdAt",
        closes_at: ":closesAt",
        due_at: ":closesAt",
        joined: ":joined",
        idempotency_key: ":idempotencyKey",
        request_hash: ":requestHash",
      }),
    ),
    lockCount: compile(
      db.raw("SELECT made FROM group_counts FORCE INDEX (PRIMARY) WHERE partner_id = ? FOR UPDATE", [":partnerId"]),
    ),
    count: compile(
      db.raw("UPDATE group_counts FORCE INDEX (PRIMARY) SET made = made + 1 WHERE partner_id = ?", [":partnerId"]),
    ),
    remove: compile(
      db.raw("DELETE session_groups FROM session_groups FORCE INDEX (PRIMARY) WHERE partner_id = ? AND id = ?", named),
    ),
    find: compile(db.raw(`SELECT ${columns} FROM session_groups ${byId}`, named)),
    findByKey: compile(
      db.raw(
        `SELECT ${columns}, request_hash FROM session_groups FORCE INDEX (session_groups_idempotency)
         WHERE partner_id = ? AND idempotency_key = ?`,
        [":partnerId", ":idempotencyKey"],
      ),
    ),
    list: compile(
      db.raw(
        `SELECT ${columns} FROM session_groups FORCE INDEX (session_groups_list)
         WHERE partner_id = ? AND product = ? AND id < ? ORDER BY id DESC LIMIT ?`,
        [":partnerId", ":product", ":before", ":limit"],
      ),
    ),
    findNumbers: compile(db.raw(`SELECT numbers FROM session_groups ${byId}`, named)),
    listCompleted: compile(
      db.raw(
        `SELECT ${sessionColumns.join(", ")} FROM sessions FORCE INDEX (sessions_group)
         WHERE group_id = ? AND partner_id = ? AND id > ? AND completed_at IS NOT NULL AND answers_deleted_at IS NULL
         ORDER BY id LIMIT ?`,
        [":id", ":partnerId", ":after", ":limit"],
      ),
    ),
    listDue: compile(
      db.raw(
        `SELECT ${columns} FROM session_groups FORCE INDEX (session_groups_due)
         WHERE due_at <= ? ORDER BY due_at, partner_id LIMIT ?`,
        [":now", ":limit"],
      ),
    ),
    listDueOfPartner: compile(
      db.raw(
        `SELECT ${columns} FROM session_groups FORCE INDEX (session_groups_due)
         WHERE due_at <= ? AND partner_id = ? ORDER BY due_at LIMIT ?`,
        [":now", ":partnerId", ":limit"],
      ),
    ),
    lock: compile(db.raw(`SELECT closed_at FROM session_groups ${byId} FOR UPDATE`, named)),
    close: compile(
      db.raw(
        `UPDATE session_groups FORCE INDEX (PRIMARY)
         SET closed_at = ?, due_at = NULL, members = ?, held = ?, withheld = ?, numbers = ?
         WHERE partner_id = ? AND id = ? AND closed_at IS NULL`,
        [":closedAt", ":members", ":members", ":withheld", ":numbers", ...named],
      ),
    ),
    listGroupsOfPerson: compile(
      db.raw(
        `SELECT group_id FROM group_members FORCE INDEX (group_members_person)
         WHERE partner_id = ? AND person_id = ? AND group_id > ? ORDER BY group_id LIMIT ?`,
        [":partnerId", ":personId", ":after", ":limit"],
      ),
    ),
    countShared: compile(
      db.raw(
        `SELECT COUNT(*) AS shared FROM group_members AS one FORCE INDEX (group_members_group)
         STRAIGHT_JOIN group_members AS other FORCE INDEX (group_members_group)
           ON other.group_id = ? AND other.person_id = one.person_id AND other.partner_id = one.partner_id
         WHERE one.group_id = ? AND one.partner_id = ?`,
        [":otherId", ":id", ":partnerId"],
      ),
    ),
    forgetMembers: compile(
      db.raw(
        `DELETE group_members FROM group_members FORCE INDEX (group_members_group)
         WHERE group_id = ? AND partner_id = ?`,
        [":id", ":partnerId"],
      ),
    ),
  };
}
