// How people get at their own reports: links, browser sessions, views, and whether the hosted pages offer the report.
// A view is kept once a minute and link, so that reloading fills no table.
import type { Step } from "./step.ts";

export const reportAccess: readonly Step[] = [
  `CREATE TABLE IF NOT EXISTS report_links (
    hash BINARY(32) NOT NULL PRIMARY KEY,
    session_id BINARY(16) NOT NULL,
    locale VARCHAR(35) CHARACTER SET ascii NULL,
    created_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    KEY report_links_session (session_id),
    KEY report_links_expiry (expires_at)
  )`,
  `CREATE TABLE IF NOT EXISTS report_visits (
    hash BINARY(32) NOT NULL PRIMARY KEY,
    session_id BINARY(16) NOT NULL,
    link_hash BINARY(32) NULL,
    locale VARCHAR(35) CHARACTER SET ascii NULL,
    created_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    KEY report_visits_session (session_id),
    KEY report_visits_expiry (expires_at)
  )`,
  `CREATE TABLE IF NOT EXISTS report_views (
    session_id BINARY(16) NOT NULL,
    viewed_at DATETIME(3) NOT NULL,
    link_hash VARBINARY(32) NOT NULL,
    PRIMARY KEY (session_id, viewed_at, link_hash)
  )`,
  {
    unless: `SELECT 1 FROM information_schema.columns
      WHERE table_schema = DATABASE() AND table_name = 'sessions' AND column_name = 'person_access' LIMIT 1`,
    sql: `ALTER TABLE sessions ADD COLUMN person_access ENUM('none', 'after_completion') NOT NULL DEFAULT 'none',
      ALGORITHM=INSTANT`,
  },
];
