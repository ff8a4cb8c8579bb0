// What quality and norms need: when answers arrived, in which language statements were shown, and whose answers norms
// count. Old sessions have null in the new columns, and so have those that the release before goes on with.
import type { Step } from "./step.ts";

function column(name: string, type: string): Step {
  return {
    unless: `SELECT 1 FROM information_schema.columns
      WHERE table_schema = DATABASE() AND table_name = 'sessions' AND column_name = '${name}' LIMIT 1`,
    sql: `ALTER TABLE sessions ADD COLUMN ${name} ${type} NULL, ALGORITHM=INSTANT`,
  };
}

export const trust: readonly Step[] = [
  column("first_answer_at", "DATETIME(3)"),
  column("last_answer_at", "DATETIME(3)"),
  column("answer_calls", "INT"),
  column("first_call_answers", "INT"),
  column("shown_language", "VARCHAR(35) CHARACTER SET ascii"),
  column("is_counted", "BOOLEAN"),
  {
    unless: `SELECT 1 FROM information_schema.statistics
      WHERE table_schema = DATABASE() AND table_name = 'sessions' AND index_name = 'sessions_uncounted' LIMIT 1`,
    sql: `ALTER TABLE sessions ADD KEY sessions_uncounted (is_counted, completed_at, id), ALGORITHM=INPLACE, LOCK=NONE`,
  },
  // One set for each version, language, kind and partner; that of partner 0 is of all partners together.
  `CREATE TABLE IF NOT EXISTS norm_sets (
    id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    assessment_id INT NOT NULL,
    language VARBINARY(35) NOT NULL,
    kind TINYINT NOT NULL,
    partner_id BINARY(16) NOT NULL,
    pooled_id INT UNSIGNED NULL,
    live INT NOT NULL DEFAULT 0,
    last_position BIGINT NOT NULL DEFAULT 0,
    fresh INT NOT NULL DEFAULT 0,
    pooled_fresh INT NOT NULL DEFAULT 0,
    pooled_release INT NOT NULL DEFAULT 0,
    releases INT NOT NULL DEFAULT 0,
    released_through BIGINT NOT NULL DEFAULT 0,
    removed_at DATETIME(3) NULL,
    UNIQUE KEY norm_sets_key (assessment_id, language, kind, partner_id),
    KEY norm_sets_fresh (fresh),
    KEY norm_sets_removed (removed_at),
    KEY norm_sets_pooled (pooled_id)
  )`,
  `CREATE TABLE IF NOT EXISTS norm_sums (
    set_id INT UNSIGNED NOT NULL PRIMARY KEY,
    sums MEDIUMBLOB NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS norm_releases (
    set_id INT UNSIGNED NOT NULL PRIMARY KEY,
    released_at DATETIME(3) NOT NULL,
    contributions INT NOT NULL,
    numbers MEDIUMBLOB NOT NULL
  )`,
  // The first completed session of each person and version, whether it contributes (set_id) or not; and of each person
  // the one later session that makes a retest pair with it (other_session_id).
  `CREATE TABLE IF NOT EXISTS norm_contributions (
    session_id BINARY(16) NOT NULL PRIMARY KEY,
    kind TINYINT NOT NULL,
    subject_id BINARY(16) NOT NULL,
    assessment_id INT NOT NULL,
    other_session_id BINARY(16) NULL,
    set_id INT UNSIGNED NULL,
    position BIGINT NOT NULL,
    pooled_position BIGINT NOT NULL,
    UNIQUE KEY norm_contributions_subject (subject_id, assessment_id, kind),
    KEY norm_contributions_other (other_session_id),
    KEY norm_contributions_set (set_id, session_id)
  )`,
];
