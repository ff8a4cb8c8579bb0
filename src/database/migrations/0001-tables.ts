// The first schema. MySQL commits each DDL statement by itself, so every step can be run again.
// Names that partners give are VARBINARY: default collations would merge `Bob`, `bob` and `bob ` into one person.

export const tables: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS partners (
    id BINARY(16) NOT NULL PRIMARY KEY,
    name VARCHAR(255) CHARACTER SET utf8mb4 NOT NULL,
    internal BOOLEAN NOT NULL,
    created_at DATETIME(3) NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS clients (
    id BINARY(16) NOT NULL PRIMARY KEY,
    partner_id BINARY(16) NOT NULL,
    name VARCHAR(255) CHARACTER SET utf8mb4 NOT NULL,
    scopes VARCHAR(1000) CHARACTER SET ascii NOT NULL,
    disabled_at DATETIME(3) NULL,
    created_at DATETIME(3) NOT NULL,
    KEY clients_partner (partner_id)
  )`,
  `CREATE TABLE IF NOT EXISTS client_secrets (
    hash BINARY(32) NOT NULL PRIMARY KEY,
    client_id BINARY(16) NOT NULL,
    created_at DATETIME(3) NOT NULL,
    KEY client_secrets_client (client_id)
  )`,
  `CREATE TABLE IF NOT EXISTS access_tokens (
    hash BINARY(32) NOT NULL PRIMARY KEY,
    client_id BINARY(16) NOT NULL,
    scopes VARCHAR(1000) CHARACTER SET ascii NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    KEY access_tokens_expiry (expires_at)
  )`,
  `CREATE TABLE IF NOT EXISTS assessments (
    id INT NOT NULL PRIMARY KEY,
    product VARBINARY(63) NOT NULL,
    version INT NOT NULL,
    definition LONGBLOB NOT NULL,
    published_at DATETIME(3) NOT NULL,
    UNIQUE KEY assessments_version (product, version)
  )`,
  `CREATE TABLE IF NOT EXISTS sessions (
    id BINARY(16) NOT NULL PRIMARY KEY,
    partner_id BINARY(16) NOT NULL,
    external_id VARBINARY(1020) NOT NULL,
    assessment_id INT NOT NULL,
    mode ENUM('headless', 'hosted') NOT NULL,
    revision INT NOT NULL,
    created_at DATETIME(3) NOT NULL,
    completed_at DATETIME(3) NULL,
    answers VARBINARY(999) NOT NULL,
    results MEDIUMBLOB NULL,
    redirect_url VARBINARY(8192) NULL,
    locale VARCHAR(35) CHARACTER SET ascii NULL,
    idempotency_key VARBINARY(255) NULL,
    request_hash BINARY(32) NULL,
    UNIQUE KEY sessions_idempotency (partner_id, idempotency_key),
    KEY sessions_subject (partner_id, external_id, completed_at, id)
  )`,
  `CREATE TABLE IF NOT EXISTS hosted_links (
    hash BINARY(32) NOT NULL PRIMARY KEY,
    session_id BINARY(16) NOT NULL,
    created_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    KEY hosted_links_session (session_id),
    KEY hosted_links_expiry (expires_at)
  )`,
  `CREATE TABLE IF NOT EXISTS erasures (
    id BINARY(16) NOT NULL PRIMARY KEY,
    partner_id BINARY(16) NOT NULL,
    client_id BINARY(16) NOT NULL,
    erased_at DATETIME(3) NOT NULL,
    sessions_erased INT NOT NULL
  )`,
];
