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
import { type DescriptionDeps, describeEvents, writeEvent } from "../services/events/described-events.ts";
import type { Stores } from "../store/stores.ts";
import type { HttpWebhookSender } from "./sending/sender.ts";

/** No delivery begins later, so that others get the connections, and results are stored long before the claim runs out. */
const maxSendingMs = 3_000;

/** Called with what happens; never gets the URL of a webhook. */
export interface DeliveryObserver {
  readonly observeAttempt: (endpointId: string, result: SendResult, hasSucceeded: boolean) => void;
  readonly observeDead: (endpointId: string) => void;
  readonly observeDisabled: (endpointId: string, reason: DisabledReason) => void;
  readonly observeUnreadable: (endpointId: string) => void;
}

export interface SendingDeps extends DescriptionDeps {
  /** On another connection than claims, whose transactions may take seconds. */
  readonly webhooks: Pick<Stores["webhooks"], "findEndpoint">;
  readonly sealer: SecretSealer;
  readonly sender: Pick<HttpWebhookSender, "send">;
  readonly clock: Clock;
  readonly monotonic: MonotonicClock;
  readonly observe: DeliveryObserver;
}

/** A claim that is being sent. */
interface SentClaim {
  readonly endpoint: Endpoint;
  readonly secrets: readonly KeyObject[];
  /** When its deliveries began. */
  readonly startedAt: number;
  /** When the endpoint was read last. */
  readAt: number;
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
   * Sends deliveries in their order, at most `concurrency` at a time, and one of a resource, such as a session. After a failure
   * nothing more begins. Never rejects.
   * @param readAt when the endpoint was read, by the monotonic clock. @param freeConnection called for each that it needs no more
   */
  async sendAll(claim: Claim, readAt: number, freeConnection: () => void): Promise<readonly SentDelivery[]> {
    const { endpoint, concurrency } = claim;
    const { sealer, monotonic } = this.#deps;
    const sentClaim = { endpoint, secrets: sealer.openAll(claim.secrets), startedAt: monotonic(), readAt };
    const queue = [...claim.deliveries];
    const resources = new Set<string>();
    const results: SentDelivery[] = [];
    const sendInTurn = async () => {
      for (;;) {
        const index = queue.findIndex(({ event }) => !resources.has(event.resourceId));
        const [delivery] = index < 0 ? [] : queue.splice(index, 1);
        if (delivery === undefined) return;
        const { resourceId } = delivery.event;
        resources.add(resourceId);
        const sentDelivery = await this.#send(sentClaim, delivery);
        resources.delete(resourceId);
        if (sentDelivery !== undefined) results.push(sentDelivery);
        if (sentDelivery === undefined || !hasSucceeded(sentDelivery.result)) queue.length = 0;
      }
    };
    await Promise.all(Array.from({ length: concurrency }, () => sendInTurn().then(freeConnection)));
    return results;
  }

  /** Undefined: it may not begin any more. Never rejects. */
  async #send(claim: SentClaim, delivery: ClaimedDelivery): Promise<SentDelivery | undefined> {
    const { observe, reportDefect, clock } = this.#deps;
    const { id } = claim.endpoint;
    const at = new Date(clock());
    const result = await this.#post(claim, delivery, at).catch((error: unknown) => {
      if (this.#aborting.aborted) return createUnsentResult("stopped");
      if (isUnavailable(error)) return createUnsentResult("unavailable");
      reportDefect(error, "delivering webhooks");
      return createUnsentResult("undescribable");
    });
    if (result === undefined) return undefined;
    try {
      if (result.error === "secret_unreadable") observe.observeUnreadable(id);
      else if (isAttempt(result)) observe.observeAttempt(id, result, hasSucceeded(result));
    } catch (error) {
      reportDefect(error, "counting deliveries of webhooks");
    }
    return { delivery, at, result };
  }

  async #post(claim: SentClaim, { event }: ClaimedDelivery, sentAt: Date): Promise<SendResult | undefined> {
    const { endpoint, secrets } = claim;
    const signal = this.#aborting;
    if (secrets.length === 0) return createUnsentResult("secret_unreadable");
    const [description] = await describeEvents(this.#deps, [event], endpoint, signal);
    if (description === undefined || !(await this.#mayBegin(claim))) return undefined;
    const body = JSON.stringify(writeEvent(description));
    return this.#deps.sender.send({ url: endpoint.url, id: description.id, body, secrets, sentAt }, signal);
  }

  /** Whether the endpoint is what it was less than `changeKnownMs` ago: it is read again if that is not known. */
  async #mayBegin(claim: SentClaim): Promise<boolean> {
    const { webhooks, monotonic } = this.#deps;
    const { id, partnerId, revision } = claim.endpoint;
    const now = monotonic();
    if (now - claim.startedAt > maxSendingMs || this.#stopping.aborted) return false;
    if (now - claim.readAt >= changeKnownMs) {
      const endpoint = await webhooks.findEndpoint(partnerId, id, this.#aborting);
      if (endpoint?.revision !== revision || monotonic() - now >= changeKnownMs) return false;
      claim.readAt = now;
    }
    return !this.#stopping.aborted;
  }
}

/** Whether the database did not answer, which is neither the endpoint's fault nor the event's. */
function isUnavailable(error: unknown): boolean {
  return error instanceof Refusal && (error.code === "unavailable" || error.code === "deadline_exceeded");
}
