// Deliveries of events to endpoints: claimed, sent, and with their results.
import type { KeyObject } from "node:crypto";
import type { LoggedEvent } from "../events/event.ts";
import type { Endpoint, EndpointKey } from "./endpoint.ts";
import type { SealedSecret } from "./sealed-secrets.ts";

/** An endpoint that is due. */
export type DueEndpoint = Pick<Endpoint, "id" | "partnerId" | "lastAnswered" | "failures">;

/** Deliveries of an endpoint that one process sends. Until the claim ends no other process sends to the endpoint. */
export interface Claim {
  readonly claimId: string;
  readonly endpoint: Endpoint;
  /** The unexpired secrets, the latest first. */
  readonly secrets: readonly SealedSecret[];
  /** In the order in which they are sent. */
  readonly deliveries: readonly ClaimedDelivery[];
  /** Most of them that are sent at a time. */
  readonly concurrency: number;
  /** The position of the endpoint in the log once all are sent. */
  readonly end: number;
  /** Events before the end that wait for others of their resources: they get rows once the endpoint has passed them. */
  readonly blockedEvents: readonly LoggedEvent[];
}

export interface ClaimedDelivery {
  readonly event: LoggedEvent;
  /** Attempts before this one. */
  readonly attempts: number;
  /** When its row was due; null: it has no row. If it is requested again meanwhile, the row gets another time. */
  readonly dueAt: Date | null;
}

export interface SentDelivery {
  readonly delivery: ClaimedDelivery;
  readonly at: Date;
  readonly result: SendResult;
}

/** An ended claim, with the results of the deliveries that were sent. */
export interface EndedClaim {
  readonly claim: Pick<Claim, "claimId" | "endpoint" | "deliveries" | "end" | "blockedEvents">;
  readonly results: readonly SentDelivery[];
}

/** The work for an endpoint in one transaction. */
export interface EndpointWork {
  readonly endpoint: EndpointKey;
  /** The claim of this process, if it had one. */
  readonly endedClaim: EndedClaim | undefined;
  /** Most deliveries that another claim may send at a time. */
  readonly connections: number;
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
  /** The reason why there was no response, such as `connect_timeout`; null if there was one. */
  readonly error: string | null;
  readonly tookMs: number;
  /** The pause that the response asks for; null if it asks for none. */
  readonly retryAfterSeconds: number | null;
}

/** Neither a response nor an error. */
export const emptyResult: SendResult = { status: null, error: null, tookMs: 0, retryAfterSeconds: null };

/** The result of a delivery without a response. */
export function createUnsentResult(error: string): SendResult {
  return { ...emptyResult, error };
}

/** Whether it counts as an attempt: neither this process nor the database was to blame. */
export function isAttempt({ error }: Pick<SendResult, "error">): boolean {
  return error !== "stopped" && error !== "unavailable";
}

/** Whether the endpoint accepted the event. */
export function hasSucceeded({ status }: Pick<SendResult, "status">): boolean {
  return status !== null && status >= 200 && status <= 299;
}
