// The SQL of sessions.
import { columnsOf, sql } from "../../database/statement.ts";
import { eventText, publishing } from "../events/unpublished.ts";
import { joinStatements } from "../groups/joining.ts";
import { idempotencyStatements } from "./idempotency-store.ts";
import { statements as lifecycleStatements } from "./session-lifecycle.ts";
import { sessionColumns } from "./session-rows.ts";

// Partner and id are an index of their own, which some servers would choose: it would cost one more look-up.
const byKey = "sessions FORCE INDEX (PRIMARY)";
const named = "partner_id = :partnerId AND id = :id";
const open = `${named} AND revision = :revision AND completed_at IS NULL`;
const recording = `revision = :nextRevision, answers = :answers, first_answer_at = :firstAnswerAt,
  last_answer_at = :lastAnswerAt, answer_calls = :answerCalls, first_call_answers = :firstCallAnswers,
  shown_language = :shownLanguage`;
// The server assigns from left to right: whether these are the first answers is evaluated before they are stored.
const started = `IF(answers = '', ${eventText("session.started", "COALESCE(:firstAnswerAt, NOW(3))")}, '')`;
const scored = eventText("session.scored", ":completedAt");

/** Every statement of the session store. */
export const sessionStatements = {
  insert: sql`INSERT INTO sessions (id, partner_id, external_id, assessment_id, mode, revision, created_at, answers,
      redirect_url, locale, person_access, expires_at, expiry_due_at, group_id, unpublished, unpublished_since)
    VALUES (:id, :partnerId, :externalId, :assessmentId, :mode, :revision, :createdAt, :answers,
      :redirectUrl, :locale, :personAccess, :expiresAt, :expiresAt, :groupId,
      ${eventText("session.created", ":createdAt")}, NOW(3))`,
  find: sql`SELECT ${sessionColumns} FROM ${byKey} WHERE ${named}`,
  findByKey: sql`SELECT ${columnsOf("s", sessionColumns)}, k.request_hash
    FROM idempotency_keys AS k FORCE INDEX (PRIMARY)
    STRAIGHT_JOIN sessions AS s FORCE INDEX (PRIMARY) ON s.id = k.session_id AND s.partner_id = k.partner_id
    WHERE k.partner_id = :partnerId AND k.idempotency_key = :idempotencyKey`,
  saveAnswers: sql`UPDATE ${byKey} SET ${publishing(started)}, ${recording} WHERE ${open}`,
  saveCompletion: sql`UPDATE ${byKey}
    SET ${publishing(`${started}, ${eventText("session.completed", ":completedAt")}, IF(:isScored, ${scored}, '')`)},
      ${recording}, completed_at = :completedAt, results = :results, expiry_due_at = NULL WHERE ${open}`,
  // All sessions of the person are read. They are few, and an index in this order would add one entry for each
  // session.
  findLatestCompleted: sql`SELECT ${columnsOf("s", sessionColumns)}
    FROM sessions AS s FORCE INDEX (sessions_person) STRAIGHT_JOIN assessments AS a ON a.id = s.assessment_id % 1000000
    WHERE s.partner_id = :partnerId AND s.external_id = :externalId AND s.completed_at IS NOT NULL
      AND a.product = :product
    ORDER BY s.completed_at DESC, s.id DESC LIMIT 1`,
  findCompletedBefore: sql`SELECT ${columnsOf("s", sessionColumns)}
    FROM sessions AS s FORCE INDEX (sessions_person) STRAIGHT_JOIN assessments AS a ON a.id = s.assessment_id % 1000000
    WHERE s.partner_id = :partnerId AND s.external_id = :externalId AND a.product = :product
      AND s.completed_at <= :completedAt AND (s.completed_at < :completedAt OR s.id < :id)
    ORDER BY s.completed_at DESC, s.id DESC LIMIT 1`,
  listUnscored: sql`SELECT partner_id, id, completed_at FROM sessions FORCE INDEX (sessions_unscored)
    WHERE results IS NULL AND answers_deleted_at IS NULL
      AND completed_at >= :completedAt AND (completed_at > :completedAt OR id > :id)
    ORDER BY completed_at, id LIMIT :limit`,
  // Some servers would search for the one session among all that are unscored.
  saveResults: sql`UPDATE ${byKey} SET ${publishing(eventText("session.scored", "NOW(3)"))}, results = :results
    WHERE ${named} AND revision = :revision AND completed_at IS NOT NULL AND answers_deleted_at IS NULL
      AND results IS NULL`,
  listKeys: sql`SELECT id FROM sessions FORCE INDEX (sessions_person)
    WHERE partner_id = :partnerId AND external_id = :externalId AND id > :after ORDER BY id LIMIT :limit`,
  lockSession: sql`SELECT id FROM ${byKey} WHERE ${named} FOR UPDATE`,
  ...idempotencyStatements,
  ...lifecycleStatements,
  ...joinStatements,
};
