// The deliverer of a process: claims due deliveries, sends them, and stores the results.
import type { KeyObject } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import {
  type Claim,
  type ClaimedDelivery,
  type DueEndpoint,
  type EndpointWork,
  hasSucceeded,
  isAttempt,
  notSent,
  type SendResult,
  type SentDelivery,
} from "../domain/webhooks/deliveries.ts";
import { changeKnownMs, type DisabledReason } from "../domain/webhooks/endpoint.ts";
import type { SecretSealer } from "../domain/webhooks/sealed-secrets.ts";
import type { Clock, MonotonicClock, RandomBytes, ReportDefect } from "../kernel/environment.ts";
import { Refusal } from "../kernel/errors/refusal.ts";
import { type DescriptionDeps, describeEvents, eventJson } from "../services/events/described-events.ts";
import type { DeliveryStore } from "../store/webhooks/delivery-store.ts";

import type { HttpWebhookSender } from "./sending/sender.ts";
import { allocateConnections, type UnderWay } from "./shares.ts";

/** Endpoints per query, for each way of answering. */
const maxDue = 1_000;
/** Endpoints per transaction, at most. */
const maxBatchSize = 64;
/** Half as many are in the next transaction if one took so long, and twice as many after a quick one. */
const slowMs = 400;
const quickMs = 100;
const settleTimeoutMs = 5_000;
/** After this time another process may look for due deliveries. */
const maxSettlingMs = 1_000;
const stopPollMs = 50;
/** Pause before a transaction, so that it has more to store: each takes the process 2 ms, whatever is in it. */
const gatherMs = 20;

/** Called with what happens; never gets the URL of a webhook. */
export interface DeliveryObserver {
  readonly attempted: (endpointId: string, result: SendResult, hasSucceeded: boolean) => void;
  readonly died: (endpointId: string) => void;
  readonly disabled: (endpointId: string, reason: DisabledReason) => void;
  readonly unreadable: (endpointId: string) => void;
}

export interface DelivererDeps extends DescriptionDeps {
  readonly deliveries: Pick<DeliveryStore, "listDueEndpoints" | "settleAndClaim">;
  readonly sealer: SecretSealer;
  readonly sender: Pick<HttpWebhookSender, "send">;
  /** Deliveries that are being sent, of all shards. */
  readonly underWay: Set<UnderWay>;
  /** Most webhooks that are sent at a time. */
  readonly concurrency: number;
  readonly clock: Clock;
  readonly monotonic: MonotonicClock;
  /** Whether the clock is trusted. */
  readonly isTrusted: () => boolean;
  readonly random: RandomBytes;
  readonly observe: DeliveryObserver;
  readonly reportDefect: ReportDefect;
}

export class Deliverer {
  readonly #deps: DelivererDeps;
  readonly #end = new AbortController();
  /** The deliveries that are being sent. */
  readonly #sending = new Set<Promise<void>>();
  /** Results that are not stored yet: at most as many as the limit of concurrent deliveries. */
  #sent: SentDelivery[] = [];
  #due: readonly DueEndpoint[] = [];
  #batchSize = maxBatchSize;
  #isStopped = false;
  #settling: Promise<void> | undefined;

  constructor(deps: DelivererDeps) {
    this.#deps = deps;
  }

  /** Claims and sends due deliveries. Call it regularly. Throws what the store throws. */
  async run(signal: AbortSignal): Promise<void> {
    if (!this.#isStopped) this.#due = await this.#deps.deliveries.listDueEndpoints(maxDue, signal);
    await this.#settleAndClaim();
  }

  /** Claims nothing more, lets running requests end within the time, and stores their results. */
  async stop(timeoutMs: number): Promise<void> {
    const { monotonic } = this.#deps;
    this.#isStopped = true;
    const endsAt = monotonic() + timeoutMs;
    for (;;) {
      const isStored = await this.#settleAndClaim().then(
        () => true,
        () => false,
      );
      if (this.#sending.size === 0 && this.#sent.length === 0) return;
      if (monotonic() >= endsAt) this.#end.abort();
      // Without a database the claims expire.
      if (!isStored && monotonic() >= endsAt) return;
      await Promise.race([pause(stopPollMs), ...this.#sending]);
    }
  }

  /** One transaction at a time, with all results that have arrived by then. */
  #settleAndClaim(): Promise<void> {
    this.#settling ??= this.#settleAll().finally(() => {
      this.#settling = undefined;
    });
    return this.#settling;
  }

  async #settleAll(): Promise<void> {
    const { monotonic } = this.#deps;
    const endsAt = monotonic() + maxSettlingMs;
    const busy = new Set<string>();
    do {
      // Requests that end meanwhile are stored together.
      await pause(gatherMs);
      const work = this.#nextWork(busy);
      if (work.length === 0) return;
      for (const id of await this.#settle(work)) busy.add(id);
    } while (monotonic() < endsAt);
  }

