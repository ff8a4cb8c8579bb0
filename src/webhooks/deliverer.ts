// The deliverer of a process. It claims endpoints that are due, so that no other process sends to them, and sends their deliveries.
// When those of a claim are sent, the next transaction stores the results, and claims more.
import { setTimeout as pause } from "node:timers/promises";
import type { Claim, DueEndpoint, EndedClaim, EndpointWork, SentDelivery } from "../domain/webhooks/deliveries.ts";
import { drawFraction, type RandomBytes } from "../kernel/environment.ts";
import type { DeliveryStore } from "../store/webhooks/delivery-store.ts";
import type { Settled } from "../store/webhooks/settle-and-claim.ts";
import { ClaimSender, type SendingDeps } from "./claim-sending.ts";
import { allocateConnections, type EndpointConnections } from "./shares.ts";

/** Endpoints per query. */
const maxDue = 1_000;
/** Endpoints per transaction. */
const batchSize = 32;
const settleTimeoutMs = 5_000;
/** The time in which transactions follow one another before due endpoints are listed again. */
const maxSettleMs = 1_000;
const stopPollMs = 50;
/** Pause before a transaction, so that it has more to store: each takes the process 2 ms, whatever is in it. */
const batchDelayMs = 20;

export interface DelivererDeps extends SendingDeps {
  readonly deliveries: Pick<DeliveryStore, "listDueEndpoints" | "settleAndClaim">;
  /** The connections that claims use, or have reserved, by the id of their endpoint: of all shards. */
  readonly usedConnections: Map<string, EndpointConnections>;
  /** Most webhooks that are sent at a time. */
  readonly concurrency: number;
  /** The reason why the clock is not trusted; undefined: it is. */
  readonly clockFault: () => string | undefined;
  readonly random: RandomBytes;
}

/** The work for an endpoint; its connections are reserved until the claim is made. */
interface DueWork extends EndpointWork {
  readonly endpoint: DueEndpoint;
}

export class Deliverer {
  readonly #deps: DelivererDeps;
  readonly #stopping = new AbortController();
  readonly #aborting = new AbortController();
  readonly #sender: ClaimSender;
  /** Claims that are being sent, by endpoint. */
  readonly #sendingClaims = new Map<string, Promise<void>>();
  /** Claims that were sent, until their results are stored, by endpoint. */
  readonly #endedClaims = new Map<string, EndedClaim>();
  /** Endpoints that were due when they were listed, or have more to send. The transaction that locks them checks it. */
  #dueEndpoints: readonly DueEndpoint[] = [];
  #settling: Promise<void> | undefined;

  constructor(deps: DelivererDeps) {
    this.#deps = deps;
    this.#sender = new ClaimSender(deps, this.#stopping.signal, this.#aborting.signal);
  }

