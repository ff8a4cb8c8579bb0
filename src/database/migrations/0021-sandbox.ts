// The clocks of test twins that are ahead. Sessions of such a twin are noted as expired up to `expired_through`, a time by
// its clock.
import type { Step } from "./step.ts";

export const sandbox: readonly Step[] = [
  `CREATE TABLE IF NOT EXISTS test_clocks (
    partner_id BINARY(16) NOT NULL PRIMARY KEY,
    ahead_ms BIGINT NOT NULL,
    expired_through DATETIME(3) NOT NULL
  )`,
];
