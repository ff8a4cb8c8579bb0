// The deliverer of a process: claims due deliveries, sends them, and stores the results.
import type { KeyObject } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import {
  type Claim,
  type ClaimedDelivery,
  type DueEndpoint,
  type EndedClaim,
  type EndpointWork,
  hasSucceeded,
  isAttempt,
  notSent,
  type SendResult,
  type SentDelivery,
} from "../domain/webhooks/deliveries.ts";
import { changeKnownMs, type DisabledReason, type Endpoint } from "../domain/webhooks/endpoint.ts";
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
  /** Claims of which something is being sent, by endpoint: at most as many as the limit of concurrent deliveries. */
  readonly #sending = new Map<string, Promise<void>>();
  /** Claims that are not settled yet, by endpoint. */
  readonly #ended = new Map<string, EndedClaim>();
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
      if (this.#sending.size === 0 && this.#ended.size === 0) return;
      if (monotonic() >= endsAt) this.#end.abort();
      // Without a database the claims expire.
      if (!isStored && monotonic() >= endsAt) return;
      await Promise.race([pause(stopPollMs), ...this.#sending.values()]);
    }
  }

  /** One transaction at a time, with all claims that have ended by then. */
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
      // Claims that end meanwhile are settled together.
      await pause(gatherMs);
      const work = this.#nextWork(busy);
      if (work.length === 0) return;
      for (const id of await this.#settle(work)) busy.add(id);
    } while (monotonic() < endsAt);
  }

  /** Settles claims, and claims more of endpoints to which more may be sent. */
  #nextWork(busy: ReadonlySet<string>): EndpointWork[] {
    const { underWay, concurrency } = this.#deps;
    const endedOnes = [...this.#ended.values()].map(({ claim }) => claim.endpoint);
    const candidates = new Map([...endedOnes, ...this.#due].map((each): [string, DueEndpoint] => [each.id, each]));
    const free = [...candidates.values()].filter(({ id }) => !busy.has(id) && !this.#sending.has(id));
    const rooms = this.#isStopped ? new Map() : allocateConnections(free, underWay, concurrency);
    const work = free.map((endpoint): EndpointWork => {
      return { endpoint, endedClaim: this.#ended.get(endpoint.id), room: rooms.get(endpoint.id) ?? 0 };
    });
    return work.filter(({ endedClaim, room }) => endedClaim !== undefined || room > 0).slice(0, this.#batchSize);
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
    for (const { endpoint } of work) if (!busy.has(endpoint.id)) this.#ended.delete(endpoint.id);
    const workIds = new Set(work.map(({ endpoint }) => endpoint.id));
    this.#due = [...this.#due.filter(({ id }) => !workIds.has(id)), ...more];
    for (const endpointId of died) observe.died(endpointId);
    for (const { endpointId, reason } of disabled) observe.disabled(endpointId, reason);
    for (const claim of claims) this.#begin(claim, claimedAt);
    return busy;
  }

  #begin(claim: Claim, claimedAt: number): void {
    const { id } = claim.endpoint;
    const sending = this.#sendAll(claim, claimedAt).then((results) => {
      this.#ended.set(id, { claim, results });
      this.#sending.delete(id);
      // A later run reports trouble with the store.
      void this.#settleAndClaim().catch(() => undefined);
    });
    this.#sending.set(id, sending);
  }

  /**
   * Sends deliveries in their order, so many at a time, and one of each resource, such as a session. After a failure nothing more
   * begins. Never rejects.
   */
  async #sendAll(claim: Claim, claimedAt: number): Promise<readonly SentDelivery[]> {
    const { underWay, sealer } = this.#deps;
    const { id, partnerId, answering } = claim.endpoint;
    const secrets = sealer.openAll(claim.secrets);
    const queue = [...claim.deliveries];
    const resources = new Set<string>();
    const results: SentDelivery[] = [];
    const takeTurns = async (place: UnderWay) => {
      for (;;) {
        const index = queue.findIndex(({ event }) => !resources.has(event.resourceId));
        const [delivery] = index < 0 ? [] : queue.splice(index, 1);
        if (delivery === undefined) break;
        const { resourceId } = delivery.event;
        resources.add(resourceId);
        const one = await this.#send(claim, delivery, secrets, claimedAt);
        resources.delete(resourceId);
        if (one !== undefined) results.push(one);
        if (one === undefined || !hasSucceeded(one.result)) queue.length = 0;
      }
      underWay.delete(place);
    };
    const places = Array.from({ length: claim.concurrency }, () => ({ id, partnerId, answering }));
    for (const place of places) underWay.add(place);
    await Promise.all(places.map(takeTurns));
    return results;
  }

  /** Undefined: it may not begin any more. Never rejects. */
  async #send(
    { endpoint }: Claim,
    delivery: ClaimedDelivery,
    secrets: readonly KeyObject[],
    claimedAt: number,
  ): Promise<SentDelivery | undefined> {
    const { observe, reportDefect, clock } = this.#deps;
    const at = new Date(clock());
    const result = await this.#post(endpoint, delivery, secrets, { at, claimedAt }).catch((error: unknown) => {
      if (this.#end.signal.aborted) return notSent("stopped");
      if (isUnavailable(error)) return notSent("unavailable");
      reportDefect(error, "delivering webhooks");
      return notSent("undescribable");
    });
    if (result === undefined) return undefined;
    if (result.error === "secret_unreadable") observe.unreadable(endpoint.id);
    else if (isAttempt(result)) observe.attempted(endpoint.id, result, hasSucceeded(result));
    return { delivery, at, result };
  }

  async #post(
    { url, includeExternalId }: Endpoint,
    { event }: ClaimedDelivery,
    secrets: readonly KeyObject[],
    { at, claimedAt }: { readonly at: Date; readonly claimedAt: number },
  ): Promise<SendResult | undefined> {
    const { sender, monotonic } = this.#deps;
    if (secrets.length === 0) return notSent("secret_unreadable");
    const { signal } = this.#end;
    const [description] = await describeEvents(this.#deps, [event], includeExternalId, signal);
    // The endpoint may have been changed meanwhile.
    if (description === undefined || this.#isStopped || monotonic() - claimedAt >= changeKnownMs) return undefined;
    const body = JSON.stringify(eventJson(description));
    return sender.send({ url, id: description.id, body, secrets, sentAt: at }, signal);
  }
}

/** Whether the database did not answer, which is neither the endpoint's fault nor the event's. */
function isUnavailable(error: unknown): boolean {
  return error instanceof Refusal && (error.code === "unavailable" || error.code === "deadline_exceeded");
}
