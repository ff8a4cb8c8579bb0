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
import type { Settled } from "../store/webhooks/settle-and-claim.ts";
import type { HttpWebhookSender } from "./sending/sender.ts";
import { allocateConnections, type RunningDelivery } from "./shares.ts";

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
/** Whatever begins within this time ends, and is stored, before its claim runs out. */
const maxClaimAgeMs = 5_000;
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
  /** Not on the connection of `deliveries`, which a transaction may take for seconds. */
  readonly findRevision: DeliveryStore["findRevision"];
  readonly sealer: SecretSealer;
  readonly sender: Pick<HttpWebhookSender, "send">;
  /** Deliveries that are being sent, or may be by a claim that is being made, of all shards. */
  readonly running: Set<RunningDelivery>;
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

/** What to do for an endpoint; its room is reserved until the claim is made. */
interface DueWork extends EndpointWork {
  readonly endpoint: DueEndpoint;
}

/** When a delivery is sent, and what it may rely on. */
interface Turn {
  readonly claimedAt: number;
  /** Whether it is the first of those that are sent one after the other. */
  readonly isFirst: boolean;
}

export class Deliverer {
  readonly #deps: DelivererDeps;
  readonly #end = new AbortController();
  /** Claims of which something is being sent, by endpoint: at most as many as the limit of concurrent deliveries. */
  readonly #sending = new Map<string, Promise<void>>();
  /** Claims that nothing more is sent of, until they are settled, by endpoint: none is in `#sending`. */
  readonly #ended = new Map<string, EndedClaim>();
  /** Endpoints that were due when they were read, or to which more may be sent: it is checked again when they are locked. */
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
      const isOver = monotonic() >= endsAt;
      if (isOver) this.#end.abort();
      const [sendingCount, endedCount] = [this.#sending.size, this.#ended.size];
      const isStored = await this.#settleAndClaim().then(
        () => true,
        () => false,
      );
      if (this.#sending.size === 0 && this.#ended.size === 0) return;
      const isStuck = sendingCount === 0 && this.#ended.size === endedCount;
      // Without a database, and while others have locked their endpoints, the claims expire.
      if (isOver && (isStuck || !isStored)) return;
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
    // Endpoints that another transaction has locked: they are tried again in the next run, and not before.
    const busy = new Set<string>();
    do {
      // Claims that end meanwhile are settled together.
      await pause(gatherMs);
      const work = this.#nextWork(busy);
      if (work.length === 0) return;
      for (const id of await this.#settle(work)) busy.add(id);
    } while (monotonic() < endsAt);
  }

  /** Settles claims, and claims more of endpoints to which more may be sent. Without room a claim is only settled. */
  #nextWork(busy: ReadonlySet<string>): DueWork[] {
    const { running, concurrency } = this.#deps;
    const endedOnes = [...this.#ended.values()].map(({ claim }) => claim.endpoint);
    const candidates = new Map([...endedOnes, ...this.#due].map((each): [string, DueEndpoint] => [each.id, each]));
    const free = [...candidates.values()].filter(({ id }) => !busy.has(id) && !this.#sending.has(id));
    const rooms = this.#isStopped ? new Map() : allocateConnections(free, running, concurrency);
    const work = free.map((endpoint): DueWork => {
      return { endpoint, endedClaim: this.#ended.get(endpoint.id), room: rooms.get(endpoint.id) ?? 0 };
    });
    return work.filter(({ endedClaim, room }) => endedClaim !== undefined || room > 0).slice(0, this.#batchSize);
  }

  /** @returns ids of endpoints that another process has locked */
  async #settle(work: readonly DueWork[]): Promise<ReadonlySet<string>> {
    const { deliveries, running, clock, monotonic, isTrusted, random, observe } = this.#deps;
    const startedAt = monotonic();
    const context = { now: clock(), isTrusted: isTrusted(), monotonic, random };
    const signal = AbortSignal.timeout(settleTimeoutMs);
    // Other shards allocate meanwhile.
    const reserved = work.flatMap(({ endpoint, room }) => runningDeliveries(endpoint, room));
    for (const each of reserved) running.add(each);
    let outcome: Settled;
    try {
      outcome = await deliveries.settleAndClaim(work, context, signal);
    } finally {
      for (const each of reserved) running.delete(each);
      const tookMs = monotonic() - startedAt;
      if (tookMs > slowMs) this.#batchSize = Math.ceil(this.#batchSize / 2);
      if (tookMs < quickMs) this.#batchSize = Math.min(maxBatchSize, 2 * this.#batchSize);
    }
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
    const { running, sealer } = this.#deps;
    const secrets = sealer.openAll(claim.secrets);
    const queue = [...claim.deliveries];
    const resources = new Set<string>();
    const results: SentDelivery[] = [];
    const takeTurns = async (place: RunningDelivery) => {
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
      running.delete(place);
    };
    const places = runningDeliveries(claim.endpoint, claim.concurrency);
    for (const place of places) running.add(place);
    await Promise.all(places.map(takeTurns));
    return results;
  }

  /** Undefined: it may not begin any more. Never rejects. */
  async #send(
    { endpoint }: Claim,
    delivery: ClaimedDelivery,
    secrets: readonly KeyObject[],
    turn: Turn,
  ): Promise<SentDelivery | undefined> {
    const { observe, reportDefect, clock } = this.#deps;
    const at = new Date(clock());
    const result = await this.#post(endpoint, delivery, secrets, at, turn).catch((error: unknown) => {
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
    endpoint: Endpoint,
    { event }: ClaimedDelivery,
    secrets: readonly KeyObject[],
    at: Date,
    turn: Turn,
  ): Promise<SendResult | undefined> {
    const { sender } = this.#deps;
    const { url, includeExternalId } = endpoint;
    if (secrets.length === 0) return notSent("secret_unreadable");
    const { signal } = this.#end;
    const [description] = await describeEvents(this.#deps, [event], includeExternalId, signal);
    if (description === undefined || !(await this.#mayBegin(endpoint, turn))) return undefined;
    const body = JSON.stringify(eventJson(description));
    return sender.send({ url, id: description.id, body, secrets, sentAt: at }, signal);
  }

  /**
   * Whether no change of the endpoint can have been made for longer than `changeKnownMs`. If the claim is older, a first
   * delivery looks: with a slow database nothing would ever begin.
   */
  async #mayBegin(endpoint: Endpoint, { claimedAt, isFirst }: Turn): Promise<boolean> {
    const { findRevision, monotonic } = this.#deps;
    const now = monotonic();
    if (now - claimedAt < changeKnownMs) return !this.#isStopped;
    if (this.#isStopped || !isFirst || now - claimedAt > maxClaimAgeMs) return false;
    const revision = await findRevision(endpoint, this.#end.signal);
    return revision === endpoint.revision && monotonic() - now < changeKnownMs && !this.#isStopped;
  }
}

/** So many deliveries of an endpoint. */
function runningDeliveries({ id, partnerId, answering }: RunningDelivery, count: number): RunningDelivery[] {
  return Array.from({ length: count }, () => ({ id, partnerId, answering }));
}

/** Whether the database did not answer, which is neither the endpoint's fault nor the event's. */
function isUnavailable(error: unknown): boolean {
  return error instanceof Refusal && (error.code === "unavailable" || error.code === "deadline_exceeded");
}
