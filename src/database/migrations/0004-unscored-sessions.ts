// Completed sessions without results are found by an index, whichever release has completed them.
// Of the results one byte is enough to tell that there are none; a generated column would do as well, but indexes on
// virtual columns have lost rows in MariaDB (MDEV-38140), and a stored one copies the table.
import type { Step } from "./step.ts";

export const unscoredSessions: readonly Step[] = [
  {
    unless: `SELECT 1 FROM information_schema.statistics
      WHERE table_schema = DATABASE() AND table_name = 'sessions' AND index_name = 'sessions_unscored' LIMIT 1`,
    sql: `ALTER TABLE sessions ADD KEY sessions_unscored (results(1), completed_at, id),
      ALGORITHM=INPLACE, LOCK=NONE`,
  },
];
