// Events beyond one of each of the seven types of before: a further one of the same type and session, other types, and events
// of what is no session. The release before goes on with what it knows, and passes over the rest.
import type { Step } from "./step.ts";

const schemaOf = (table: string) => `table_schema = DATABASE() AND table_name = '${table}'`;

function addColumns(table: string, first: string, columns: string): Step {
  return {
    unless: `SELECT 1 FROM information_schema.columns WHERE ${schemaOf(table)} AND column_name = '${first}' LIMIT 1`,
    sql: `ALTER TABLE ${table} ${columns}, ALGORITHM=INSTANT`,
  };
}

/**
 * In the outbox `newer_type` is the code of what the release before does not know. `type` is 0 then, which that release leaves
 * alone. `expirations` counts how often a session expired; a release before may have left it 0 although it did once. Sets of
 * types keep the first seven as bits in `types`; `newer_types` has a byte for each other one, its code.
 */
export const eventTypes: readonly Step[] = [
  addColumns("events", "occurrence", "ADD COLUMN occurrence INT UNSIGNED NOT NULL DEFAULT 1"),
  // Under the same name, which statements of the release before ask for.
  {
    unless: `SELECT 1 FROM information_schema.statistics
      WHERE ${schemaOf("events")} AND index_name = 'events_once' AND column_name = 'occurrence' LIMIT 1`,
    sql: `ALTER TABLE events DROP KEY events_once, ADD UNIQUE KEY events_once (resource_id, type, occurrence),
      ALGORITHM=INPLACE, LOCK=NONE`,
  },
  addColumns(
    "event_outbox",
    "newer_type",
    "ADD COLUMN newer_type TINYINT UNSIGNED NULL, ADD COLUMN occurrence INT UNSIGNED NOT NULL DEFAULT 1",
  ),
  {
    unless: `SELECT 1 FROM information_schema.statistics
      WHERE ${schemaOf("event_outbox")} AND index_name = 'event_outbox_resource' LIMIT 1`,
    sql: "ALTER TABLE event_outbox ADD KEY event_outbox_resource (resource_id), ALGORITHM=INPLACE, LOCK=NONE",
  },
  addColumns("sessions", "expirations", "ADD COLUMN expirations INT UNSIGNED NOT NULL DEFAULT 0"),
  addColumns("webhook_endpoints", "newer_types", "ADD COLUMN newer_types VARBINARY(255) NOT NULL DEFAULT ''"),
  addColumns("webhook_parked", "type", "ADD COLUMN type TINYINT UNSIGNED NULL"),
  addColumns("webhook_attempts", "type", "ADD COLUMN type TINYINT UNSIGNED NULL"),
];
