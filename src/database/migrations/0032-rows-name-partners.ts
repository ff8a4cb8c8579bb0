// Every row names its partner. What a server numbered is numbered by its endpoint, or a key together with its partner alone:
// each shard has a server of its own.
import { partnerOfRow, tablesWithEarlierRows } from "../earlier-rows.ts";
import { unlessThere } from "./0026-norms.ts";
import type { Step } from "./step.ts";

const firstKeys: Readonly<Record<string, string>> = {
  hosted_links: "hash",
  hosted_visits: "hash",
  report_links: "hash",
  report_visits: "hash",
  norm_sums: "set_id",
  norm_numbers: "set_id",
  webhook_attempts: "endpoint_id",
  webhook_parked: "endpoint_id",
  webhook_secrets: "id",
};
/** Primary keys from now on. */
const keys: Readonly<Record<string, string>> = {
  norm_sums: "partner_id, set_id",
  norm_numbers: "partner_id, set_id",
};

function named(table: string): Step {
  const key = keys[table];
  const more = key === undefined ? "" : `, DROP PRIMARY KEY, ADD PRIMARY KEY (${key})`;
  return {
    unless: `SELECT 1 FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = '${table}'
      AND column_name = 'partner_id' AND is_nullable = 'NO' LIMIT 1`,
    sql: `ALTER TABLE ${table} MODIFY partner_id BINARY(16) NOT NULL${more},
      ALGORITHM=INPLACE, LOCK=NONE`,
  };
}

export const rowsNamePartners: readonly Step[] = [
  ...tablesWithEarlierRows.flatMap((table): Step[] => [
    { fill: table, key: firstKeys[table] ?? "session_id", column: "partner_id", value: partnerOfRow(table) },
    named(table),
  ]),
  {
    unless: `SELECT 1 FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = 'norm_sets'
      AND index_name = 'PRIMARY' AND column_name = 'partner_id' LIMIT 1`,
    sql: `ALTER TABLE norm_sets DROP PRIMARY KEY, ADD PRIMARY KEY (partner_id, id), ADD KEY norm_sets_id (id),
      ALGORITHM=INPLACE, LOCK=NONE`,
  },
  // Of a new endpoint it is 0 from now on.
  {
    unless: `SELECT 1 FROM information_schema.columns WHERE table_schema = DATABASE()
      AND table_name = 'webhook_endpoints' AND column_name = 'last_attempt' AND column_default = '0' LIMIT 1`,
    sql: "ALTER TABLE webhook_endpoints ALTER COLUMN last_attempt SET DEFAULT 0, ALGORITHM=INSTANT",
  },
  {
    fill: "webhook_endpoints",
    key: "id",
    column: "last_attempt",
    value: `COALESCE((SELECT MAX(a.id) FROM webhook_attempts AS a WHERE a.endpoint_id = webhook_endpoints.id), 0)`,
  },
  {
    unless: unlessThere("statistics", "webhook_attempts", "index_name = 'webhook_attempts_endpoint'"),
    sql: "ALTER TABLE webhook_attempts DROP KEY webhook_attempts_endpoint, ALGORITHM=INPLACE, LOCK=NONE",
  },
];
