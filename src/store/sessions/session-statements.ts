// The SQL of sessions, written through Knex and compiled once.
import type { Knex } from "knex";
import { compile } from "../../database/statement.ts";
import { erasureStatements } from "../events/erasure.ts";
import { joinStatements } from "../groups/joining.ts";
import { idempotencyStatements } from "./idempotency-statements.ts";
import { dataStatements } from "./session-data.ts";
import { lifecycleStatements } from "./session-lifecycle.ts";

/** The columns of a session without its results. */
export const sessionColumns = [
  "id",
  "partner_id",
  "external_id",
  "assessment_id",
  "mode",
  "redirect_url",
  "locale",
  "person_access",
  "created_at",
  "completed_at",
  "cancelled_at",
  "expires_at",
  "answers_deleted_at",
  "results_deleted_at",
  "revision",
  "lifecycle_writes",
  "answers",
  "first_answer_at",
  "last_answer_at",
  "answer_calls",
  "first_call_answers",
  "shown_language",
  "group_id",
];
const outcomeColumns = [
  "id",
  "partner_id",
  "assessment_id",
  "completed_at",
  "results",
  "answers_deleted_at",
  "results_deleted_at",
];

/** Every statement of the session store. Bindings are names, `":name"`. */
export function sessionStatements(db: Knex) {
  // Partner and id are an index of their own, which some servers would rather take: it would cost one look-up more.
  const byKey = () => db(db.raw("sessions FORCE INDEX (PRIMARY)"));
  const named = { partner_id: ":partnerId", id: ":id" };
  const open = { ...named, revision: ":revision" };
  const recording = {
    revision: ":nextRevision",
    answers: ":answers",
    first_answer_at: ":firstAnswerAt",
    last_answer_at: ":lastAnswerAt",
    answer_calls: ":answerCalls",
    first_call_answers: ":firstCallAnswers",
    shown_language: ":shownLanguage",
  };
  return {
    insert: compile(
      db("sessions").insert({
        id: ":id",
        partner_id: ":partnerId",
        external_id: ":externalId",
        assessment_id: ":assessmentId",
        mode: ":mode",
        revision: ":revision",
        created_at: ":createdAt",
        answers: ":answers",
        redirect_url: ":redirectUrl",
        locale: ":locale",
        person_access: ":personAccess",
        expires_at: ":expiresAt",
        expiry_due_at: ":expiresAt",
        group_id: ":groupId",
        idempotency_key: ":idempotencyKey",
        request_hash: ":requestHash",
      }),
    ),
    find: compile(byKey().select(sessionColumns).where(named)),
    findByKey: compile(
      db("sessions")
        .select([...sessionColumns, "request_hash"])
        .where({ partner_id: ":partnerId", idempotency_key: ":idempotencyKey" }),
    ),
    // The server assigns from left to right: whether these are the first answers is asked before they are there.
    saveAnswers: compile(
      byKey()
        .update({
          unpublished_since: db.raw("IF(answers = '', CURRENT_TIMESTAMP(3), unpublished_since)"),
          ...recording,
        })
        .where(open)
        .whereNull("completed_at"),
    ),
    saveCompletion: compile(
      byKey()
        .update({ ...recording, completed_at: ":completedAt", results: ":results", expiry_due_at: db.raw("NULL") })
        .where(open)
        .whereNull("completed_at"),
    ),
    findOutcome: compile(byKey().select(outcomeColumns).where(named).whereNotNull("completed_at")),
    // All sessions of the person are looked at. They are few, and an index in this order would be one more for each
    // session.
    findLatestOutcome: compile(
      db.raw(
        `SELECT ${outcomeColumns.map((column) => `s.${column}`).join(", ")}
         FROM sessions AS s FORCE INDEX (sessions_person) STRAIGHT_JOIN assessments AS a ON a.id = s.assessment_id
         WHERE s.partner_id = ? AND s.external_id = ? AND s.completed_at IS NOT NULL AND a.product = ?
         ORDER BY s.completed_at DESC, s.id DESC LIMIT 1`,
        [":partnerId", ":externalId", ":product"],
      ),
    ),
    findOutcomeBefore: compile(
      db.raw(
        `SELECT ${outcomeColumns.map((column) => `s.${column}`).join(", ")}
         FROM sessions AS s FORCE INDEX (sessions_person) STRAIGHT_JOIN assessments AS a ON a.id = s.assessment_id
         WHERE s.partner_id = ? AND s.external_id = ? AND a.product = ?
           AND s.completed_at <= ? AND (s.completed_at < ? OR s.id < ?)
         ORDER BY s.completed_at DESC, s.id DESC LIMIT 1`,
        [":partnerId", ":externalId", ":product", ":completedAt", ":completedAt", ":id"],
      ),
    ),
    listUnscored: compile(
      db.raw(
        `SELECT partner_id, id, completed_at FROM sessions FORCE INDEX (sessions_unscored)
         WHERE results IS NULL AND answers_deleted_at IS NULL AND completed_at >= ? AND (completed_at > ? OR id > ?)
         ORDER BY completed_at, id LIMIT ?`,
        [":completedAt", ":completedAt", ":id", ":limit"],
      ),
    ),
    // Some servers would rather look for the one session among all that are unscored.
    saveResults: compile(
      db.raw(
        `UPDATE sessions FORCE INDEX (PRIMARY) SET results = ?
         WHERE partner_id = ? AND id = ? AND revision = ? AND completed_at IS NOT NULL AND answers_deleted_at IS NULL
           AND results IS NULL`,
        [":results", ":partnerId", ":id", ":revision"],
      ),
    ),
    listKeys: compile(
      db.raw(
        `SELECT id FROM sessions FORCE INDEX (sessions_person)
         WHERE partner_id = ? AND external_id = ? AND id > ? ORDER BY id LIMIT ?`,
        [":partnerId", ":externalId", ":after", ":limit"],
      ),
    ),
    lockOpenSession: compile(byKey().select("id").where(named).whereNull("completed_at").forUpdate()),
    lockSession: compile(byKey().select("id").where(named).forUpdate()),
    ...idempotencyStatements(db),
    ...lifecycleStatements(db),
    ...dataStatements(db),
    ...erasureStatements(db),
    ...joinStatements(db),
    deleteLinks: compile(db("hosted_links").where({ session_id: ":id" }).delete()),
    deleteBrowserSessions: compile(db("hosted_visits").where({ session_id: ":id" }).delete()),
    deleteReportLinks: compile(db("report_links").where({ session_id: ":id" }).delete()),
    deleteReportBrowserSessions: compile(db("report_visits").where({ session_id: ":id" }).delete()),
    deleteReportViews: compile(db("report_views").where({ session_id: ":id" }).delete()),
    // Only this form takes an index.
    deleteSession: compile(
      db.raw("DELETE sessions FROM sessions FORCE INDEX (PRIMARY) WHERE partner_id = ? AND id = ?", [
        ":partnerId",
        ":id",
      ]),
    ),
    insertErasure: compile(
      db("erasures").insert({
        id: ":id",
        partner_id: ":partnerId",
        client_id: ":clientId",
        erased_at: ":erasedAt",
        sessions_erased: ":sessionsErased",
        part: ":part",
      }),
    ),
  };
}
