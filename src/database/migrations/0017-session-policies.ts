// What a partner decides of its sessions in general: when they expire, and when they are deleted. `resume_after` is the
// session that the last look at them got to; null: it got to the end.
import type { Step } from "./step.ts";

export const sessionPolicies: readonly Step[] = [
  `CREATE TABLE IF NOT EXISTS session_policies (
    partner_id BINARY(16) NOT NULL,
    mode TINYINT UNSIGNED NOT NULL,
    expires_after_days INT NULL,
    delete_completed_after_days INT NULL,
    delete_open_after_days INT NULL,
    resume_after BINARY(16) NULL,
    PRIMARY KEY (partner_id, mode)
  )`,
];
