// How endpoints and secrets are written in columns.
import { createHash } from "node:crypto";
import type { RowDataPacket } from "mysql2";
import { bytesToUuid } from "../../database/rows.ts";
import { typesOf } from "../../domain/events/event-types.ts";
import type { Endpoint } from "../../domain/webhooks/endpoint.ts";
import type { SealedSecret } from "../../domain/webhooks/sealed-secrets.ts";

export const endpointColumns = `id, partner_id, url, description, types, include_external_id, revision, status,
  disabled_reason, created_at, sequence, failures, failing_since, replay_next, replay_until`;
export const secretColumns = "id, endpoint_id, key_id, sealed, created_at, expires_at";

/** What a URL is found by, whatever its length. */
export function urlHash(url: string): Buffer {
  return createHash("sha256").update(url).digest();
}

export function toEndpoint(row: RowDataPacket): Endpoint {
  return {
    id: bytesToUuid(row.id),
    partnerId: bytesToUuid(row.partner_id),
    url: row.url.toString(),
    description: row.description ?? "",
    types: typesOf(row.types),
    includeExternalId: row.include_external_id === 1,
    revision: row.revision,
    disabledReason: row.status === "enabled" ? null : (row.disabled_reason ?? "operator"),
    createdAt: row.created_at,
    sequence: row.sequence,
    failures: row.failures,
    failingSince: row.failing_since,
    replay: row.replay_until === null ? null : { after: row.replay_next ?? 0, until: row.replay_until },
  };
}

export function toSecret(row: RowDataPacket): SealedSecret {
  return {
    id: bytesToUuid(row.id),
    endpointId: bytesToUuid(row.endpoint_id),
    keyId: row.key_id,
    sealed: row.sealed,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
