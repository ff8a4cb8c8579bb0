// What the hosted pages need: browser sessions, branding, and the keys of completion tokens.

export const hostedPages: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS hosted_visits (
    hash BINARY(32) NOT NULL PRIMARY KEY,
    session_id BINARY(16) NOT NULL,
    created_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    KEY hosted_visits_session (session_id),
    KEY hosted_visits_expiry (expires_at)
  )`,
  `CREATE TABLE IF NOT EXISTS partner_brandings (
    partner_id BINARY(16) NOT NULL PRIMARY KEY,
    display_name VARCHAR(60) CHARACTER SET utf8mb4 NULL,
    logo_url VARBINARY(16384) NULL,
    accent_color CHAR(7) CHARACTER SET ascii NULL
  )`,
  `CREATE TABLE IF NOT EXISTS signing_keys (
    generation INT NOT NULL PRIMARY KEY,
    private_key VARBINARY(255) NOT NULL,
    signs_from DATETIME(3) NOT NULL
  )`,
];
