// The webhook part of the Store port, as the interface uses it: endpoints, secrets, and what became of deliveries.
import type { EventType } from "../../kernel/event-types.ts";
import type { EventName } from "../events/event.ts";
import type { Endpoint, Replay } from "./endpoint.ts";
import type { SealedSecret } from "./sealed-secrets.ts";

/** The URL belongs to another endpoint of the partner. */
export interface UrlTaken {
  readonly takenBy: string;
}

/** Names an endpoint. Whoever names another partner's finds, changes and removes nothing. */
export type EndpointName = Pick<Endpoint, "id" | "partnerId">;

/** What a partner changes of an endpoint. What is on its way tells nothing of the endpoint any more. */
export interface EndpointChange extends Pick<Endpoint, "url" | "description" | "types" | "includeExternalId"> {
  readonly disabledReason: Endpoint["disabledReason"];
  /** Whether the streak of failures ends, and all that waits is tried now. */
  readonly isFresh: boolean;
  /** To go on after this sequence, unless it is further already; undefined: where it is. */
  readonly skipTo: number | undefined;
}

export interface Attempt {
  /** Ascending; another endpoint may have the same. */
  readonly id: number;
  readonly sequence: number;
  /** Null: the event happened to what is no session, or events expired before they were delivered. */
  readonly sessionId: string | null;
  /** Null: events expired before they were delivered, or the type is not known. */
  readonly type: EventType | null;
  /** Null: the event is no longer kept. */
  readonly event: EventName | null;
  /** 1 for the first one. */
  readonly attempt: number;
  readonly at: Date;
  readonly status: number | null;
  /** Why there is no status. */
  readonly error: string | null;
  readonly tookMs: number;
}

/** Whether the endpoint took the event. */
export function hasSucceeded({ status }: Pick<Attempt, "status">): boolean {
  return status !== null && status >= 200 && status <= 299;
}

export interface ParkedEvent {
  readonly sequence: number;
  /** Null: it happened to what is no session. */
  readonly sessionId: string | null;
  readonly attempts: number;
  /** Null: it waits for an earlier event of its resource, or is dead. */
  readonly nextAt: Date | null;
  readonly deadAt: Date | null;
  /** Null: the event is no longer kept, or only a newer release knows its type. */
  readonly event: EventName | null;
}

export interface WebhookStore {
  /** Inserts an endpoint, enabled, with its first secret. The partner may have so many. */
  insertEndpoint(
    endpoint: Endpoint,
    secret: SealedSecret,
    most: number,
    signal: AbortSignal,
  ): Promise<"inserted" | "limit_reached" | UrlTaken>;
  findEndpoint(partnerId: string, id: string, signal: AbortSignal): Promise<Endpoint | undefined>;
  /** All endpoints of a partner, or of all partners, the oldest first; at most `limit` after the id. */
  listEndpoints(
    partnerId: string | undefined,
    after: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly Endpoint[]>;
  /** Changes an endpoint that still has the revision. `lost`: it has not. */
  saveEndpoint(
    endpoint: EndpointName,
    revision: number,
    change: EndpointChange,
    signal: AbortSignal,
  ): Promise<"saved" | "lost" | UrlTaken>;
  /** Removes an endpoint and all that belongs to it. False: there is none. */
  deleteEndpoint(partnerId: string, id: string, signal: AbortSignal): Promise<boolean>;
  /**
   * Adds a secret to an endpoint of the partner. Those before end after so many seconds, unless sooner; of them the latest alone lives on.
   * @returns when they end, by the database's clock; undefined if there is no such endpoint
   */
  addSecret(
    partnerId: string,
    secret: SealedSecret,
    overlapSeconds: number,
    signal: AbortSignal,
  ): Promise<Date | undefined>;
  /** The secrets of an endpoint that have not ended, the latest first. */
  listSecrets(endpoint: EndpointName, signal: AbortSignal): Promise<readonly SealedSecret[]>;
  /** Seals a secret of the partner anew. */
  resealSecret(
    partnerId: string,
    secret: Pick<SealedSecret, "id" | "keyId" | "sealed">,
    signal: AbortSignal,
  ): Promise<void>;
  /** Attempts before an id, the latest first. */
  listAttempts(endpoint: EndpointName, before: number, limit: number, signal: AbortSignal): Promise<readonly Attempt[]>;
  /** Parked events after a sequence, ascending. */
  listParked(
    endpoint: EndpointName,
    after: number,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly ParkedEvent[]>;
  /** Events that the endpoint has not come to, and parked ones that are not dead: at most so many. */
  countBacklog(
    endpoint: EndpointName & Pick<Endpoint, "claimedSequence">,
    most: number,
    signal: AbortSignal,
  ): Promise<number>;
  /** Ends the streak of failures of an enabled endpoint, if there is one, and has all that waits for it tried now. */
  resumeEndpoint(endpoint: EndpointName, signal: AbortSignal): Promise<void>;
  /** Has events of the log delivered once more, from now on whatever the endpoint rests for. @returns how many of them are kept */
  redeliver(endpoint: EndpointName, events: readonly EventName[], signal: AbortSignal): Promise<number>;
  /** Begins a replay, now whatever the endpoint rests for. False: there is one already. */
  beginReplay(endpoint: EndpointName, replay: Replay, signal: AbortSignal): Promise<boolean>;
  /** Ends the replay, if there is one. */
  cancelReplay(endpoint: EndpointName, signal: AbortSignal): Promise<void>;
}
