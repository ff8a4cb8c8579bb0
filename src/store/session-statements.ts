// The SQL of sessions, written through Knex and compiled once.
import type { Knex } from "knex";
import { erasureStatements } from "./events/erasure.ts";
import { compile } from "./statement.ts";

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
  "revision",
  "answers",
  "first_answer_at",
  "last_answer_at",
  "answer_calls",
  "first_call_answers",
  "shown_language",
];
const outcomeColumns = ["id", "partner_id", "assessment_id", "completed_at", "results"];

/** Every statement of the session store. Bindings are names, `":name"`. */
export function sessionStatements(db: Knex) {
  const open = { id: ":id", revision: ":revision" };
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
        idempotency_key: ":idempotencyKey",
        request_hash: ":requestHash",
      }),
    ),
    find: compile(db("sessions").select(sessionColumns).where({ id: ":id" })),
    findByKey: compile(
      db("sessions")
        .select([...sessionColumns, "request_hash"])
        .where({ partner_id: ":partnerId", idempotency_key: ":idempotencyKey" }),
    ),
    // The server assigns from left to right: whether these are the first answers is asked before they are there.
    saveAnswers: compile(
      db("sessions")
        .update({
          unpublished_since: db.raw("IF(answers = '', CURRENT_TIMESTAMP(3), unpublished_since)"),
          ...recording,
        })
        .where(open)
        .whereNull("completed_at"),
    ),
    saveCompletion: compile(
      db("sessions")
        .update({ ...recording, completed_at: ":completedAt", results: ":results" })
        .where(open)
        .whereNull("completed_at"),
    ),
    findOutcome: compile(db("sessions").select(outcomeColumns).where({ id: ":id" }).whereNotNull("completed_at")),
    // The range is read backwards until the first session of the product: nearly always the very first.
    findLatestOutcome: compile(
      db.raw(
        `SELECT ${outcomeColumns.map((column) => `s.${column}`).join(", ")}
         FROM sessions AS s STRAIGHT_JOIN assessments AS a ON a.id = s.assessment_id
         WHERE s.partner_id = ? AND s.external_id = ? AND s.completed_at IS NOT NULL AND a.product = ?
         ORDER BY s.completed_at DESC, s.id DESC LIMIT 1`,
        [":partnerId", ":externalId", ":product"],
      ),
    ),
    findOutcomeBefore: compile(
      db.raw(
        `SELECT ${outcomeColumns.map((column) => `s.${column}`).join(", ")}
         FROM sessions AS s STRAIGHT_JOIN assessments AS a ON a.id = s.assessment_id
         WHERE s.partner_id = ? AND s.external_id = ? AND a.product = ?
           AND s.completed_at <= ? AND (s.completed_at < ? OR s.id < ?)
         ORDER BY s.completed_at DESC, s.id DESC LIMIT 1`,
        [":partnerId", ":externalId", ":product", ":completedAt", ":completedAt", ":id"],
      ),
    ),
    listUnscored: compile(
      db.raw(
        `SELECT id, completed_at FROM sessions FORCE INDEX (sessions_unscored)
         WHERE results IS NULL AND completed_at >= ? AND (completed_at > ? OR id > ?)
         ORDER BY completed_at, id LIMIT ?`,
        [":completedAt", ":completedAt", ":id", ":limit"],
      ),
    ),
    // Some servers would rather look for the one session among all that are unscored.
    saveResults: compile(
      db.raw(
        `UPDATE sessions FORCE INDEX (PRIMARY) SET results = ?
         WHERE id = ? AND completed_at IS NOT NULL AND results IS NULL`,
        [":results", ":id"],
      ),
    ),
    // Two ranges of one index, each read on from its last key.
    listOpenKeys: compile(
      db.raw(
        `SELECT id, completed_at FROM sessions
         WHERE partner_id = ? AND external_id = ? AND completed_at IS NULL AND id > ? ORDER BY id LIMIT ?`,
        [":partnerId", ":externalId", ":id", ":limit"],
      ),
    ),
    listCompletedKeys: compile(
      db.raw(
        `SELECT id, completed_at FROM sessions
         WHERE partner_id = ? AND external_id = ? AND completed_at >= ? AND (completed_at > ? OR id > ?)
         ORDER BY completed_at, id LIMIT ?`,
        [":partnerId", ":externalId", ":completedAt", ":completedAt", ":id", ":limit"],
      ),
    ),
    lockSession: compile(db("sessions").select("id").where({ id: ":id" }).forUpdate()),
    ...erasureStatements(db),
    deleteLinks: compile(db("hosted_links").where({ session_id: ":id" }).delete()),
    deleteVisits: compile(db("hosted_visits").where({ session_id: ":id" }).delete()),
    deleteReportLinks: compile(db("report_links").where({ session_id: ":id" }).delete()),
    deleteReportVisits: compile(db("report_visits").where({ session_id: ":id" }).delete()),
    deleteReportViews: compile(db("report_views").where({ session_id: ":id" }).delete()),
    deleteSession: compile(db("sessions").where({ id: ":id" }).delete()),
    insertErasure: compile(
      db("erasures").insert({
        id: ":id",
        partner_id: ":partnerId",
        client_id: ":clientId",
        erased_at: ":erasedAt",
        sessions_erased: ":sessionsErased",
      }),
    ),
  };
}
