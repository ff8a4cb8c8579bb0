// Sends the deliveries of one claim.
import type { KeyObject } from "node:crypto";
import {
  type Claim,
  type ClaimedDelivery,
  createUnsentResult,
  hasSucceeded,
  isAttempt,
  type SendResult,
  type SentDelivery,
} from "../domain/webhooks/deliveries.ts";
import { changeKnownMs, type DisabledReason, type Endpoint } from "../domain/webhooks/endpoint.ts";
import type { SecretSealer } from "../domain/webhooks/sealed-secrets.ts";
import type { Clock, MonotonicClock } from "../kernel/environment.ts";
import { Refusal } from "../kernel/errors/refusal.ts";
import { type DescriptionDeps, describeEvents, eventJson } from "../services/events/described-events.ts";
import type { DeliveryStore } from "../store/webhooks/delivery-store.ts";
import type { HttpWebhookSender } from "./sending/sender.ts";
import { type RunningDelivery, repeatDelivery } from "./shares.ts";

/** Whatever begins within this time ends, and is stored, before its claim runs out. */
const maxClaimAgeMs = 5_000;

/** Called with what happens; never gets the URL of a webhook. */
export interface DeliveryObserver {
  readonly observeAttempt: (endpointId: string, result: SendResult, hasSucceeded: boolean) => void;
  readonly observeDead: (endpointId: string) => void;
  readonly observeDisabled: (endpointId: string, reason: DisabledReason) => void;
  readonly observeUnreadable: (endpointId: string) => void;
}

export interface SendingDeps extends DescriptionDeps {
  /** Not on the connection that claims, which a transaction may take for seconds. */
  readonly findRevision: DeliveryStore["findRevision"];
  readonly sealer: SecretSealer;
  readonly sender: Pick<HttpWebhookSender, "send">;
  /** Deliveries that are being sent, or may be by a claim that is being made, of all shards. */
  readonly running: Set<RunningDelivery>;
  readonly clock: Clock;
  readonly monotonic: MonotonicClock;
  readonly observe: DeliveryObserver;
}

/** When a delivery is sent, and what it may rely on. */
interface ClaimAge {
  readonly claimedAt: number;
  /** Whether it is the first of those that are sent one after the other. */
  readonly isFirst: boolean;
}

export class ClaimSender {
  readonly #deps: SendingDeps;
  readonly #stopping: AbortSignal;
  readonly #aborting: AbortSignal;

  /** @param stopping nothing more begins. @param aborting what is being sent ends */
  constructor(deps: SendingDeps, stopping: AbortSignal, aborting: AbortSignal) {
    this.#deps = deps;
    this.#stopping = stopping;
    this.#aborting = aborting;
  }

  /**
   * Sends deliveries in their order, so many at a time, and one of each resource, such as a session. After a failure nothing more
   * begins. Never rejects.
   */
  async sendAll(claim: Claim, claimedAt: number): Promise<readonly SentDelivery[]> {
    const { running, sealer } = this.#deps;
    const secrets = sealer.openAll(claim.secrets);
    const queue = [...claim.deliveries];
    const resources = new Set<string>();
    const results: SentDelivery[] = [];
    const sendInTurn = async (connection: RunningDelivery) => {
      for (let isFirst = true; ; isFirst = false) {
        const index = queue.findIndex(({ event }) => !resources.has(event.resourceId));
        const [delivery] = index < 0 ? [] : queue.splice(index, 1);
        if (delivery === undefined) break;
        const { resourceId } = delivery.event;
        resources.add(resourceId);
        const one = await this.#send(claim, delivery, secrets, { claimedAt, isFirst });
        resources.delete(resourceId);
        if (one !== undefined) results.push(one);
        if (one === undefined || !hasSucceeded(one.result)) queue.length = 0;
      }
      running.delete(connection);
    };
    const connections = repeatDelivery(claim.endpoint, claim.concurrency);
    for (const connection of connections) running.add(connection);
    await Promise.all(connections.map(sendInTurn));
    return results;
  }

  /** Undefined: it may not begin any more. Never rejects. */
  async #send(
    { endpoint }: Claim,
    delivery: ClaimedDelivery,
    secrets: readonly KeyObject[],
    age: ClaimAge,
  ): Promise<SentDelivery | undefined> {
    const { observe, reportDefect, clock } = this.#deps;
    const at = new Date(clock());
    const result = await this.#post(endpoint, delivery, secrets, at, age).catch((error: unknown) => {
      if (this.#aborting.aborted) return createUnsentResult("stopped");
      if (isUnavailable(error)) return createUnsentResult("unavailable");
      reportDefect(error, "delivering webhooks");
      return createUnsentResult("undescribable");
    });
    if (result === undefined) return undefined;
    try {
      if (result.error === "secret_unreadable") observe.observeUnreadable(endpoint.id);
      else if (isAttempt(result)) observe.observeAttempt(endpoint.id, result, hasSucceeded(result));
    } catch (error) {
      reportDefect(error, "counting deliveries of webhooks");
    }
    return { delivery, at, result };
  }

  async #post(
    endpoint: Endpoint,
    { event }: ClaimedDelivery,
    secrets: readonly KeyObject[],
    at: Date,
    age: ClaimAge,
  ): Promise<SendResult | undefined> {
    const { sender } = this.#deps;
    if (secrets.length === 0) return createUnsentResult("secret_unreadable");
    const signal = this.#aborting;
    const [description] = await describeEvents(this.#deps, [event], endpoint, signal);
    if (description === undefined || !(await this.#mayBegin(endpoint, age))) return undefined;
    const body = JSON.stringify(eventJson(description));
    return sender.send({ url: endpoint.url, id: description.id, body, secrets, sentAt: at }, signal);
  }

  /**
   * Whether no change of the endpoint can have been made for longer than `changeKnownMs`. If the claim is older, a first
   * delivery looks: with a slow database nothing would ever begin.
   */
  async #mayBegin(endpoint: Endpoint, { claimedAt, isFirst }: ClaimAge): Promise<boolean> {
    const { findRevision, monotonic } = this.#deps;
    const now = monotonic();
    if (now - claimedAt < changeKnownMs) return !this.#stopping.aborted;
    if (this.#stopping.aborted || !isFirst || now - claimedAt > maxClaimAgeMs) return false;
    const revision = await findRevision(endpoint, this.#aborting);
    return revision === endpoint.revision && monotonic() - now < changeKnownMs && !this.#stopping.aborted;
  }
}

/** Whether the database did not answer, which is neither the endpoint's fault nor the event's. */
function isUnavailable(error: unknown): boolean {
  return error instanceof Refusal && (error.code === "unavailable" || error.code === "deadline_exceeded");
}
