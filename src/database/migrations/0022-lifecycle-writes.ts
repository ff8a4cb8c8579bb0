// How many writes of a session changed no answer: it was cancelled, had expired, or was reopened. Without them nobody could
// tell such a write from one of a release that does not note when answers arrive.
import type { Step } from "./step.ts";

export const lifecycleWrites: readonly Step[] = [
  {
    unless: `SELECT 1 FROM information_schema.columns
      WHERE table_schema = DATABASE() AND table_name = 'sessions' AND column_name = 'lifecycle_writes' LIMIT 1`,
    sql: "ALTER TABLE sessions ADD COLUMN lifecycle_writes INT UNSIGNED NOT NULL DEFAULT 0, ALGORITHM=INSTANT",
  },
];
