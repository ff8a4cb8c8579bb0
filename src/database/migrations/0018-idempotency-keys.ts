// Idempotency keys with an end, in a table of their own. The columns of sessions stay as long as a release runs that knows
// only those.
import type { Step } from "./step.ts";

export const idempotencyKeys: readonly Step[] = [
  `CREATE TABLE IF NOT EXISTS idempotency_keys (
    partner_id BINARY(16) NOT NULL,
    idempotency_key VARBINARY(255) NOT NULL,
    session_id BINARY(16) NOT NULL,
    request_hash BINARY(32) NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    PRIMARY KEY (partner_id, idempotency_key),
    KEY idempotency_keys_session (session_id),
    KEY idempotency_keys_expiry (expires_at)
  )`,
];
