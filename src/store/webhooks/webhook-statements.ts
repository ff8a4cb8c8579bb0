// The SQL of webhook endpoints.
import { qualifyColumns, sql } from "../../database/statement.ts";
import { attempts, endpointSettings, endpoints, newEndpoints, secrets } from "./rows.ts";

const endpointsByKey = "webhook_endpoints FORCE INDEX (PRIMARY)";
const byKey = "partner_id = :partnerId AND id = :id";

/** Every statement of the webhook store. */
export const webhookStatements = {
  listUrls: sql`SELECT id, url FROM webhook_endpoints WHERE partner_id = :partnerId`,
  insertEndpoint: sql`INSERT INTO webhook_endpoints
      (${newEndpoints.columns}, sequence, failures, due_at)
    VALUES (${newEndpoints.markers}, :sequence, 0, NOW(3))`,
  insertSecret: sql`INSERT INTO webhook_secrets (partner_id, ${secrets.columns})
    VALUES (:partnerId, ${secrets.markers})`,
  find: endpoints.select`FROM ${endpointsByKey} WHERE ${byKey}`,
  listByPartner: endpoints.select`FROM webhook_endpoints FORCE INDEX (webhook_endpoints_partner)
    WHERE partner_id = :partnerId AND id > :after ORDER BY id LIMIT :limit`,
  listAll: endpoints.select`FROM webhook_endpoints WHERE id > :after ORDER BY id LIMIT :limit`,
  // The deliverer finds it due, and sets when it is due next.
  save: sql`UPDATE ${endpointsByKey}
    SET ${endpointSettings.assignments}, revision = revision + 1, disabled_reason = :disabledReason,
      sequence = GREATEST(sequence, :skipTo), due_at = NOW(3)
    WHERE ${byKey}`,
  lock: sql`SELECT ${endpoints.columns}, NOW(3) AS \`now\` FROM ${endpointsByKey} WHERE ${byKey} FOR UPDATE`,
  // A process that is delivering to it stops when it sees another revision.
  revise: sql`UPDATE ${endpointsByKey} SET revision = revision + 1 WHERE ${byKey}`,
  // Only this form uses an index.
  delete: sql`DELETE webhook_endpoints FROM ${endpointsByKey} WHERE ${byKey}`,
  deleteSecrets: sql`DELETE FROM webhook_secrets WHERE partner_id = :partnerId AND endpoint_id = :id`,
  listSecrets: secrets.select`FROM webhook_secrets
    WHERE partner_id = :partnerId AND endpoint_id = :endpointId AND (expires_at IS NULL OR expires_at > NOW(3))
    ORDER BY created_at DESC, id DESC`,
  deletePreviousSecrets: sql`DELETE FROM webhook_secrets
    WHERE partner_id = :partnerId AND endpoint_id = :endpointId AND expires_at IS NOT NULL`,
  endSecret: sql`UPDATE webhook_secrets SET expires_at = :at
    WHERE partner_id = :partnerId AND endpoint_id = :endpointId`,
  reseal: sql`UPDATE webhook_secrets SET key_id = :keyId, sealed = :sealed WHERE ${byKey}`,
  listAttempts: sql`SELECT ${qualifyColumns("a", attempts.columns)}, e.type AS logged_type, e.occurrence
    FROM webhook_attempts AS a FORCE INDEX (PRIMARY)
    LEFT JOIN events AS e FORCE INDEX (events_sequence)
      ON e.partner_id = a.partner_id AND e.sequence = a.sequence AND e.resource_id = a.resource_id
    WHERE a.partner_id = :partnerId AND a.endpoint_id = :endpointId AND a.id < :before ORDER BY a.id DESC LIMIT :limit`,
  listParked: sql`SELECT p.sequence, p.resource_id, p.type, p.attempts, p.next_at, p.dead_at, e.type AS logged_type,
      e.occurrence
    FROM webhook_deliveries AS p FORCE INDEX (PRIMARY)
    LEFT JOIN events AS e FORCE INDEX (events_sequence) ON e.partner_id = p.partner_id AND e.sequence = p.sequence
    WHERE p.partner_id = :partnerId AND p.endpoint_id = :endpointId AND p.sequence > :after
    ORDER BY p.sequence LIMIT :limit`,
  // A limit in a derived table ends both counts. A bound from a subquery does not: MariaDB reads on to the end.
  countAfter: sql`SELECT COUNT(*) AS waiting FROM (SELECT 1 FROM events FORCE INDEX (events_sequence)
    WHERE partner_id = :partnerId AND sequence > :sequence LIMIT :most) AS later`,
  countParked: sql`SELECT COUNT(*) AS waiting FROM (SELECT dead_at FROM webhook_deliveries FORCE INDEX (PRIMARY)
    WHERE partner_id = :partnerId AND endpoint_id = :id ORDER BY sequence DESC LIMIT :most) AS parked WHERE dead_at IS NULL`,
  // Results of running deliveries no longer count for the endpoint: a failure would pause it again.
  resume: sql`UPDATE ${endpointsByKey}
    SET failures = 0, failing_since = NULL, paused_until = NULL, due_at = NOW(3), last_answered = 'unknown', revision = revision + 1
    WHERE ${byKey} AND disabled_reason IS NULL`,
  listParkedAhead: sql`SELECT sequence FROM webhook_deliveries FORCE INDEX (webhook_deliveries_next)
    WHERE partner_id = :partnerId AND endpoint_id = :id AND next_at > NOW(3)
    ORDER BY next_at LIMIT :limit FOR UPDATE`,
  retryParked: sql`UPDATE webhook_deliveries FORCE INDEX (PRIMARY) SET next_at = NOW(3)
    WHERE partner_id = :partnerId AND endpoint_id = :id AND sequence IN (:sequences)`,
  findEvents: sql`SELECT sequence, resource_id, type FROM events FORCE INDEX (events_once)
    WHERE (resource_id, type, occurrence) IN (:eventKeys) AND partner_id = :partnerId`,
  // A delivery that is being sent gets another time: its settlement then sees that it was requested again.
  insertParked: sql`INSERT INTO webhook_deliveries
    (partner_id, endpoint_id, sequence, resource_id, type, attempts, next_at) VALUES :rows
    ON DUPLICATE KEY UPDATE attempts = 0, dead_at = NULL,
      next_at = IF(next_at = VALUES(next_at), VALUES(next_at) + INTERVAL 1000 MICROSECOND, VALUES(next_at))`,
  beginReplay: sql`UPDATE ${endpointsByKey} SET replay_next = :after, replay_until = :until
    WHERE ${byKey} AND disabled_reason IS NULL AND replay_until IS NULL`,
  cancelReplay: sql`UPDATE ${endpointsByKey} SET replay_next = NULL, replay_until = NULL WHERE ${byKey}`,
};
