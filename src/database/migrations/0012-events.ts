// What events need: marks in the session's own row that no write can forget, the log in the order of its positions, and
// webhook endpoints with their place in it.
import type { Step } from "./step.ts";

const schemaOf = (table: string) => `table_schema = DATABASE() AND table_name = '${table}'`;

/**
 * `published` is a set of bits, those of event types. The server itself sets `unpublished_since` on every write that does
 * not name it, those of an older release included. Rows that are there already stay as they are, and silent.
 */
const capture: readonly Step[] = [
  {
    unless: `SELECT 1 FROM information_schema.columns
      WHERE ${schemaOf("sessions")} AND column_name = 'unpublished_since'`,
    sql: `ALTER TABLE sessions ADD COLUMN published TINYINT UNSIGNED NOT NULL DEFAULT 0,
      ADD COLUMN unpublished_since DATETIME(3) NULL,
      ALGORITHM=INSTANT`,
  },
  {
    unless: `SELECT 1 FROM information_schema.statistics
      WHERE ${schemaOf("sessions")} AND index_name = 'sessions_unpublished' LIMIT 1`,
    sql: `ALTER TABLE sessions ADD KEY sessions_unpublished (unpublished_since),
      ALGORITHM=INPLACE, LOCK=NONE`,
  },
  {
    unless: `SELECT 1 FROM information_schema.columns
      WHERE ${schemaOf("sessions")} AND column_name = 'unpublished_since' AND extra LIKE '%on update%'`,
    sql: `ALTER TABLE sessions MODIFY unpublished_since DATETIME(3) NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3),
      ALGORITHM=INSTANT`,
  },
  `CREATE TABLE IF NOT EXISTS event_outbox (
    id BINARY(16) NOT NULL PRIMARY KEY,
    partner_id BINARY(16) NOT NULL,
    resource_id BINARY(16) NOT NULL,
    type TINYINT UNSIGNED NOT NULL,
    assessment_id INT NULL,
    occurred_at DATETIME(3) NOT NULL
  )`,
];

const log: readonly Step[] = [
  `CREATE TABLE IF NOT EXISTS events (
    position BIGINT UNSIGNED NOT NULL PRIMARY KEY,
    partner_id BINARY(16) NOT NULL,
    sequence BIGINT UNSIGNED NOT NULL,
    type TINYINT UNSIGNED NOT NULL,
    resource_id BINARY(16) NOT NULL,
    assessment_id INT NULL,
    mode TINYINT NULL,
    occurred_at DATETIME(3) NOT NULL,
    recorded_at DATETIME(3) NOT NULL,
    UNIQUE KEY events_sequence (partner_id, sequence),
    UNIQUE KEY events_once (resource_id, type)
  )`,
  `CREATE TABLE IF NOT EXISTS event_heads (
    partner_id BINARY(16) NOT NULL PRIMARY KEY,
    sequence BIGINT UNSIGNED NOT NULL,
    expired_sequence BIGINT UNSIGNED NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS event_position (
    id TINYINT NOT NULL PRIMARY KEY,
    position BIGINT UNSIGNED NOT NULL,
    expired_position BIGINT UNSIGNED NOT NULL
  )`,
  {
    unless: "SELECT 1 FROM event_position WHERE id = 1",
    sql: "INSERT INTO event_position (id, position, expired_position) VALUES (1, 0, 0)",
  },
];

/**
 * `due_at` is null while there is nothing to do; while an endpoint is leased it is the lease's end. Until `rest_until`
 * the endpoint is left alone, whatever happens.
 */
const webhooks: readonly Step[] = [
  `CREATE TABLE IF NOT EXISTS webhook_endpoints (
    id BINARY(16) NOT NULL PRIMARY KEY,
    partner_id BINARY(16) NOT NULL,
    url VARBINARY(2048) NOT NULL,
    url_hash BINARY(32) NOT NULL,
    description VARCHAR(255) CHARACTER SET utf8mb4 NULL,
    types SMALLINT UNSIGNED NOT NULL,
    include_external_id BOOLEAN NOT NULL,
    revision INT NOT NULL,
    status ENUM('enabled', 'disabled') NOT NULL,
    disabled_reason ENUM('partner', 'operator', 'gone', 'failing') NULL,
    created_at DATETIME(3) NOT NULL,
    sequence BIGINT UNSIGNED NOT NULL,
    failures INT NOT NULL,
    failing_since DATETIME(3) NULL,
    replay_next BIGINT UNSIGNED NULL,
    replay_until BIGINT UNSIGNED NULL,
    rest_until DATETIME(3) NULL,
    due_at DATETIME(3) NULL,
    lease_id BINARY(16) NULL,
    UNIQUE KEY webhook_endpoints_url (partner_id, url_hash),
    KEY webhook_endpoints_due (due_at)
  )`,
  `CREATE TABLE IF NOT EXISTS webhook_secrets (
    id BINARY(16) NOT NULL PRIMARY KEY,
    endpoint_id BINARY(16) NOT NULL,
    key_id BINARY(4) NOT NULL,
    sealed VARBINARY(128) NOT NULL,
    created_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NULL,
    KEY webhook_secrets_endpoint (endpoint_id)
  )`,
  `CREATE TABLE IF NOT EXISTS webhook_parked (
    endpoint_id BINARY(16) NOT NULL,
    sequence BIGINT UNSIGNED NOT NULL,
    resource_id BINARY(16) NOT NULL,
    attempts INT NOT NULL,
    next_at DATETIME(3) NULL,
    dead_at DATETIME(3) NULL,
    PRIMARY KEY (endpoint_id, sequence),
    KEY webhook_parked_resource (resource_id),
    KEY webhook_parked_next (endpoint_id, next_at)
  )`,
  `CREATE TABLE IF NOT EXISTS webhook_attempts (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    endpoint_id BINARY(16) NOT NULL,
    sequence BIGINT UNSIGNED NOT NULL,
    resource_id BINARY(16) NULL,
    attempt INT NOT NULL,
    at DATETIME(3) NOT NULL,
    status SMALLINT NULL,
    error VARCHAR(32) CHARACTER SET ascii NULL,
    took_ms INT NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    KEY webhook_attempts_endpoint (endpoint_id, id),
    KEY webhook_attempts_resource (resource_id),
    KEY webhook_attempts_expiry (expires_at)
  )`,
];

export const events: readonly Step[] = [...capture, ...log, ...webhooks];
