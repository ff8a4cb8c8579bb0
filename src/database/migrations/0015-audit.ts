// The audit log. Records are only ever added, each after the last one of its chain; anchors hold the chains.
export const audit: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS audit_log (
    writer BINARY(16) NOT NULL,
    sequence BIGINT UNSIGNED NOT NULL,
    at DATETIME(3) NOT NULL,
    partner_id BINARY(16) NULL,
    client_id BINARY(16) NULL,
    action VARCHAR(48) CHARACTER SET ascii NOT NULL,
    session_id BINARY(16) NULL,
    target_id BINARY(16) NULL,
    request_id VARCHAR(128) CHARACTER SET ascii NOT NULL,
    outcome VARCHAR(48) CHARACTER SET ascii NOT NULL,
    hash BINARY(32) NOT NULL,
    PRIMARY KEY (writer, sequence),
    KEY audit_log_partner (partner_id, at),
    KEY audit_log_session (session_id, at)
  )`,
  `CREATE TABLE IF NOT EXISTS audit_anchors (
    sequence BIGINT UNSIGNED NOT NULL PRIMARY KEY,
    at DATETIME(3) NOT NULL,
    content MEDIUMBLOB NOT NULL,
    hash BINARY(32) NOT NULL,
    key_id BINARY(4) NULL,
    signature BINARY(32) NULL,
    KEY audit_anchors_time (at)
  )`,
];
