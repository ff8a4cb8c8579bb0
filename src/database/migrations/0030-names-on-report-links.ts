// What a partner puts on the report of a link: a name, and a day as `YYYY-MM-DD`. They go with the link.
import type { Step } from "./step.ts";

const added = (column: string, type: string): Step => ({
  unless: `SELECT 1 FROM information_schema.columns
    WHERE table_schema = DATABASE() AND table_name = 'report_links' AND column_name = '${column}' LIMIT 1`,
  sql: `ALTER TABLE report_links ADD COLUMN ${column} ${type} NULL, ALGORITHM=INSTANT`,
});

export const namesOnReportLinks: readonly Step[] = [
  added("name", "VARCHAR(60) CHARACTER SET utf8mb4"),
  added("day", "CHAR(10) CHARACTER SET ascii"),
];
