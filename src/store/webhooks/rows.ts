// Endpoints, secrets, attempts and parked events as columns.
import type { RowDataPacket } from "mysql2";
import { computeEventId } from "../../domain/events/event.ts";
import { eventTypeField, parseEventCode, toResourceKind } from "../../domain/events/event-types.ts";
import { nullable, plain, uuid } from "../../domain/stored-fields.ts";
import { hasSucceeded, isAttempt, type SentDelivery } from "../../domain/webhooks/deliveries.ts";
import { attemptRetentionMs } from "../../domain/webhooks/delivery-outcome.ts";
import {
  type Endpoint,
  type EndpointKey,
  endpointFields,
  endpointProgressFields,
  endpointSettingFields,
  newEndpointFields,
} from "../../domain/webhooks/endpoint.ts";
import { secretFields } from "../../domain/webhooks/sealed-secrets.ts";
import { bytesToUuid } from "../../kernel/ids.ts";
import { type Stored, table } from "../table.ts";

export const attempts = table({
  /** Ascending; another endpoint may have the same. */
  id: plain<number>(),
  partnerId: uuid,
  endpointId: uuid,
  sequence: plain<number>(),
  /** Null: it was of no single event; events expired before they were delivered. */
  resourceId: nullable(uuid),
  type: nullable(eventTypeField),
  /** 1 for the first one. */
  attempt: plain<number>(),
  at: plain<Date>(),
  status: plain<number | null>(),
  /** The reason why there is no status. */
  error: plain<string | null>(),
  tookMs: plain<number>(),
  expiresAt: plain<Date>(),
});
/** An attempt as it is stored. */
export type StoredAttempt = Stored<typeof attempts>;

/** An attempt of a delivery, with the event that the log still has. */
export interface Attempt extends Omit<StoredAttempt, "sequence"> {
  readonly sequence: bigint;
  /** Empty: the event is not about a session, or events expired before they were delivered. */
  readonly sessionId: string;
  /** Empty: the event is no longer kept. */
  readonly eventId: string;
}

const deliveries = table({
  attempts: plain<number>(),
  /** Null: it waits for an earlier event of its resource, or is dead. */
  nextAt: plain<Date | null>(),
  deadAt: plain<Date | null>(),
});
/** An event whose delivery is open or dead. */
export type ParkedEvent = Stored<typeof deliveries> & Pick<Attempt, "sequence" | "sessionId" | "eventId">;

export const endpoints = table(endpointFields);
export const endpointSettings = table(endpointSettingFields);
export const newEndpoints = table(newEndpointFields);
/** Fields that the deliverer changes. */
export const endpointProgress = table({
  ...endpointProgressFields,
  /** Id of its latest attempt. */
  lastAttempt: plain<number>(),
  /** Null: no process has claimed it. */
  claimId: nullable(uuid),
  claimEndsAt: plain<Date | null>(),
  /** When there is something to do for it; null: after the next event or change. */
  dueAt: plain<Date | null>(),
});
export const dueEndpoints = table({
  id: uuid,
  partnerId: uuid,
  lastAnswered: endpointFields.lastAnswered,
  failures: endpointFields.failures,
});
export const secrets = table(secretFields);

export const endpointKeys = table({ id: uuid, partnerId: uuid });

/** For `id IN (:ids) AND partner_id IN (:partnerIds)`. */
export function toKeys(keys: readonly EndpointKey[]) {
  return { ids: keys.map(({ id }) => id), partnerIds: [...new Set(keys.map(({ partnerId }) => partnerId))] };
}

export function toAttempt(row: RowDataPacket): Attempt {
  return { ...attempts.fromRow(row), ...toSubject(row) };
}

/**
 * The attempts of an endpoint as they are stored.
 * @param last id of the attempt before them. @param expired of an event that the log no longer has
 */
export function toStoredAttempts(
  { id: endpointId, partnerId }: Endpoint,
  last: number,
  results: readonly SentDelivery[],
  expired: Pick<StoredAttempt, "at" | "sequence"> | undefined,
): StoredAttempt[] {
  const lines = results.flatMap(({ delivery: { event, attempts: before }, at, result: { status, error, tookMs } }) => {
    const { sequence, resourceId, type } = event;
    const attempt = { sequence, resourceId, type, attempt: before + 1, at, status, error, tookMs };
    return isAttempt({ error }) ? [attempt] : [];
  });
  const expiredAttempt = { resourceId: null, type: null, attempt: 1, status: null, error: "expired", tookMs: 0 };
  return [...lines, ...(expired === undefined ? [] : [{ ...expiredAttempt, ...expired }])].map((attempt, index) => {
    const expiresAt = new Date(attempt.at.getTime() + attemptRetentionMs(hasSucceeded(attempt)));
    return { ...attempt, partnerId, endpointId, id: last + 1 + index, expiresAt };
  });
}

export function toParked(row: RowDataPacket): ParkedEvent {
  return { ...deliveries.fromRow(row), ...toSubject(row) };
}

/** The resource of a delivery. */
function toSubject(row: RowDataPacket): Pick<Attempt, "sequence" | "sessionId" | "eventId"> {
  const resourceId = row.resource_id === null ? "" : bytesToUuid(row.resource_id);
  const [type, loggedType] = [row.type, row.logged_type].map((code) => (code === null ? null : parseEventCode(code)));
  return {
    sequence: BigInt(row.sequence),
    sessionId: type && toResourceKind(type) === "session" ? resourceId : "",
    eventId: !loggedType ? "" : computeEventId({ resourceId, type: loggedType, occurrence: row.occurrence }),
  };
}
