// How endpoints and secrets are written in columns.
import { createHash } from "node:crypto";
import type { RowDataPacket } from "mysql2";
import { bytesToUuid } from "../../database/rows.ts";
import type { Endpoint } from "../../domain/webhooks/endpoint.ts";
import type { SealedSecret } from "../../domain/webhooks/sealed-secrets.ts";
import { codeOf, eventTypes } from "../../kernel/event-types.ts";

export const endpointColumns = `id, partner_id, url, description, types, newer_types, include_external_id, revision, status,
  disabled_reason, created_at, sequence, failures, failing_since, replay_next, replay_until,
  IF(status = 'enabled' AND rest_until > NOW(3), rest_until, NULL) AS resting_until`;
export const secretColumns = "id, endpoint_id, key_id, sealed, created_at, expires_at";

/** What a URL is found by, whatever its length. */
export function urlHash(url: string): Buffer {
  return createHash("sha256").update(url).digest();
}

/** Codes that are bits of `types`: all that there were when that was made. */
const bits: readonly number[] = [1, 2, 4, 8, 16, 32, 64];

interface TypesRow {
  readonly types: number;
  /** A byte for each code that is no bit. */
  readonly newerTypes: Buffer;
}

/** A set of codes of event types as columns hold it. */
export function codesToRow(codes: readonly number[]): TypesRow {
  return {
    types: codes.filter((code) => bits.includes(code)).reduce((set, bit) => set | bit, 0),
    newerTypes: Buffer.from(codes.filter((code) => !bits.includes(code))),
  };
}

/** The codes of a set. */
export function toCodes({ types, newerTypes }: TypesRow): ReadonlySet<number> {
  return new Set([...bits.filter((bit) => (types & bit) !== 0), ...newerTypes]);
}

/** The endpoint of a row, without types that only a newer release knows. */
export function toEndpoint(row: RowDataPacket): Endpoint {
  const codes = toCodes({ types: row.types, newerTypes: row.newer_types });
  return {
    id: bytesToUuid(row.id),
    partnerId: bytesToUuid(row.partner_id),
    url: row.url.toString(),
    description: row.description ?? "",
    types: eventTypes.filter((type) => codes.has(codeOf(type))),
    includeExternalId: row.include_external_id === 1,
    revision: row.revision,
    disabledReason: row.status === "enabled" ? null : (row.disabled_reason ?? "operator"),
    createdAt: row.created_at,
    sequence: row.sequence,
    failures: row.failures,
    failingSince: row.failing_since,
    replay: row.replay_until === null ? null : { after: row.replay_next ?? 0, until: row.replay_until },
    restUntil: row.resting_until,
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
