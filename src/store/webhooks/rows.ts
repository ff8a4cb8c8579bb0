// Converts endpoints, secrets, attempts and parked events to columns and back.
import { createHash } from "node:crypto";
import type { RowDataPacket } from "mysql2";
import { bytesToUuid, fromRow } from "../../database/statement.ts";
import { eventId } from "../../domain/events/event.ts";
import type { Endpoint } from "../../domain/webhooks/endpoint.ts";
import { codeOf, eventTypeOf, eventTypes, resourceOf } from "../../kernel/event-types.ts";

/** An attempt of a delivery, with the event that the log still has. */
export interface Attempt {
  /** Ascending; another endpoint may have the same. */
  readonly id: number;
  readonly sequence: bigint;
  /** Empty: the event is not about a session, or events expired before they were delivered. */
  readonly sessionId: string;
  /** Empty: events expired before they were delivered, or the type is not known. */
  readonly type: string;
  /** Empty: the event is no longer kept. */
  readonly eventId: string;
  /** 1 for the first one. */
  readonly attempt: number;
  readonly at: Date;
  readonly status: number | null;
  /** Why there is no status; empty if there is one. */
  readonly error: string;
  readonly tookMs: number;
}

/** An event whose delivery is open or dead. */
export interface ParkedEvent extends Pick<Attempt, "sequence" | "sessionId" | "eventId"> {
  readonly attempts: number;
  /** Null: it waits for an earlier event of its resource, or is dead. */
  readonly nextAt: Date | null;
  readonly deadAt: Date | null;
}

export const endpointColumns = `id, partner_id, url, description, types, include_external_id, revision,
  disabled_reason, created_at, sequence, claimed_sequence, answering, failures, failing_since, replay_next, replay_until,
  IF(disabled_reason IS NULL AND rest_until > NOW(3), rest_until, NULL) AS resting_until`;
/** How an endpoint answers, indexed by the stored number. */
export const answeringOf = ["unknown", "yes", "no"] as const;
export const secretColumns = "id, endpoint_id, key_id, sealed, created_at";

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

export function toAttempt(row: RowDataPacket): Attempt {
  return { ...fromRow<Attempt>(row), ...subjectOf(row), type: eventTypeOf(row.type) ?? "", error: row.error ?? "" };
}

export function toParked(row: RowDataPacket): ParkedEvent {
  return { ...fromRow<ParkedEvent>(row), ...subjectOf(row) };
}

/** What a delivery is about; only a newer release may know its type. */
function subjectOf(row: RowDataPacket): Pick<Attempt, "sequence" | "sessionId" | "eventId"> {
  const resourceId = row.resource_id === null ? "" : bytesToUuid(row.resource_id);
  const [type, logged] = [eventTypeOf(row.type), eventTypeOf(row.logged_type)];
  return {
    sequence: BigInt(row.sequence),
    sessionId: type !== undefined && resourceOf(type) === "session" ? resourceId : "",
    eventId: logged === undefined ? "" : eventId({ resourceId, type: logged, occurrence: row.occurrence }),
  };
}

/** The settings of an endpoint that are stored in another form. */
export function settingsToRow({ url, description, types }: Pick<Endpoint, "url" | "description" | "types">) {
  return {
    urlHash: urlHash(url),
    description: description === "" ? null : description,
    types: Buffer.from(types.map(codeOf)),
  };
}

/** The key for finding a URL of any length. */
export function urlHash(url: string): Buffer {
  return createHash("sha256").update(url).digest();
}
