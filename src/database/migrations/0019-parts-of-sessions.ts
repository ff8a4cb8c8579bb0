// Policies that delete the answers or the results of completed sessions and keep the rest. They are applied once no process
// runs an earlier release, which could not read a session without its results.
import type { Step } from "./step.ts";

function columns(table: string, first: string, definitions: string): Step {
  return {
    unless: `SELECT 1 FROM information_schema.columns
      WHERE table_schema = DATABASE() AND table_name = '${table}' AND column_name = '${first}' LIMIT 1`,
    sql: `ALTER TABLE ${table} ${definitions}, ALGORITHM=INSTANT`,
  };
}

export const partsOfSessions: readonly Step[] = [
  columns(
    "sessions",
    "answers_deleted_at",
    "ADD COLUMN answers_deleted_at DATETIME(3) NULL, ADD COLUMN results_deleted_at DATETIME(3) NULL",
  ),
  columns(
    "session_policies",
    "delete_answers_after_days",
    "ADD COLUMN delete_answers_after_days INT NULL, ADD COLUMN delete_results_after_days INT NULL",
  ),
  columns("erasures", "part", "ADD COLUMN part ENUM('session', 'answers', 'results') NOT NULL DEFAULT 'session'"),
];
