// Converts endpoints, secrets, attempts and parked events to columns and back.

import { createHash } from "node:crypto";
import type { RowDataPacket } from "mysql2";
import { bytesToUuid, fromRow } from "../../database/statement.ts";
import type { EventName } from "../../domain/events/event.ts";
import type { Endpoint } from "../../domain/webhooks/endpoint.ts";
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
  const { replay_next: after, replay_until: until } = row;
  return {
    ...fromRow<Endpoint>(row),
    url: row.url.toString(),
    description: row.description ?? "",
    types: eventTypes.filter((type) => row.types.includes(codeOf(type))),
    includeExternalId: row.include_external_id === 1,
    answering: answeringOf[row.answering] ?? "unknown",
    replay: until === null ? null : { after: after ?? 0, until },
    restUntil: row.resting_until,
  };
}

/** Ids of endpoints and of their partners. */
export function namesOf(rows: readonly RowDataPacket[]): [Buffer[], Buffer[]] {
  return [rows.map(({ id }) => id), rows.map(({ partner_id: partnerId }) => partnerId)];
}

/** An attempt of a delivery, with the event that the log still has. */
export function toAttempt(row: RowDataPacket): Attempt {
  const type = eventTypeOf(row.type) ?? null;
  return { ...fromRow<Attempt>(row), sessionId: toSessionId(row), type, event: toEventName(row) };
}

/** A parked event, likewise. */
export function toParked(row: RowDataPacket): ParkedEvent {
  return { ...fromRow<ParkedEvent>(row), sessionId: toSessionId(row), event: toEventName(row) };
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
