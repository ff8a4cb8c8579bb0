// The webhook part of the Store port, as those use it who deliver.

import type { EventName, LoggedEvent } from "../events/event.ts";
import type { TrustedTime } from "../trusted-clock.ts";
import type { Endpoint, Replay } from "./endpoint.ts";
import type { SealedSecret } from "./sealed-secrets.ts";
import type { Attempt, EndpointName } from "./webhook-port.ts";

/** An endpoint that one process alone may send to, as long as it has the lease. */
export interface ClaimedEndpoint extends Endpoint {
  readonly leaseId: string;
  /** Those that have not ended, the latest first. */
  readonly secrets: readonly SealedSecret[];
}

/** A parked event whose time has come. */
export interface DueEvent {
  readonly sequence: number;
  readonly resourceId: string;
  readonly attempts: number;
  /** Undefined: it is no longer kept. */
  readonly event: LoggedEvent | undefined;
}

/** What an event happened to, and what it is. */
export type EventSubject = Pick<EventName, "resourceId" | "type">;

export interface MadeAttempt extends Omit<Attempt, "id" | "sessionId" | "type" | "event"> {
  /** Null: it was of no single event. */
  readonly event: EventSubject | null;
}

export interface ParkedRow extends EventSubject {
  readonly sequence: number;
  readonly attempts: number;
  /** Null: waits for an earlier event of its resource, or dead. */
  readonly nextAt: Date | null;
  readonly deadAt: Date | null;
}

/** What became of a lease since the report before. */
export interface LeaseReport {
  readonly endpoint: Pick<ClaimedEndpoint, "id" | "partnerId" | "leaseId">;
  /** All up to here was delivered, parked or passed over. */
  readonly sequence: number;
  readonly failures: number;
  readonly replay: Replay | null;
  /** Until when the endpoint is to be left alone. */
  readonly restUntil: Date | null;
  readonly disabledReason: "gone" | "failing" | null;
  readonly attempts: readonly MadeAttempt[];
  /** Events that were not parked before; one that is already stays as it is. */
  readonly parked: readonly ParkedRow[];
  /** Parked events that were tried. */
  readonly tried: readonly ParkedRow[];
  /** Sequences of parked events that need no more. */
  readonly done: readonly number[];
  /** Resources, such as sessions, whose next parked event may go. */
  readonly freedResourceIds: readonly string[];
  /** Whether the lease is given back. */
  readonly isOver: boolean;
  /** Whether it is given back although there is more to do: others are to come first. */
  readonly isOutOfTime: boolean;
}

/** Endpoints by id whose reports were not stored. */
export interface UnsavedReports {
  /** Those whose lease is another's, or over. */
  readonly lost: ReadonlySet<string>;
  /** Those that somebody changes right now. */
  readonly busy: ReadonlySet<string>;
}

/** Who may send to an endpoint, and what revision it has. */
export type LeaseState = Pick<ClaimedEndpoint, "leaseId" | "revision">;

export interface DeliveryState {
  /** Enabled endpoints that take events, those that are down, and disabled ones. */
  readonly endpoints: { readonly healthy: number; readonly down: number; readonly disabled: number };
  /** Seconds since the oldest event came into the log that a healthy endpoint has not come to; 0 if there is none. */
  readonly behindSeconds: number;
}

export interface DeliveryStore {
  /** Leases endpoints that are due. `isEnd`: there are no more. */
  claimEndpoints(
    limit: number,
    leaseMs: number,
    signal: AbortSignal,
  ): Promise<{ readonly endpoints: readonly ClaimedEndpoint[]; readonly isEnd: boolean }>;
  /** Stores what became of leases, and renews them: of those whose endpoints nobody has locked. */
  saveReports(reports: readonly LeaseReport[], leaseMs: number, signal: AbortSignal): Promise<UnsavedReports>;
  /** The leases of the endpoints, by their ids; nothing for one that nobody has. */
  listLeases(endpoints: readonly EndpointName[], signal: AbortSignal): Promise<ReadonlyMap<string, LeaseState>>;
  /** Parked events of an endpoint whose time has come, the longest due first. */
  listDueParked(endpoint: EndpointName, limit: number, signal: AbortSignal): Promise<readonly DueEvent[]>;
  /** Those of the resources, such as sessions, that have parked events which are not dead. */
  findParkedResources(
    endpoint: EndpointName,
    resourceIds: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlySet<string>>;
  /**
   * Has endpoints looked at that are behind their log although nothing says so, and those whose times a wrong clock wrote:
   * leases that last longer than any can, and tries that are further ahead than any pause is long.
   * @param leaseMs how long a lease lasts
   */
  wakeEndpoints(limit: number, leaseMs: number, signal: AbortSignal): Promise<void>;
  readDeliveryState(signal: AbortSignal): Promise<DeliveryState>;
  /** Removes attempts whose time is over, and parked events that are no longer kept; tells whether there may be more. */
  deleteExpiredDeliveries(limit: number, now: TrustedTime, signal: AbortSignal): Promise<boolean>;
}
