// Deliveries of events to endpoints: as they are claimed, sent, and told of.
import type { RandomBytes } from "../../kernel/environment.ts";
import type { LoggedEvent } from "../events/event.ts";
import type { Endpoint, EndpointName } from "./endpoint.ts";
import type { SealedSecret } from "./sealed-secrets.ts";

/** An endpoint that has something to do. */
export type DueEndpoint = Pick<Endpoint, "id" | "partnerId" | "answering" | "failures">;

/** Deliveries of an endpoint that one process alone may send, from now on for `claimMs`. */
export interface Claim {
  readonly claimId: string;
  readonly endpoint: Endpoint;
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

export interface WebhookMessage {
  /** As it is stored: it was found sound when it was stored, and is checked again. */
  readonly url: string;
  /** Id of the event: the same for every attempt. */
  readonly id: string;
  /** JSON text. */
  readonly body: string;
  /** At least one; each signs. */
  readonly secrets: readonly Uint8Array[];
  readonly sentAt: Date;
}

export interface SendResult {
  /** Null: there was no response. */
  readonly status: number | null;
  /** Why there was none, such as `connect_timeout`; null if there was one. */
  readonly error: string | null;
  readonly tookMs: number;
  /** What the response asks for; null if it does not. */
  readonly retryAfterSeconds: number | null;
}

/** What became of a delivery that was never sent. */
export function notSent(error: string): SendResult {
  return { status: null, error, tookMs: 0, retryAfterSeconds: null };
}

/** Whether the endpoint took the event. */
export function hasSucceeded({ status }: Pick<SendResult, "status">): boolean {
  return status !== null && status >= 200 && status <= 299;
}
