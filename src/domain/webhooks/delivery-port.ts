// The webhook part of the Store port, as those use it who deliver.

import type { RandomBytes } from "../../kernel/environment.ts";
import type { LoggedEvent } from "../events/event.ts";
import type { TrustedTime } from "../trusted-clock.ts";
import type { Answering } from "./delivery-outcome.ts";
import type { DisabledReason, Endpoint } from "./endpoint.ts";
import type { SealedSecret } from "./sealed-secrets.ts";
import type { EndpointName } from "./webhook-port.ts";
import type { SendResult } from "./webhook-sender-port.ts";

/** An endpoint that has something to do. */
export interface DueEndpoint extends EndpointName {
  readonly answering: Answering;
  readonly failures: number;
}

/** Deliveries of an endpoint that one process alone may send, from now on for `claimMs`. */
export interface Claim {
  readonly claimId: string;
  readonly endpoint: Endpoint & DueEndpoint;
  /** Those that have not ended, the latest first. */
  readonly secrets: readonly SealedSecret[];
  readonly deliveries: readonly ClaimedDelivery[];
}

export interface ClaimedDelivery {
  readonly event: LoggedEvent;
  /** Attempts before this one. */
  readonly attempts: number;
}

/** A claimed delivery that was sent, or was to be. */
export interface SentDelivery extends ClaimedDelivery {
  readonly claim: Pick<Claim, "claimId" | "endpoint">;
  readonly at: Date;
  readonly result: SendResult;
}

/** What is to be done for an endpoint at once. */
export interface EndpointTurn {
  readonly endpoint: EndpointName;
  readonly sent: readonly SentDelivery[];
  /** How many more deliveries may be claimed. */
  readonly room: number;
}

export interface TurnContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly isTrusted: boolean;
  readonly random: RandomBytes;
}

export interface TurnsDone {
  readonly claims: readonly Claim[];
  /** Endpoints to which more may be sent right now. */
  readonly more: readonly DueEndpoint[];
  /** Endpoints by id that somebody had locked: nothing was done for them. */
  readonly busy: ReadonlySet<string>;
  /** Ids of endpoints, one for each delivery that is tried no more. */
  readonly died: readonly string[];
  readonly disabled: readonly { readonly endpointId: string; readonly reason: DisabledReason }[];
}

export interface DeliveryState {
  /** Enabled endpoints that take events, those that are down, and disabled ones. */
  readonly endpoints: { readonly healthy: number; readonly down: number; readonly disabled: number };
  /** Seconds since the oldest event came into the log that a healthy endpoint has not come to; 0 if there is none. */
  readonly behindSeconds: number;
}

export interface DeliveryStore {
  /** Endpoints that have something to do, those that wait longest first: at most so many of each way of answering. */
  listDueEndpoints(limit: number, signal: AbortSignal): Promise<readonly DueEndpoint[]>;
  /**
   * Stores what became of deliveries and claims further ones, in one transaction. Of two events of a session, or of another
   * resource, only the earlier one is claimed.
   */
  takeTurns(turns: readonly EndpointTurn[], context: TurnContext, signal: AbortSignal): Promise<TurnsDone>;
  /**
   * Has endpoints looked at that are behind their log although nothing says so, and those that a wrong clock has put off
   * for longer than any pause is.
   */
  wakeEndpoints(limit: number, signal: AbortSignal): Promise<void>;
  readDeliveryState(signal: AbortSignal): Promise<DeliveryState>;
  /** Removes attempts whose time is over, and deliveries of events that are no longer kept; tells whether there may be more. */
  deleteExpiredDeliveries(limit: number, now: TrustedTime, signal: AbortSignal): Promise<boolean>;
}
