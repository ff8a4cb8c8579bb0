// Limits how many calls, exports or reports run at a time. A slot cannot be reclaimed, so each partner has a limited number.
// Callers without a slot wait in a queue; partners take turns, and so do the clients of each. If the queue is full, the
// partner with the most callers in it loses one to a partner with fewer (longest queue drop).
import type { Caller } from "../kernel/calls/caller.ts";

export interface SemaphoreLimits {
  /** Slots of all partners together. */
  readonly slots: number;
  readonly slotsPerPartner: number;
  /** By default as many as its partner has. */
  readonly slotsPerClient?: number;
  /** Most callers in the queue, of all partners together; by default none. */
  readonly queue?: number;
  /** By default as many. */
  readonly queuePerPartner?: number;
  /** Longest wait in the queue in milliseconds; by default unlimited. */
  readonly waitMs?: number;
}

/**
 * Why a caller got no slot: `share`, its partner or client has too many calls; `full`, others have; `waited`, none became
 * free in time.
 */
export type NoSlot = "share" | "full" | "waited";

/** What a partner, or a client of one, has. */
interface Usage {
  slots: number;
  waiting: number;
  /** The turn in which it last got a slot from the queue, or came. */
  turn: number;
}

interface CallerUsage {
  readonly caller: Caller;
  readonly partner: Usage;
  readonly client: Usage;
}

interface Waiter extends CallerUsage {
  /** Whether it had a slot before: then it is not displaced. */
  readonly isReturning: boolean;
  begin(): void;
  reject(reason: NoSlot): void;
}

export class Semaphore {
  readonly #limits: Required<SemaphoreLimits>;
  readonly #toError: (reason: NoSlot) => Error;
  /** Partners and clients with slots or waiters. */
  readonly #partners = new Map<string, Usage>();
  readonly #clients = new Map<string, Usage>();
  /** In order of arrival. */
  readonly #queue = new Set<Waiter>();
  #running = 0;
  #turn = 0;

  /** @param toError makes the error for a caller who gets no slot */
  constructor(limits: SemaphoreLimits, toError: (reason: NoSlot) => Error) {
    const { slotsPerPartner: slotsPerClient, queue = 0 } = limits;
    const defaults = { slotsPerClient, queue, queuePerPartner: queue, waitMs: Number.POSITIVE_INFINITY };
    this.#limits = { ...defaults, ...limits };
    this.#toError = toError;
  }

  /** Slots in use, and callers in the queue. */
  get state(): { readonly running: number; readonly waiting: number } {
    return { running: this.#running, waiting: this.#queue.size };
  }

  /** Throws what `acquire` would throw now. */
  check(caller: Caller): void {
    const usage = this.#findUsage(caller);
    if (!this.#hasSlotFor(usage)) this.#findDisplaced(usage);
  }

  /**
   * Acquires a slot, now or when one is free, until it is disposed of.
   * Throws or rejects with the error of the semaphore, or with the signal's reason if it aborts first.
   */
  acquire(caller: Caller, signal?: AbortSignal): Disposable | Promise<Disposable> {
    signal?.throwIfAborted();
    const usage = this.#findUsage(caller);
    if (this.#hasSlotFor(usage)) return this.#begin(usage);
    this.#findDisplaced(usage)?.reject("share");
    return this.#wait(usage, signal, false);
  }

  /** Acquires a slot again for a caller who had one, and waits as long as it takes. */
  reacquire(caller: Caller, signal: AbortSignal): Disposable | Promise<Disposable> {
    signal.throwIfAborted();
    const usage = this.#findUsage(caller);
    return this.#hasSlotFor(usage) ? this.#begin(usage) : this.#wait(usage, signal, true);
  }

  /** Runs work in a slot. Rejects as `acquire` does, and as the work does. */
  async run<T>(caller: Caller, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    using _slot = await this.acquire(caller, signal);
    return await work();
  }

  #findUsage(caller: Caller): CallerUsage {
    const partner = this.#partners.get(caller.partner) ?? { slots: 0, waiting: 0, turn: this.#turn };
    const client = this.#clients.get(caller.client) ?? { slots: 0, waiting: 0, turn: this.#turn };
    return { caller, partner, client };
  }

  #hasSlotFor(usage: CallerUsage): boolean {
    return this.#running < this.#limits.slots && this.#isBelowShare(usage);
  }

  #isBelowShare({ partner, client }: CallerUsage): boolean {
    return partner.slots < this.#limits.slotsPerPartner && client.slots < this.#limits.slotsPerClient;
  }

