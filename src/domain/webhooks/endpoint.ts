// A webhook endpoint: where a partner wants its events sent to, and how far it has come in the log.
import type { EventType } from "../../kernel/event-types.ts";
import { downAfter } from "./delivery-policy.ts";

/** Endpoints of a partner. */
export const maxEndpoints = 16;

/** No delivery begins later than this after a change of its endpoint that it knows nothing of. */
export const changeKnownMs = 1_000;

/** Up to here a backlog is counted. */
export const mostBacklog = 10_000;

export const disabledReasons = ["partner", "operator", "gone", "failing"] as const;
/** Why an endpoint gets nothing. */
export type DisabledReason = (typeof disabledReasons)[number];

/** What a delivery is sent by: whatever is slow to answer has a part of the connections only. */
export type Answering =
  /** Its last attempt was answered. */
  | "yes"
  /** It is new, or somebody says that it is back. */
  | "unknown"
  /** Its last attempt had no response. */
  | "no";

/** A range of the log that is delivered once more, by sequences. */
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
  readonly description: string;
  /** What it gets; all else is passed over. */
  readonly types: readonly EventType[];
  readonly includeExternalId: boolean;
  /** Grows with each change by the partner. */
  readonly revision: number;
  /** Null: it is enabled. */
  readonly disabledReason: DisabledReason | null;
  readonly createdAt: Date;
  /** Events up to here were delivered or parked. */
  readonly sequence: number;
  /** Those after it up to here are on their way. */
  readonly claimedSequence: number;
  readonly answering: Answering;
  /** Failures in a row of different events; while it is down, of attempts. */
  readonly failures: number;
  readonly failingSince: Date | null;
  readonly replay: Replay | null;
  /** Until when it is left alone; null: it is not. */
  readonly restUntil: Date | null;
}

/** Names an endpoint. Whoever names another partner's finds, changes and removes nothing. */
export type EndpointName = Pick<Endpoint, "id" | "partnerId">;

/** Whether an endpoint takes what it is sent. */
export type EndpointState = "healthy" | "down" | "disabled";

/** The state of an endpoint. */
export function endpointState({
  disabledReason,
  failures,
}: Pick<Endpoint, "disabledReason" | "failures">): EndpointState {
  if (disabledReason !== null) return "disabled";
  return failures >= downAfter ? "down" : "healthy";
}
