// Sessions of a partner in the order of their ids, which is that of their creation. The index holds nothing else, so a
// page finds where it ends without a look at the rows.
import type { Step } from "./step.ts";

export const byPartner: readonly Step[] = [
  {
    unless: `SELECT 1 FROM information_schema.statistics
      WHERE table_schema = DATABASE() AND table_name = 'sessions' AND index_name = 'sessions_partner' LIMIT 1`,
    sql: "ALTER TABLE sessions ADD KEY sessions_partner (partner_id, id), ALGORITHM=INPLACE, LOCK=NONE",
  },
];