  /**
   * Finds the waiter that loses its place in the queue to the caller: the newest of the client with the most waiters, of the
   * partner with the most. Undefined if the queue has room. Throws if no waiter's partner or client has more than the caller's.
   */
  #findDisplaced(usage: CallerUsage): Waiter | undefined {
    const { queue, queuePerPartner } = this.#limits;
    const isOwnFull = usage.partner.waiting >= queuePerPartner;
    if (!isOwnFull && this.#queue.size < queue) return undefined;
    let displaced: Waiter | undefined;
    for (const waiter of this.#queue) {
      const hasMore =
        waiter.partner === usage.partner
          ? waiter.client.waiting > usage.client.waiting + 1
          : !isOwnFull && waiter.partner.waiting > usage.partner.waiting + 1;
      if (hasMore && !waiter.isReturning && (displaced === undefined || compareWaiting(waiter, displaced) >= 0))
        displaced = waiter;
    }
    if (displaced === undefined) throw this.#toError(this.#isBelowShare(usage) ? "full" : "share");
    return displaced;
  }

  #begin(usage: CallerUsage): Disposable {
    this.#running += 1;
    this.#count(usage, "slots", 1);
    let isOver = false;
    return {
      [Symbol.dispose]: () => {
        if (isOver) return;
        isOver = true;
        this.#running -= 1;
        this.#count(usage, "slots", -1);
        if (this.#queue.size > 0) this.#beginNext();
      },
    };
  }

  #wait(usage: CallerUsage, signal: AbortSignal | undefined, isReturning: boolean): Promise<Disposable> {
    const { waitMs } = this.#limits;
    return new Promise<Disposable>((resolve, reject) => {
      const leaveQueue = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        this.#queue.delete(waiter);
        this.#count(usage, "waiting", -1);
      };
      const fail = (error: unknown) => {
        leaveQueue();
        reject(error);
      };
      const onAbort = () => fail(signal?.reason);
      const waiter: Waiter = {
        ...usage,
        isReturning,
        begin: () => {
          const slot = this.#begin(usage);
          leaveQueue();
          resolve(slot);
        },
        reject: (reason) => fail(this.#toError(reason)),
      };
      const timer =
        Number.isFinite(waitMs) && !isReturning ? setTimeout(() => waiter.reject("waited"), waitMs) : undefined;
      this.#queue.add(waiter);
      this.#count(usage, "waiting", 1);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** Gives a free slot to the partner whose last turn is the longest ago, and of its clients to that one. */
  #beginNext(): void {
    let next: Waiter | undefined;
    for (const waiter of this.#queue) {
      if (this.#hasSlotFor(waiter) && (next === undefined || compareTurns(waiter, next) < 0)) next = waiter;
    }
    if (next === undefined) return;
    this.#turn += 1;
    next.partner.turn = this.#turn;
    next.client.turn = this.#turn;
    next.begin();
  }

  #count({ caller, partner, client }: CallerUsage, kind: "slots" | "waiting", change: 1 | -1): void {
    partner[kind] += change;
    client[kind] += change;
    keepUsed(this.#partners, caller.partner, partner);
    keepUsed(this.#clients, caller.client, client);
  }
}

function keepUsed(usages: Map<string, Usage>, name: string, usage: Usage): void {
  if (usage.slots === 0 && usage.waiting === 0) usages.delete(name);
  else usages.set(name, usage);
}

function compareTurns(a: CallerUsage, b: CallerUsage): number {
  return a.partner.turn - b.partner.turn || a.client.turn - b.client.turn;
}

function compareWaiting(a: CallerUsage, b: CallerUsage): number {
  return a.partner.waiting - b.partner.waiting || a.client.waiting - b.client.waiting;
}