  /** Claims and sends due deliveries. Call it regularly. Throws what the store throws. */
  async run(signal: AbortSignal): Promise<void> {
    if (!this.#stopping.signal.aborted)
      this.#dueEndpoints = await this.#deps.deliveries.listDueEndpoints(maxDue, signal);
    await this.#settleAndClaim();
  }

  /** Claims nothing more, lets running requests end within the time, and stores their results. */
  async stop(timeoutMs: number): Promise<void> {
    this.#stopping.abort();
    const timer = setTimeout(() => this.#aborting.abort(), timeoutMs);
    for (;;) {
      const [sendingCount, endedCount] = [this.#sendingClaims.size, this.#endedClaims.size];
      await this.#settleAndClaim().catch(() => undefined);
      if (this.#sendingClaims.size === 0 && this.#endedClaims.size === 0) break;
      // Without a database, and while others have locked their endpoints, the claims expire.
      const isStuck = sendingCount === 0 && this.#endedClaims.size === endedCount;
      if (isStuck && this.#aborting.signal.aborted) break;
      await Promise.race([pause(stopPollMs), ...this.#sendingClaims.values()]);
    }
    clearTimeout(timer);
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
    const endsAt = monotonic() + maxSettleMs;
    // Endpoints that another transaction has locked: they are tried again in the next run, and not before.
    const lockedIds = new Set<string>();
    do {
      // Claims that end meanwhile are settled together.
      await pause(batchDelayMs);
      const work = this.#chooseWork(lockedIds);
      if (work.length === 0) return;
      for (const id of await this.#settle(work)) lockedIds.add(id);
    } while (monotonic() < endsAt);
  }

  /** Claims to settle, and endpoints to which more may be sent. Without connections a claim is only settled. */
  #chooseWork(lockedIds: ReadonlySet<string>): DueWork[] {
    const { usedConnections, concurrency } = this.#deps;
    const endedEndpoints = [...this.#endedClaims.values()].map(({ claim }) => claim.endpoint);
    const candidates = new Map(
      [...endedEndpoints, ...this.#dueEndpoints].map((each): [string, DueEndpoint] => [each.id, each]),
    );
    const free = [...candidates.values()].filter(({ id }) => !lockedIds.has(id) && !this.#sendingClaims.has(id));
    // An endpoint that did not answer gets connections in the next transaction, once that is stored.
    const answered = free.filter(({ id }) => this.#endedClaims.get(id)?.results.every(wasAnswered) !== false);
    const allocation = this.#stopping.signal.aborted
      ? new Map<string, number>()
      : allocateConnections(answered, usedConnections.values(), concurrency);
    const work = free.map((endpoint): DueWork => {
      const { id } = endpoint;
      return { endpoint, endedClaim: this.#endedClaims.get(id), connections: allocation.get(id) ?? 0 };
    });
    return work
      .filter(({ endedClaim, connections }) => endedClaim !== undefined || connections > 0)
      .slice(0, batchSize);
  }

  /** @returns ids of endpoints that another process has locked */
  async #settle(work: readonly DueWork[]): Promise<ReadonlySet<string>> {
    const { deliveries, usedConnections, clock, monotonic, clockFault, random, observe } = this.#deps;
    const isTrusted = clockFault() === undefined;
    const context = { now: clock(), isTrusted, drawFraction: () => drawFraction(random) };
    // Later changes of the endpoints may not be known.
    const readAt = monotonic();
    const signal = AbortSignal.timeout(settleTimeoutMs);
    // Other shards allocate meanwhile.
    for (const { endpoint, connections } of work) usedConnections.set(endpoint.id, { ...endpoint, connections });
    let outcome: Settled;
    try {
      outcome = await deliveries.settleAndClaim(work, context, signal);
    } finally {
      for (const { endpoint } of work) usedConnections.delete(endpoint.id);
    }
    const { claims, dueEndpoints, lockedIds, deadEndpointIds, disabled } = outcome;
    for (const { endpoint } of work) if (!lockedIds.has(endpoint.id)) this.#endedClaims.delete(endpoint.id);
    const workIds = new Set(work.map(({ endpoint }) => endpoint.id));
    this.#dueEndpoints = [...this.#dueEndpoints.filter(({ id }) => !workIds.has(id)), ...dueEndpoints];
    for (const claim of claims) this.#begin(claim, readAt);
    for (const endpointId of deadEndpointIds) observe.observeDead(endpointId);
    for (const { endpointId, reason } of disabled) observe.observeDisabled(endpointId, reason);
    return lockedIds;
  }

  #begin(claim: Claim, readAt: number): void {
    const { id } = claim.endpoint;
    const claimConnections = { ...claim.endpoint, connections: claim.concurrency };
    this.#deps.usedConnections.set(id, claimConnections);
    const freeConnection = () => {
      claimConnections.connections -= 1;
    };
    const sending = this.#sender.sendAll(claim, readAt, freeConnection).then((results) => {
      this.#endedClaims.set(id, { claim, results });
      this.#sendingClaims.delete(id);
      this.#deps.usedConnections.delete(id);
      // A later run reports trouble with the store.
      void this.#settleAndClaim().catch(() => undefined);
    });
    this.#sendingClaims.set(id, sending);
  }
}

function wasAnswered({ result: { status } }: SentDelivery): boolean {
  return status !== null;
}