  /** Stores results, and claims more for endpoints that may send more. */
  #nextWork(busy: ReadonlySet<string>): EndpointWork[] {
    const { underWay, concurrency } = this.#deps;
    const sentOf = Map.groupBy(this.#sent, ({ claim }) => claim.endpoint.id);
    const again = [...sentOf.values()].flatMap((deliveries) => deliveries.slice(-1).map(afterSending));
    const candidates = [...new Map([...again, ...this.#due].map((each) => [each.id, each])).values()];
    const free = candidates.filter(({ id }) => !busy.has(id));
    const rooms = this.#isStopped ? new Map() : allocateConnections(free, underWay, concurrency);
    const work = free.flatMap((endpoint): EndpointWork[] => {
      const [sentDeliveries = [], room = 0] = [sentOf.get(endpoint.id), rooms.get(endpoint.id)];
      return sentDeliveries.length === 0 && room === 0 ? [] : [{ endpoint, sentDeliveries, room }];
    });
    return work.slice(0, this.#batchSize);
  }

  /** @returns ids of endpoints that another process has locked */
  async #settle(work: readonly EndpointWork[]): Promise<ReadonlySet<string>> {
    const { deliveries, clock, monotonic, isTrusted, random, observe } = this.#deps;
    const startedAt = monotonic();
    const context = { now: clock(), isTrusted: isTrusted(), monotonic, random };
    const signal = AbortSignal.timeout(settleTimeoutMs);
    const outcome = await deliveries.settleAndClaim(work, context, signal).finally(() => {
      const tookMs = monotonic() - startedAt;
      if (tookMs > slowMs) this.#batchSize = Math.ceil(this.#batchSize / 2);
      if (tookMs < quickMs) this.#batchSize = Math.min(maxBatchSize, 2 * this.#batchSize);
    });
    const { claims, claimedAt, more, busy, died, disabled } = outcome;
    const settledWork = work.filter(({ endpoint }) => !busy.has(endpoint.id));
    const storedDeliveries = new Set(settledWork.flatMap(({ sentDeliveries }) => sentDeliveries));
    this.#sent = this.#sent.filter((each) => !storedDeliveries.has(each));
    const workIds = new Set(work.map(({ endpoint }) => endpoint.id));
    this.#due = [...this.#due.filter(({ id }) => !workIds.has(id)), ...more];
    for (const endpointId of died) observe.died(endpointId);
    for (const { endpointId, reason } of disabled) observe.disabled(endpointId, reason);
    for (const claim of claims) this.#begin(claim, claimedAt);
    return busy;
  }

  #begin(claim: Claim, claimedAt: number): void {
    const { underWay } = this.#deps;
    const { id, partnerId, answering } = claim.endpoint;
    const secrets = this.#deps.sealer.openAll(claim.secrets);
    for (const delivery of claim.deliveries) {
      const place = { id, partnerId, answering };
      underWay.add(place);
      const sending = this.#send(claim, delivery, secrets, claimedAt).finally(() => {
        underWay.delete(place);
        this.#sending.delete(sending);
        // A later run reports trouble with the store.
        void this.#settleAndClaim().catch(() => undefined);
      });
      this.#sending.add(sending);
    }
  }

  /** Never rejects. */
  async #send(
    claim: Claim,
    delivery: ClaimedDelivery,
    secrets: readonly KeyObject[],
    claimedAt: number,
  ): Promise<void> {
    const { observe, reportDefect } = this.#deps;
    const at = new Date(this.#deps.clock());
    const result = await this.#post(claim, delivery, secrets, { at, claimedAt }).catch((error: unknown) => {
      if (this.#end.signal.aborted) return notSent("stopped");
      if (isUnavailable(error)) return notSent("unavailable");
      reportDefect(error, "delivering webhooks");
      return notSent("undescribable");
    });
    const { id } = claim.endpoint;
    if (result.error === "secret_unreadable") observe.unreadable(id);
    else if (isAttempt(result)) observe.attempted(id, result, hasSucceeded(result));
    this.#sent.push({ ...delivery, claim, at, result });
  }

  async #post(
    { endpoint }: Claim,
    { event }: ClaimedDelivery,
    secrets: readonly KeyObject[],
    { at, claimedAt }: { readonly at: Date; readonly claimedAt: number },
  ): Promise<SendResult> {
    const { sender, monotonic } = this.#deps;
    if (secrets.length === 0) return notSent("secret_unreadable");
    const { signal } = this.#end;
    const [description] = await describeEvents(this.#deps, [event], endpoint.includeExternalId, signal);
    // The endpoint may have been changed meanwhile, or the session erased.
    if (description === undefined || monotonic() - claimedAt >= changeKnownMs) return notSent("stopped");
    const body = JSON.stringify(eventJson(description));
    return sender.send({ url: endpoint.url, id: description.id, body, secrets, sentAt: at }, signal);
  }
}

/** Whether the database did not answer, which is neither the endpoint's fault nor the event's. */
function isUnavailable(error: unknown): boolean {
  return error instanceof Refusal && (error.code === "unavailable" || error.code === "deadline_exceeded");
}

/** The state of an endpoint, by the results of its deliveries. */
function afterSending({ claim: { endpoint }, result }: SentDelivery): DueEndpoint {
  const failures = hasSucceeded(result) ? 0 : endpoint.failures + 1;
  return { ...endpoint, failures, answering: result.status === null ? "no" : "yes" };
}
