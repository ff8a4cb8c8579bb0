// The SQL of sessions.
import { sql } from "../../database/statement.ts";
import { shortFormIds } from "../../domain/assessments/published-assessment.ts";
import { appendEvents, createEventExpression } from "../events/unpublished.ts";
import { joinStatements } from "../groups/joining.ts";
import { completedSessions, isOpenSql, keyedSessions, recordings, sessionKeys, sessions } from "./session-columns.ts";

// Partner and id are an index of their own, which some servers would choose: it would cost one more look-up.
const sessionsByKey = "sessions FORCE INDEX (PRIMARY)";
const byKey = "partner_id = :partnerId AND id = :id";
const atRevision = `${byKey} AND revision = :revision`;
const whereOpen = `WHERE ${atRevision} AND completed_at IS NULL`;
const recording = `revision = revision + 1, ${recordings.assignments}`;
// The server assigns from left to right: whether these are the first answers is evaluated before they are stored.
const startedEvent = `IF(answers = '', ${createEventExpression("session.started", "COALESCE(:firstAnswerAt, NOW(3))")}, '')`;
const createdEvents = `${createEventExpression("session.created", ":createdAt")},
      IF(:answers = '', '', ${createEventExpression("session.started", ":createdAt")})`;
const scoredEvent = createEventExpression("session.scored", ":completedAt");
/** Clears the answers in a row: of their arrival only the time of the first one stays. */
export const withoutAnswers = `answers = '', last_answer_at = NULL, answer_calls = NULL, first_call_answers = NULL,
  shown_language = NULL`;
// A cancelled session may be cancelled again, to erase its answers.
const cancelling = `IF(cancelled_at IS NULL, ${createEventExpression("session.cancelled", ":cancelledAt")}, '')`;
const cancellation = `${appendEvents(cancelling)}, cancelled_at = :cancelledAt, announce_at = NULL, revision = revision + 1`;
const dueEvent = `IF(completed_at IS NULL, ${createEventExpression("session.expired", "expires_at", "expirations + 1")},
  ${createEventExpression("intention.due", "announce_at", "intentions_due + 1")})`;
// All sessions of the person are read. They are few, and an index in this order would add one entry for each session.
const completedOfPerson = `FROM sessions FORCE INDEX (sessions_person)
    WHERE partner_id = :partnerId AND external_id = :externalId AND completed_at IS NOT NULL AND product = :product`;

/** Every statement of the session store. */
export const sessionStatements = {
  insert: sql`INSERT INTO sessions
      (${sessions.columns}, announce_at, idempotency_key, request_hash, unpublished, unpublished_since)
    VALUES (${sessions.markers}, :expiresAt, :idempotencyKey, :requestHash, CONCAT(${createdEvents}), NOW(3))`,
  // An erasure, or a policy that deletes answers, waits until they are taken over, or the other way round.
  lockContinued: sql`SELECT id FROM ${sessionsByKey}
    WHERE partner_id = :partnerId AND id = :continues AND answers_deleted_at IS NULL FOR UPDATE`,
  find: sessions.select`FROM ${sessionsByKey} WHERE ${byKey}`,
  findByKey: keyedSessions.select`FROM sessions FORCE INDEX (sessions_idempotency)
    WHERE partner_id = :partnerId AND idempotency_key = :idempotencyKey`,
  saveAnswers: sql`UPDATE ${sessionsByKey} SET ${appendEvents(startedEvent)}, ${recording} ${whereOpen}`,
  saveCompletion: sql`UPDATE ${sessionsByKey}
    SET ${appendEvents(`${startedEvent}, ${createEventExpression("session.completed", ":completedAt")}, IF(:isScored, ${scoredEvent}, '')`)},
      ${recording}, completed_at = :completedAt, results = :results, announce_at = NULL ${whereOpen}`,
  cancel: sql`UPDATE ${sessionsByKey} SET ${cancellation} ${whereOpen}`,
  cancelAndErase: sql`UPDATE ${sessionsByKey} SET ${withoutAnswers}, ${cancellation} ${whereOpen}`,
  reopen: sql`UPDATE ${sessionsByKey} SET expires_at = :expiresAt, announce_at = :expiresAt, revision = revision + 1
    WHERE ${atRevision} AND ${isOpenSql}`,
  listDue: sessionKeys.select`FROM sessions FORCE INDEX (sessions_announce)
    WHERE announce_at <= :now ORDER BY announce_at, partner_id LIMIT :limit`,
  // Once for each expiry time that the session was given, and for each day of a step.
  announceDue: sql`UPDATE ${sessionsByKey}
    SET ${appendEvents(dueEvent)}, expirations = expirations + (completed_at IS NULL),
      intentions_due = intentions_due + (completed_at IS NOT NULL), announce_at = NULL, revision = revision + 1
    WHERE ${byKey} AND announce_at <= :now AND (completed_at IS NOT NULL OR (expires_at <= :now AND ${isOpenSql}))`,
  findLatestCompleted: sessions.select`${completedOfPerson} ORDER BY completed_at DESC, id DESC LIMIT 1`,
  findCompletedBefore: sessions.select`${completedOfPerson}
      AND completed_at <= :completedAt AND (completed_at < :completedAt OR id < :id)
      AND (assessment_id > ${shortFormIds}) = (:assessmentId > ${shortFormIds})
    ORDER BY completed_at DESC, id DESC LIMIT 1`,
  listUnscored: completedSessions.select`FROM sessions FORCE INDEX (sessions_unscored)
    WHERE results IS NULL AND answers_deleted_at IS NULL
      AND completed_at >= :completedAt AND (completed_at > :completedAt OR id > :id)
    ORDER BY completed_at, id LIMIT :limit`,
  // Some servers would search for the one session among all that are unscored.
  saveResults: sql`UPDATE ${sessionsByKey} SET ${appendEvents(createEventExpression("session.scored", "NOW(3)"))}, results = :results
    WHERE ${atRevision} AND completed_at IS NOT NULL AND answers_deleted_at IS NULL AND results IS NULL`,
  listKeys: sql`SELECT id FROM sessions FORCE INDEX (sessions_person)
    WHERE partner_id = :partnerId AND external_id = :externalId ORDER BY id LIMIT :limit`,
  lockSession: sql`SELECT id FROM ${sessionsByKey} WHERE ${byKey} FOR UPDATE`,
  ...joinStatements,
};
