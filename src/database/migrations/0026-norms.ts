// Norms of a partner's own people as they were computed, and norms of all partners that take part: who does, and what
// was released.
import type { Step } from "./step.ts";

/** A row, unless there is one of the table that the condition holds for. By no subquery: Vitess would not ask the shard. */
export function unlessThere(where: "columns" | "statistics", table: string, condition: string): string {
  return `SELECT COUNT(*) FROM information_schema.${where}
    WHERE table_schema = DATABASE() AND table_name = '${table}' AND ${condition} HAVING COUNT(*) = 0`;
}

export const norms: readonly Step[] = [
  `CREATE TABLE IF NOT EXISTS norm_numbers (
    set_id INT UNSIGNED NOT NULL PRIMARY KEY,
    computed_at DATETIME(3) NOT NULL,
    people INT NOT NULL,
    numbers MEDIUMBLOB NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS norm_pool_partners (
    partner_id BINARY(16) NOT NULL PRIMARY KEY,
    takes_part BOOLEAN NOT NULL,
    is_excluded BOOLEAN NOT NULL
  )`,
  // A quarter is the number of those since the year 0.
  `CREATE TABLE IF NOT EXISTS norm_pool_releases (
    assessment_id INT NOT NULL,
    language VARBINARY(35) NOT NULL,
    number TINYINT NOT NULL,
    quarter INT NOT NULL,
    released_at DATETIME(3) NOT NULL,
    histograms MEDIUMBLOB NOT NULL,
    PRIMARY KEY (assessment_id, language, number),
    UNIQUE KEY norm_pool_releases_quarter (assessment_id, language, quarter)
  )`,
  `CREATE TABLE IF NOT EXISTS norm_pool_quarters (
    quarter INT NOT NULL PRIMARY KEY,
    decided_at DATETIME(3) NOT NULL
  )`,
  // Nothing writes them any more, and processes of before go on to.
  {
    unless: unlessThere("columns", "norm_contributions", "column_name = 'pooled_position' AND column_default IS NULL"),
    sql: `ALTER TABLE norm_contributions ALTER COLUMN position SET DEFAULT 0,
      ALTER COLUMN pooled_position SET DEFAULT 0, ALGORITHM=INSTANT`,
  },
];
