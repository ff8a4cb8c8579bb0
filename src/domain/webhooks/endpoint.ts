// A webhook endpoint: where a partner wants its events sent to, and its position in the log.
import type { EventType } from "../events/event-types.ts";

/** Most endpoints of a partner. */
export const maxEndpoints = 16;

/** How long after a change of its endpoint a delivery may still begin that does not know of the change. */
export const changeKnownMs = 1_000;

/** Failures in a row after which an endpoint is down. */
export const downAfter = 3;

/** A backlog is counted up to this number. */
export const maxBacklog = 10_000;

export const disabledReasons = ["partner", "operator", "gone", "failing"] as const;
/** Why an endpoint is disabled. */
export type DisabledReason = (typeof disabledReasons)[number];

/** Decides the share of connections: endpoints that are slow to answer get only a part of them. */
export type Answering =
  /** Its last attempt was answered. */
  | "yes"
  /** It is new, or the partner reports that it is back. */
  | "unknown"
  /** Its last attempt had no response. */
  | "no";

/** A range of the log that is redelivered, by sequences. */
export interface Replay {
  /** All up to here were delivered or parked. */
  readonly after: number;
  /** The last event of the range. */
  readonly until: number;
}

export interface Endpoint {
  readonly id: string;
  readonly partnerId: string;
  readonly url: string;
  /** Null: none. */
  readonly description: string | null;
  /** The types that it receives; all others are skipped. */
  readonly types: readonly EventType[];
  readonly includeExternalId: boolean;
  readonly includeNames: boolean;
  /** Grows with each change by the partner. */
  readonly revision: number;
  /** Null: it is enabled. */
  readonly disabledReason: DisabledReason | null;
  readonly createdAt: Date;
  /** Events up to here were delivered or parked. */
  readonly sequence: number;
  readonly answering: Answering;
  /** Failures in a row of different events; while it is down, of attempts. */
  readonly failures: number;
  readonly failingSince: Date | null;
  readonly replay: Replay | null;
  /** Until when it is paused, unless that is over; null: it is not. */
  readonly restUntil: Date | null;
}

/** The key of an endpoint. With another partner's id nothing is found, changed or removed. */
export type EndpointKey = Pick<Endpoint, "id" | "partnerId">;

/** Whether an endpoint accepts what it is sent. */
export type EndpointState = "healthy" | "down" | "disabled";

/** The state of an endpoint. */
export function endpointState({
  disabledReason,
  failures,
}: Pick<Endpoint, "disabledReason" | "failures">): EndpointState {
  if (disabledReason !== null) return "disabled";
  return failures >= downAfter ? "down" : "healthy";
}
