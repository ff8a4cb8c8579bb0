// What ends a session beside its completion: the partner cancels it, or its time is over. `expiry_due_at` is when a job has
// to look at it; the state itself follows from the other columns, whether the job has run or not.
import type { Step } from "./step.ts";

export const sessionLifecycle: readonly Step[] = [
  {
    unless: `SELECT 1 FROM information_schema.columns
      WHERE table_schema = DATABASE() AND table_name = 'sessions' AND column_name = 'expiry_due_at' LIMIT 1`,
    sql: `ALTER TABLE sessions ADD COLUMN cancelled_at DATETIME(3) NULL,
      ADD COLUMN expires_at DATETIME(3) NULL,
      ADD COLUMN expired_at DATETIME(3) NULL,
      ADD COLUMN expiry_due_at DATETIME(3) NULL,
      ALGORITHM=INSTANT`,
  },
  {
    unless: `SELECT 1 FROM information_schema.statistics
      WHERE table_schema = DATABASE() AND table_name = 'sessions' AND index_name = 'sessions_expiry_due' LIMIT 1`,
    sql: "ALTER TABLE sessions ADD KEY sessions_expiry_due (expiry_due_at, partner_id), ALGORITHM=INPLACE, LOCK=NONE",
  },
];
