// Groups of sessions. `due_at` is when a job has to close one; `joined` counts the sessions that ever joined. Of those who
// count in the numbers `members` says how many there were, `held` how many are not erased.
import type { Step } from "./step.ts";

export const groups: readonly Step[] = [
  `CREATE TABLE IF NOT EXISTS session_groups (
    id BINARY(16) NOT NULL PRIMARY KEY,
    partner_id BINARY(16) NOT NULL,
    product VARBINARY(63) NOT NULL,
    assessment_id INT NOT NULL,
    label VARBINARY(320) NOT NULL,
    created_at DATETIME(3) NOT NULL,
    closes_at DATETIME(3) NULL,
    due_at DATETIME(3) NULL,
    closed_at DATETIME(3) NULL,
    joined INT NOT NULL,
    members INT NULL,
    held INT NULL,
    withheld ENUM('too_few', 'too_alike', 'withdrawn') NULL,
    numbers BLOB NULL,
    idempotency_key VARBINARY(255) NULL,
    request_hash BINARY(32) NULL,
    UNIQUE KEY session_groups_idempotency (partner_id, idempotency_key),
    KEY session_groups_list (partner_id, product, id),
    KEY session_groups_due (due_at, partner_id)
  )`,
  // Whose answers are in the numbers of which group. A person is the UUID that every session of theirs has.
  `CREATE TABLE IF NOT EXISTS group_members (
    session_id BINARY(16) NOT NULL PRIMARY KEY,
    partner_id BINARY(16) NOT NULL,
    group_id BINARY(16) NOT NULL,
    person_id BINARY(16) NOT NULL,
    KEY group_members_group (group_id, person_id),
    KEY group_members_person (partner_id, person_id, group_id)
  )`,
  // A row for each partner: whoever makes or closes one of its groups locks it.
  `CREATE TABLE IF NOT EXISTS group_counts (
    partner_id BINARY(16) NOT NULL PRIMARY KEY,
    made INT NOT NULL
  )`,
  {
    unless: `SELECT 1 FROM information_schema.columns
      WHERE table_schema = DATABASE() AND table_name = 'sessions' AND column_name = 'group_id' LIMIT 1`,
    sql: "ALTER TABLE sessions ADD COLUMN group_id BINARY(16) NULL, ALGORITHM=INSTANT",
  },
  {
    unless: `SELECT 1 FROM information_schema.statistics
      WHERE table_schema = DATABASE() AND table_name = 'sessions' AND index_name = 'sessions_group' LIMIT 1`,
    sql: "ALTER TABLE sessions ADD KEY sessions_group (group_id), ALGORITHM=INPLACE, LOCK=NONE",
  },
];
