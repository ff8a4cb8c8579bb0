// A webhook endpoint: where a partner wants its events sent to, and its position in the log.
import { type EventType, eventTypes, toEventCode } from "../events/event-types.ts";
import {
  byteText,
  byteWord,
  type Field,
  flag,
  inColumn,
  type ObjectOf,
  partsOf,
  plain,
  uuid,
} from "../stored-fields.ts";

/** Most endpoints of a partner. */
export const maxEndpoints = 16;

/** The time after a change of its endpoint in which a delivery may still begin that does not know of the change. */
export const changeKnownMs = 1_000;

/** Failures in a row after which an endpoint is down. */
export const downAfter = 3;

/** A backlog is counted up to this number. */
export const maxBacklog = 10_000;

export const disabledReasons = ["partner", "operator", "gone", "failing"] as const;
/** The reason why an endpoint is disabled. */
export type DisabledReason = (typeof disabledReasons)[number];

export const lastAnsweredWords = ["unknown", "yes", "no"] as const;
/**
 * Whether its last attempt was answered; unknown if it is new, or the partner reports that it is back. Decides the share of
 * connections: endpoints that are slow to answer get only a part of them.
 */
export type LastAnswered = (typeof lastAnsweredWords)[number];

/** A byte for each, its code. */
const eventTypeList: Field<readonly EventType[]> = {
  read: (codes: Buffer) => eventTypes.filter((type) => codes.includes(toEventCode(type))),
  write: (types: readonly EventType[]) => Buffer.from(types.map(toEventCode)),
};

/** Fields that its partner sets. */
export const endpointSettingFields = {
  url: byteText,
  /** Null: none. */
  description: plain<string | null>(),
  /** The types that it receives; all others are skipped. */
  types: eventTypeList,
  includeExternalId: flag,
  includeNames: flag,
};

export const newEndpointFields = {
  id: uuid,
  partnerId: uuid,
  /** Grows with each change by the partner. */
  revision: plain<number>(),
  createdAt: plain<Date>(),
  ...endpointSettingFields,
};

/** Fields that deliveries change. */
export const endpointProgressFields = {
  /** Null: it is enabled. */
  disabledReason: plain<DisabledReason | null>(),
  /** Events up to here were delivered or parked. */
  sequence: plain<number>(),
  lastAnswered: byteWord<LastAnswered>(),
  /** Failures in a row of different events; while it is down, of attempts. */
  failures: plain<number>(),
  failingSince: plain<Date | null>(),
  /** A range of the log that is redelivered, by sequences; null: none. */
  replay: partsOf({
    /** All up to here were delivered or parked. */
    after: inColumn("replay_next", plain<number>()),
    /** The last event of the range. */
    until: inColumn("replay_until", plain<number>()),
  }),
  /** Until when it is paused, unless that is over; null: it is not. */
  pausedUntil: plain<Date | null>(),
};

export const endpointFields = { ...newEndpointFields, ...endpointProgressFields };

export interface Endpoint extends ObjectOf<typeof endpointFields> {}
export type EndpointSettings = ObjectOf<typeof endpointSettingFields>;
export type NewEndpoint = ObjectOf<typeof newEndpointFields>;
export type Replay = NonNullable<Endpoint["replay"]>;

/** The key of an endpoint. With another partner's id nothing is found, changed or removed. */
export type EndpointKey = Pick<Endpoint, "id" | "partnerId">;

/** Whether an endpoint accepts what it is sent. */
export type EndpointState = "healthy" | "down" | "disabled";

/** The state of an endpoint. */
export function findEndpointState({
  disabledReason,
  failures,
}: Pick<Endpoint, "disabledReason" | "failures">): EndpointState {
  if (disabledReason !== null) return "disabled";
  return failures >= downAfter ? "down" : "healthy";
}
