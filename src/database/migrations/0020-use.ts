// When clients last called, and what partners used by day: counts that name no person and no session.
import type { Step } from "./step.ts";

export const use: readonly Step[] = [
  {
    unless: `SELECT 1 FROM information_schema.columns
      WHERE table_schema = DATABASE() AND table_name = 'clients' AND column_name = 'last_used_at' LIMIT 1`,
    sql: "ALTER TABLE clients ADD COLUMN last_used_at DATETIME(3) NULL, ALGORITHM=INSTANT",
  },
  // Mode 0: it is not known, as of erased sessions.
  `CREATE TABLE IF NOT EXISTS usage_days (
    partner_id BINARY(16) NOT NULL,
    day DATE NOT NULL,
    mode TINYINT UNSIGNED NOT NULL,
    created INT UNSIGNED NOT NULL,
    started INT UNSIGNED NOT NULL,
    completed INT UNSIGNED NOT NULL,
    cancelled INT UNSIGNED NOT NULL,
    expired INT UNSIGNED NOT NULL,
    erased INT UNSIGNED NOT NULL,
    PRIMARY KEY (partner_id, day, mode),
    KEY usage_days_day (day, partner_id, mode)
  )`,
  // How far the log of events is counted.
  `CREATE TABLE IF NOT EXISTS usage_position (
    id TINYINT NOT NULL PRIMARY KEY,
    position BIGINT UNSIGNED NOT NULL,
    counted_at DATETIME(3) NULL
  )`,
  {
    unless: "SELECT 1 FROM usage_position WHERE id = 1",
    sql: "INSERT INTO usage_position (id, position, counted_at) VALUES (1, 0, NULL)",
  },
];
