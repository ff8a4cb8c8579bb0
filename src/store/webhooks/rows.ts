// Converts endpoints, secrets, attempts and parked events to columns and back.
import { createHash } from "node:crypto";
import type { RowDataPacket } from "mysql2";
import { bytesToUuid } from "../../database/statement.ts";
import type { EventName } from "../../domain/events/event.ts";
import type { Endpoint } from "../../domain/webhooks/endpoint.ts";
import type { SealedSecret } from "../../domain/webhooks/sealed-secrets.ts";
import { codeOf, type EventType, eventTypeOf, eventTypes, resourceOf } from "../../kernel/event-types.ts";

export interface Attempt {
  /** Ascending; another endpoint may have the same. */
  readonly id: number;
  readonly sequence: number;
  /** Null: the event is not about a session, or events expired before they were delivered. */
  readonly sessionId: string | null;
  /** Null: events expired before they were delivered, or the type is not known. */
  readonly type: EventType | null;
  /** Null: the event is no longer kept. */
  readonly event: EventName | null;
  /** 1 for the first one. */
  readonly attempt: number;
  readonly at: Date;
  readonly status: number | null;
  /** Why there is no status. */
  readonly error: string | null;
  readonly tookMs: number;
}

/** An event whose delivery is open or dead. */
export interface ParkedEvent {
  readonly sequence: number;
  /** Null: the event is not about a session. */
  readonly sessionId: string | null;
  readonly attempts: number;
  /** Null: it waits for an earlier event of its resource, or is dead. */
  readonly nextAt: Date | null;
  readonly deadAt: Date | null;
  /** Null: the event is no longer kept, or only a newer release knows its type. */
  readonly event: EventName | null;
}

export const endpointColumns = `id, partner_id, url, description, types, include_external_id, revision,
  disabled_reason, created_at, sequence, claimed_sequence, answering, failures, failing_since, replay_next, replay_until,
  IF(disabled_reason IS NULL AND rest_until > NOW(3), rest_until, NULL) AS resting_until`;
/** How an endpoint answers, indexed by the stored number. */
export const answeringOf = ["unknown", "yes", "no"] as const;
export const secretColumns = "id, endpoint_id, key_id, sealed, created_at, expires_at";

/** The key for finding a URL of any length. */
export function urlHash(url: string): Buffer {
  return createHash("sha256").update(url).digest();
}

/** A set of event types: a byte for each, its code. */
export function typesToBytes(types: readonly EventType[]): Buffer {
  return Buffer.from(types.map(codeOf));
}

/** The endpoint of a row, without types that only a newer release knows. */
export function toEndpoint(row: RowDataPacket): Endpoint {
  return {
    id: bytesToUuid(row.id),
    partnerId: bytesToUuid(row.partner_id),
    url: row.url.toString(),
    description: row.description ?? "",
    types: eventTypes.filter((type) => row.types.includes(codeOf(type))),
    includeExternalId: row.include_external_id === 1,
    revision: row.revision,
    disabledReason: row.disabled_reason,
    createdAt: row.created_at,
    sequence: row.sequence,
    claimedSequence: row.claimed_sequence,
    answering: answeringOf[row.answering] ?? "unknown",
    failures: row.failures,
    failingSince: row.failing_since,
    replay: row.replay_until === null ? null : { after: row.replay_next ?? 0, until: row.replay_until },
    restUntil: row.resting_until,
  };
}

/** Ids of endpoints and of their partners. */
export function namesOf(rows: readonly RowDataPacket[]): [Buffer[], Buffer[]] {
  return [rows.map(({ id }) => id), rows.map(({ partner_id: partnerId }) => partnerId)];
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

/** An attempt of a delivery, with the event that the log still has. */
export function toAttempt(row: RowDataPacket): Attempt {
  return {
    id: row.id,
    sequence: row.sequence,
    sessionId: toSessionId(row),
    type: eventTypeOf(row.type) ?? null,
    event: toEventName(row),
    attempt: row.attempt,
    at: row.at,
    status: row.status,
    error: row.error,
    tookMs: row.took_ms,
  };
}

/** A parked event, likewise. */
export function toParked(row: RowDataPacket): ParkedEvent {
  return {
    sequence: row.sequence,
    sessionId: toSessionId(row),
    attempts: row.attempts,
    nextAt: row.next_at,
    deadAt: row.dead_at,
    event: toEventName(row),
  };
}

/** Null: the event is no longer in the log, or only a newer release knows its type. */
function toEventName(row: RowDataPacket): EventName | null {
  const type = eventTypeOf(row.logged_type);
  return type === undefined ? null : { resourceId: bytesToUuid(row.resource_id), type, occurrence: row.occurrence };
}

/** Null: the event is about several resources, or about one that is not a session. */
function toSessionId({ resource_id: id, type }: RowDataPacket): string | null {
  const known = id === null ? undefined : eventTypeOf(type);
  return known !== undefined && resourceOf(known) === "session" ? bytesToUuid(id) : null;
}
