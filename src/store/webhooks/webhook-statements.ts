// The SQL of webhook endpoints, written through Knex and compiled once.
import type { Knex } from "knex";
import { compile } from "../../database/statement.ts";
import { endpointColumns, secretColumns } from "./rows.ts";

/** When an enabled endpoint is to be looked at: now, or when it has rested. */
const now = "GREATEST(NOW(3), COALESCE(rest_until, NOW(3)))";

/** Every statement of the webhook store. Bindings are names, `":name"`. */
export function webhookStatements(db: Knex) {
  const endpoints = "webhook_endpoints FORCE INDEX (PRIMARY)";
  const isNamed = "partner_id = ? AND id = ?";
  const name = [":partnerId", ":id"];
  return {
    lockPartner: compile(db("partners").select("id").where({ id: ":partnerId" }).forUpdate()),
    listUrls: compile(db("webhook_endpoints").select(["id", "url_hash"]).where({ partner_id: ":partnerId" })),
    insertEndpoint: compile(
      db.raw(
        `INSERT INTO webhook_endpoints (id, partner_id, url, url_hash, description, types, newer_types, include_external_id,
           revision, status, created_at, sequence, failures, due_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 'enabled', ?, ?, 0, NOW(3))`,
        [
          ":id",
          ":partnerId",
          ":url",
          ":urlHash",
          ":description",
          ":types",
          ":newerTypes",
          ":includeExternalId",
          ":createdAt",
          ":sequence",
        ],
      ),
    ),
    insertSecret: compile(
      db("webhook_secrets").insert({
        id: ":id",
        endpoint_id: ":endpointId",
        key_id: ":keyId",
        sealed: ":sealed",
        created_at: ":createdAt",
      }),
    ),
    find: compile(db.raw(`SELECT ${endpointColumns} FROM ${endpoints} WHERE ${isNamed}`, name)),
    listOfPartner: compile(
      db.raw(
        `SELECT ${endpointColumns} FROM webhook_endpoints FORCE INDEX (webhook_endpoints_url)
         WHERE partner_id = ? AND id > ? ORDER BY id LIMIT ?`,
        [":partnerId", ":after", ":limit"],
      ),
    ),
    listAll: compile(
      db.raw(`SELECT ${endpointColumns} FROM webhook_endpoints WHERE id > ? ORDER BY id LIMIT ?`, [":after", ":limit"]),
    ),
    // The server assigns from left to right: an endpoint that no longer rests is due at once.
    save: compile(
      db.raw(
        `UPDATE ${endpoints} SET url = ?, url_hash = ?, description = ?, types = ?, newer_types = ?, include_external_id = ?,
           revision = revision + 1, status = ?, disabled_reason = ?,
           failures = IF(?, 0, failures), failing_since = IF(?, NULL, failing_since),
           rest_until = IF(?, NULL, rest_until), sequence = GREATEST(sequence, ?),
           lease_id = NULL, due_at = IF(?, ${now}, NULL)
         WHERE ${isNamed} AND revision = ?`,
        [
          ":url",
          ":urlHash",
          ":description",
          ":types",
          ":newerTypes",
          ":includeExternalId",
          ":status",
          ":disabledReason",
          ":isFresh",
          ":isFresh",
          ":isFresh",
          ":skipTo",
          ":isEnabled",
          ...name,
          ":revision",
        ],
      ),
    ),
    lock: compile(db.raw(`SELECT id FROM ${endpoints} WHERE ${isNamed} FOR UPDATE`, name)),
    // Whoever delivers to it right now stops when it sees another revision.
    revise: compile(db.raw(`UPDATE ${endpoints} SET revision = revision + 1 WHERE ${isNamed}`, name)),
    // Only this form takes an index.
    delete: compile(db.raw(`DELETE webhook_endpoints FROM ${endpoints} WHERE ${isNamed}`, name)),
    deleteSecrets: compile(db("webhook_secrets").where({ endpoint_id: ":id" }).delete()),
    overlapEnd: compile(db.raw("SELECT NOW(3) + INTERVAL ? SECOND AS at", [":seconds"])),
    listSecrets: compile(
      db.raw(
        `SELECT ${secretColumns} FROM webhook_secrets
         WHERE endpoint_id = ? AND (expires_at IS NULL OR expires_at > NOW(3)) ORDER BY created_at DESC, id DESC`,
        [":endpointId"],
      ),
    ),
    endSecret: compile(
      db.raw("UPDATE webhook_secrets SET expires_at = LEAST(COALESCE(expires_at, ?), ?) WHERE id = ?", [
        ":at",
        ":at",
        ":id",
      ]),
    ),
    deleteSecret: compile(db("webhook_secrets").where({ id: ":id" }).delete()),
    reseal: compile(db("webhook_secrets").update({ key_id: ":keyId", sealed: ":sealed" }).where({ id: ":id" })),
    listAttempts: compile(
      db.raw(
        `SELECT a.id, a.sequence, a.resource_id, a.type, a.attempt, a.at, a.status, a.error, a.took_ms,
           e.type AS logged_type, e.occurrence
         FROM webhook_attempts AS a FORCE INDEX (webhook_attempts_endpoint)
         LEFT JOIN events AS e FORCE INDEX (events_sequence)
           ON e.partner_id = ? AND e.sequence = a.sequence AND e.resource_id = a.resource_id
         WHERE a.endpoint_id = ? AND a.id < ? ORDER BY a.id DESC LIMIT ?`,
        [":partnerId", ":endpointId", ":before", ":limit"],
      ),
    ),
    listParked: compile(
      db.raw(
        `SELECT p.sequence, p.resource_id, p.type, p.attempts, p.next_at, p.dead_at, e.type AS logged_type,
           e.occurrence
         FROM webhook_parked AS p FORCE INDEX (PRIMARY)
         LEFT JOIN events AS e FORCE INDEX (events_sequence) ON e.partner_id = ? AND e.sequence = p.sequence
         WHERE p.endpoint_id = ? AND p.sequence > ? ORDER BY p.sequence LIMIT ?`,
        [":partnerId", ":endpointId", ":after", ":limit"],
      ),
    ),
    // A limit in a derived table ends both counts. A bound that a subquery finds does not: MariaDB reads on to the end.
    countBehind: compile(
      db.raw(
        `SELECT COUNT(*) AS waiting FROM (SELECT 1 FROM events FORCE INDEX (events_sequence)
         WHERE partner_id = ? AND sequence > ? LIMIT ?) AS behind`,
        [":partnerId", ":sequence", ":most"],
      ),
    ),
    countParked: compile(
      db.raw(
        `SELECT COUNT(*) AS waiting FROM (SELECT dead_at FROM webhook_parked FORCE INDEX (PRIMARY)
         WHERE endpoint_id = ? ORDER BY sequence DESC LIMIT ?) AS parked WHERE dead_at IS NULL`,
        [":id", ":most"],
      ),
    ),
    // Whoever delivers to it right now loses its lease, since a try that fails would leave the endpoint alone again.
    wake: compile(
      db.raw(
        `UPDATE ${endpoints} SET rest_until = NULL, lease_id = IF(failures > 0, NULL, lease_id),
           due_at = IF(lease_id IS NULL, NOW(3), due_at)
         WHERE ${isNamed} AND status = 'enabled'`,
        name,
      ),
    ),
    resume: compile(
      db.raw(
        `UPDATE ${endpoints} SET failures = 0, failing_since = NULL, rest_until = NULL, lease_id = NULL, due_at = NOW(3)
         WHERE ${isNamed} AND status = 'enabled' AND (failures > 0 OR rest_until > NOW(3))`,
        name,
      ),
    ),
    listParkedAhead: compile(
      db.raw(
        `SELECT sequence FROM webhook_parked FORCE INDEX (webhook_parked_next)
         WHERE endpoint_id = ? AND next_at > NOW(3) ORDER BY next_at LIMIT ? FOR UPDATE`,
        [":id", ":limit"],
      ),
    ),
    beginReplay: compile(
      db.raw(
        `UPDATE ${endpoints} SET replay_next = ?, replay_until = ?, lease_id = NULL, rest_until = NULL, due_at = NOW(3)
         WHERE ${isNamed} AND status = 'enabled' AND replay_until IS NULL`,
        [":after", ":until", ...name],
      ),
    ),
    cancelReplay: compile(
      db.raw(
        `UPDATE ${endpoints} SET replay_next = NULL, replay_until = NULL, lease_id = NULL,
           due_at = IF(status = 'enabled', ${now}, NULL)
         WHERE ${isNamed} AND replay_until IS NOT NULL`,
        name,
      ),
    ),
  };
}
