// Releases before 0.2 find a person's sessions by `sessions_subject`; later ones by `sessions_person` alone.
import type { Step } from "./step.ts";

export const oneIndexOfPersons: readonly Step[] = [
  {
    unless: `SELECT 1 FROM (SELECT COUNT(*) AS indexes FROM information_schema.statistics
      WHERE table_schema = DATABASE() AND table_name = 'sessions' AND index_name = 'sessions_subject') AS found
      WHERE found.indexes = 0`,
    sql: "ALTER TABLE sessions DROP KEY sessions_subject, ALGORITHM=INPLACE, LOCK=NONE",
  },
];
