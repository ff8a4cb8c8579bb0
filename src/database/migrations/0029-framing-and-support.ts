// Of brandings: where people can turn, and which sites may show the pages in a frame, as origins with spaces between. Ten
// origins have 2,679 characters at most.
import type { Step } from "./step.ts";

const added = (column: string, type: string): Step => ({
  unless: `SELECT 1 FROM information_schema.columns
    WHERE table_schema = DATABASE() AND table_name = 'partner_brandings' AND column_name = '${column}' LIMIT 1`,
  sql: `ALTER TABLE partner_brandings ADD COLUMN ${column} ${type} NULL, ALGORITHM=INSTANT`,
});

export const framingAndSupport: readonly Step[] = [
  added("support_text", "VARCHAR(300) CHARACTER SET utf8mb4"),
  added("frame_ancestors", "VARCHAR(2700) CHARACTER SET ascii"),
];
