// The deliverer of a process. An endpoint is due, then claimed: its deliveries are sent, and no other process sends any. Once none is
// sent any more, its claim has ended; the next transaction stores the results, and claims more.
import { setTimeout as pause } from "node:timers/promises";
import type { Claim, DueEndpoint, EndedClaim, EndpointWork } from "../domain/webhooks/deliveries.ts";
import type { RandomBytes } from "../kernel/environment.ts";
import type { DeliveryStore } from "../store/webhooks/delivery-store.ts";
import type { Settled } from "../store/webhooks/settle-and-claim.ts";
import { ClaimSender, type SendingDeps } from "./claim-sending.ts";
import { allocateConnections, repeatDelivery } from "./shares.ts";

/** Endpoints per query, for each way of answering. */
const maxDue = 1_000;
/** Endpoints per transaction. */
const batchSize = 32;
const settleTimeoutMs = 5_000;
/** After this time another process may look for due deliveries. */
const maxSettleMs = 1_000;
const stopPollMs = 50;
/** Pause before a transaction, so that it has more to store: each takes the process 2 ms, whatever is in it. */
const batchDelayMs = 20;

export interface DelivererDeps extends SendingDeps {
  readonly deliveries: Pick<DeliveryStore, "listDueEndpoints" | "settleAndClaim">;
  /** Most webhooks that are sent at a time. */
  readonly concurrency: number;
  /** Why the clock is not trusted; undefined: it is. */
  readonly clockFault: () => string | undefined;
  readonly random: RandomBytes;
}

/** What to do for an endpoint; its room is reserved until the claim is made. */
interface DueWork extends EndpointWork {
  readonly endpoint: DueEndpoint;
}

export class Deliverer {
  readonly #deps: DelivererDeps;
  readonly #stopping = new AbortController();
  readonly #aborting = new AbortController();
  readonly #sender: ClaimSender;
  /** Claims of which something is being sent, by endpoint: at most as many as the limit of concurrent deliveries. */
  readonly #sendingClaims = new Map<string, Promise<void>>();
  /** Claims that nothing more is sent of, until they are settled, by endpoint: none is in `#sendingClaims`. */
  readonly #endedClaims = new Map<string, EndedClaim>();
  /** Endpoints that were due when they were read, or to which more may be sent: it is checked again when they are locked. */
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
    const { monotonic } = this.#deps;
    this.#stopping.abort();
    const endsAt = monotonic() + timeoutMs;
    for (;;) {
      const hasTimedOut = monotonic() >= endsAt;
      if (hasTimedOut) this.#aborting.abort();
      const [sendingCount, endedCount] = [this.#sendingClaims.size, this.#endedClaims.size];
      const isStored = await this.#settleAndClaim().then(
        () => true,
        () => false,
      );
      if (this.#sendingClaims.size === 0 && this.#endedClaims.size === 0) return;
      const hasNoProgress = sendingCount === 0 && this.#endedClaims.size === endedCount;
      // Without a database, and while others have locked their endpoints, the claims expire.
      if (hasTimedOut && (hasNoProgress || !isStored)) return;
      await Promise.race([pause(stopPollMs), ...this.#sendingClaims.values()]);
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
    const endsAt = monotonic() + maxSettleMs;
    // Endpoints that another transaction has locked: they are tried again in the next run, and not before.
    const busy = new Set<string>();
    do {
      // Claims that end meanwhile are settled together.
      await pause(batchDelayMs);
      const work = this.#chooseWork(busy);
      if (work.length === 0) return;
      for (const id of await this.#settle(work)) busy.add(id);
    } while (monotonic() < endsAt);
  }

  /** Settles claims, and claims more of endpoints to which more may be sent. Without room a claim is only settled. */
  #chooseWork(busy: ReadonlySet<string>): DueWork[] {
    const { running, concurrency } = this.#deps;
    const endedEndpoints = [...this.#endedClaims.values()].map(({ claim }) => claim.endpoint);
    const candidates = new Map(
      [...endedEndpoints, ...this.#dueEndpoints].map((each): [string, DueEndpoint] => [each.id, each]),
    );
    const free = [...candidates.values()].filter(({ id }) => !busy.has(id) && !this.#sendingClaims.has(id));
    const rooms = this.#stopping.signal.aborted ? new Map() : allocateConnections(free, running, concurrency);
    const work = free.map((endpoint): DueWork => {
      return { endpoint, endedClaim: this.#endedClaims.get(endpoint.id), room: rooms.get(endpoint.id) ?? 0 };
    });
    return work.filter(({ endedClaim, room }) => endedClaim !== undefined || room > 0).slice(0, batchSize);
  }

  /** @returns ids of endpoints that another process has locked */
  async #settle(work: readonly DueWork[]): Promise<ReadonlySet<string>> {
    const { deliveries, running, clock, monotonic, clockFault, random, observe } = this.#deps;
    const context = { now: clock(), isTrusted: clockFault() === undefined, monotonic, random };
    const signal = AbortSignal.timeout(settleTimeoutMs);
    // Other shards allocate meanwhile.
    const reserved = work.flatMap(({ endpoint, room }) => repeatDelivery(endpoint, room));
    for (const each of reserved) running.add(each);
    let outcome: Settled;
    try {
      outcome = await deliveries.settleAndClaim(work, context, signal);
    } finally {
      for (const each of reserved) running.delete(each);
    }
    const { claims, claimedAt, more, busy, died, disabled } = outcome;
    for (const { endpoint } of work) if (!busy.has(endpoint.id)) this.#endedClaims.delete(endpoint.id);
    const workIds = new Set(work.map(({ endpoint }) => endpoint.id));
    this.#dueEndpoints = [...this.#dueEndpoints.filter(({ id }) => !workIds.has(id)), ...more];
    for (const claim of claims) this.#begin(claim, claimedAt);
    for (const endpointId of died) observe.observeDead(endpointId);
    for (const { endpointId, reason } of disabled) observe.observeDisabled(endpointId, reason);
    return busy;
  }

  #begin(claim: Claim, claimedAt: number): void {
    const { id } = claim.endpoint;
    const sending = this.#sender.sendAll(claim, claimedAt).then((results) => {
      this.#endedClaims.set(id, { claim, results });
      this.#sendingClaims.delete(id);
      // A later run reports trouble with the store.
      void this.#settleAndClaim().catch(() => undefined);
    });
    this.#sendingClaims.set(id, sending);
  }
}
