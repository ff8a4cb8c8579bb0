// Deliveries of events to endpoints: claimed, sent, and with their results.
import type { KeyObject } from "node:crypto";
import type { MonotonicClock, RandomBytes } from "../../kernel/environment.ts";
import type { LoggedEvent } from "../events/event.ts";
import type { Endpoint, EndpointName } from "./endpoint.ts";
import type { SealedSecret } from "./sealed-secrets.ts";

/** An endpoint that is due. */
export type DueEndpoint = Pick<Endpoint, "id" | "partnerId" | "answering" | "failures">;

/** Deliveries of an endpoint that only one process may send, for the next `claimMs`. */
export interface Claim {
  readonly claimId: string;
  readonly endpoint: Endpoint;
  /** The unexpired secrets, the latest first. */
  readonly secrets: readonly SealedSecret[];
  readonly deliveries: readonly ClaimedDelivery[];
}

export interface ClaimedDelivery {
  readonly event: LoggedEvent;
  /** Attempts before this one. */
  readonly attempts: number;
}

/** A claimed delivery with its result. */
export interface SentDelivery extends ClaimedDelivery {
  readonly claim: Pick<Claim, "claimId" | "endpoint">;
  readonly at: Date;
  readonly result: SendResult;
}

/** What to do for an endpoint in one transaction. */
export interface EndpointWork {
  readonly endpoint: EndpointName;
  readonly sentDeliveries: readonly SentDelivery[];
  /** How many more deliveries may be claimed. */
  readonly room: number;
}

export interface SettleContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly isTrusted: boolean;
  readonly monotonic: MonotonicClock;
  readonly random: RandomBytes;
}

export interface WebhookMessage {
  /** As it is stored: it was valid when it was stored, and is checked again. */
  readonly url: string;
  /** Id of the event: the same for every attempt. */
  readonly id: string;
  /** JSON text. */
  readonly body: string;
  /** At least one; each signs. */
  readonly secrets: readonly KeyObject[];
  readonly sentAt: Date;
}

export interface SendResult {
  /** Null: there was no response. */
  readonly status: number | null;
  /** Why there was no response, such as `connect_timeout`; null if there was one. */
  readonly error: string | null;
  readonly tookMs: number;
  /** The pause that the response asks for; null if it asks for none. */
  readonly retryAfterSeconds: number | null;
}

/** The result of a delivery without a response. */
export function notSent(error: string | null): SendResult {
  return { status: null, error, tookMs: 0, retryAfterSeconds: null };
}

/** Whether it counts as an attempt: neither this process nor the database was to blame. */
export function isAttempt({ error }: Pick<SendResult, "error">): boolean {
  return error !== "stopped" && error !== "unavailable";
}

/** Whether the endpoint accepted the event. */
export function hasSucceeded({ status }: Pick<SendResult, "status">): boolean {
  return status !== null && status >= 200 && status <= 299;
}
