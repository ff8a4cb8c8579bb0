// The partner in tables that lie with a row of another one, so that a partner's rows can be found on one shard. Processes of
// before leave it null. `last_attempt` counts the attempts of an endpoint; while it is null, the server numbers them.
import { tablesWithEarlierRows } from "../earlier-rows.ts";
import type { Step } from "./step.ts";

function added(table: string, column: string, type: string): Step {
  return {
    unless: `SELECT 1 FROM information_schema.columns
      WHERE table_schema = DATABASE() AND table_name = '${table}' AND column_name = '${column}' LIMIT 1`,
    sql: `ALTER TABLE ${table} ADD COLUMN ${column} ${type} NULL, ALGORITHM=INSTANT`,
  };
}

export const partnerColumns: readonly Step[] = [
  ...tablesWithEarlierRows.map((table) => added(table, "partner_id", "BINARY(16)")),
  added("webhook_endpoints", "last_attempt", "BIGINT UNSIGNED"),
  // What the server numbers needs a key of its own.
  {
    unless: `SELECT 1 FROM information_schema.statistics WHERE table_schema = DATABASE()
      AND table_name = 'webhook_attempts' AND index_name = 'PRIMARY' AND column_name = 'endpoint_id' LIMIT 1`,
    sql: `ALTER TABLE webhook_attempts DROP PRIMARY KEY, ADD PRIMARY KEY (endpoint_id, id),
      ADD KEY webhook_attempts_id (id), ALGORITHM=INPLACE, LOCK=NONE`,
  },
];
