// Sessions of a person in the order of their creation; `sessions_subject` has them in that of their completion.
import type { Step } from "./step.ts";

export const sessionLists: readonly Step[] = [
  {
    unless: `SELECT 1 FROM information_schema.statistics
      WHERE table_schema = DATABASE() AND table_name = 'sessions' AND index_name = 'sessions_person' LIMIT 1`,
    sql: "ALTER TABLE sessions ADD KEY sessions_person (partner_id, external_id, id), ALGORITHM=INPLACE, LOCK=NONE",
  },
];
