// Endpoints, secrets, attempts and parked events as columns.
import type { RowDataPacket } from "mysql2";
import { eventId } from "../../domain/events/event.ts";
import {
  type EventType,
  eventTypes,
  parseEventCode,
  toEventCode,
  toResourceKind,
} from "../../domain/events/event-types.ts";
import { type DueEndpoint, hasSucceeded, isAttempt, type SentDelivery } from "../../domain/webhooks/deliveries.ts";
import { attemptRetentionMs } from "../../domain/webhooks/delivery-outcome.ts";
import type { Endpoint } from "../../domain/webhooks/endpoint.ts";
import type { SealedSecret } from "../../domain/webhooks/sealed-secrets.ts";
import { bytesToUuid } from "../../kernel/ids.ts";
import { byteText, type Columns, flag, plain, table, uuid } from "../table.ts";

/** An attempt as it is stored. */
export interface StoredAttempt {
  /** Ascending; another endpoint may have the same. */
  readonly id: number;
  readonly partnerId: string;
  readonly endpointId: string;
  readonly sequence: number;
  /** Null: it was of no single event; events expired before they were delivered. */
  readonly resourceId: string | null;
  readonly type: EventType | null;
  /** 1 for the first one. */
  readonly attempt: number;
  readonly at: Date;
  readonly status: number | null;
  /** Why there is no status. */
  readonly error: string | null;
  readonly tookMs: number;
  readonly expiresAt: Date;
}

/** An attempt of a delivery, with the event that the log still has. */
export interface Attempt extends Omit<StoredAttempt, "sequence"> {
  readonly sequence: bigint;
  /** Empty: the event is not about a session, or events expired before they were delivered. */
  readonly sessionId: string;
  /** Empty: the event is no longer kept. */
  readonly eventId: string;
}

/** An event whose delivery is open or dead. */
export interface ParkedEvent extends Pick<Attempt, "sequence" | "sessionId" | "eventId"> {
  readonly attempts: number;
  /** Null: it waits for an earlier event of its resource, or is dead. */
  readonly nextAt: Date | null;
  readonly deadAt: Date | null;
}

/** How an endpoint answers, indexed by the stored number. */
export const answeringByCode = ["unknown", "yes", "no"] as const;

/** What its partner sets. */
export type EndpointSettings = Pick<Endpoint, "url" | "description" | "types" | "includeExternalId" | "includeNames">;
export type NewEndpoint = Pick<Endpoint, "id" | "partnerId" | "revision" | "createdAt"> & EndpointSettings;
type Progress = Omit<Endpoint, keyof NewEndpoint>;

/** When there is something to do for an endpoint. */
export interface Schedule {
  /** Id of its latest attempt. */
  readonly lastAttempt: number;
  /** Null: no process has claimed it. */
  readonly claimId: string | null;
  readonly claimEndsAt: Date | null;
  /** Null: after the next event or change. */
  readonly dueAt: Date | null;
}

const identity = { id: uuid, partnerId: uuid, ...plain("revision", "createdAt") };
const settings: Columns<EndpointSettings> = {
  url: byteText,
  types: {
    read: (codes: Buffer) => eventTypes.filter((type) => codes.includes(toEventCode(type))),
    write: (types: readonly EventType[]) => Buffer.from(types.map(toEventCode)),
  },
  includeExternalId: flag,
  includeNames: flag,
  ...plain("description"),
};
const answering = {
  read: (code: number) => answeringByCode[code] ?? "unknown",
  write: (word: Endpoint["answering"]) => answeringByCode.indexOf(word),
};
const progress: Columns<Progress> = {
  ...plain("disabledReason", "sequence", "failures", "failingSince", "restUntil"),
  replay: { parts: { after: { name: "replay_next" }, until: { name: "replay_until" } } },
  answering,
};

export const endpointSettings = table<EndpointSettings>(settings);
export const newEndpoints = table<NewEndpoint>({ ...identity, ...settings });
/** What the deliverer changes. */
export const endpointProgress = table<Progress & Schedule>({
  ...progress,
  ...plain("lastAttempt", "claimEndsAt", "dueAt"),
  claimId: uuid,
});

export const dueEndpoints = table<DueEndpoint>({ id: uuid, partnerId: uuid, answering, ...plain("failures") });

export const endpoints = table<Endpoint>({ ...identity, ...settings, ...progress });

export const secrets = table<SealedSecret>({
  id: uuid,
  endpointId: uuid,
  ...plain("keyId", "sealed", "createdAt"),
});

export const attempts = table<StoredAttempt>({
  partnerId: uuid,
  endpointId: uuid,
  resourceId: uuid,
  type: { read: parseEventCode, write: toEventCode },
  ...plain("id", "sequence", "attempt", "at", "status", "error", "tookMs", "expiresAt"),
});

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

const parkedColumns = table<Pick<ParkedEvent, "attempts" | "nextAt" | "deadAt">>(plain("attempts", "nextAt", "deadAt"));

export function toParked(row: RowDataPacket): ParkedEvent {
  return { ...parkedColumns.fromRow(row), ...toSubject(row) };
}

/** What a delivery is about. */
function toSubject(row: RowDataPacket): Pick<Attempt, "sequence" | "sessionId" | "eventId"> {
  const resourceId = row.resource_id === null ? "" : bytesToUuid(row.resource_id);
  const [type, loggedType] = [row.type, row.logged_type].map((code) => (code === null ? null : parseEventCode(code)));
  return {
    sequence: BigInt(row.sequence),
    sessionId: type && toResourceKind(type) === "session" ? resourceId : "",
    eventId: !loggedType ? "" : eventId({ resourceId, type: loggedType, occurrence: row.occurrence }),
  };
}
