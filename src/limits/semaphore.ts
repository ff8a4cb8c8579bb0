// Limits how many calls, exports or reports run at a time. A slot cannot be reclaimed, so each partner has a limited number.
// Callers without a slot wait in a queue; partners take turns, and so do the clients of each. If the queue is full, the
// partner with the most callers in it loses one to a partner with fewer (longest queue drop).
import type { Caller } from "../kernel/calls/core.ts";

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
 * Why a caller got no slot.
 * - `share`: its partner or client has too many calls.
 * - `full`: others have.
 * - `waited`: none became free in time.
 */
export type NoSlot = "share" | "full" | "waited";

interface Waiter {
  /** Whether it had a slot before: then it is not displaced. */
  readonly isReturning: boolean;
  readonly begin: () => void;
  readonly fail: (error: unknown) => void;
}

interface Usage {
  slots: number;
  waiting: number;
}

interface Client extends Usage {
  /** In order of arrival. */
  readonly waiters: Set<Waiter>;
}

interface Partner extends Usage {
  /** Those with slots or waiters, in the order of their turns. */
  readonly clients: Map<string, Client>;
}

interface CallerUsage {
  readonly caller: Caller;
  readonly partner: Partner;
  readonly client: Client;
}

export class Semaphore {
  readonly #limits: Required<SemaphoreLimits>;
  readonly #toError: (reason: NoSlot) => Error;
  /** Those with slots or waiters, in the order of their turns. */
  readonly #partners = new Map<string, Partner>();
  readonly #all: Usage = { slots: 0, waiting: 0 };

  /** @param toError makes the error for a caller who gets no slot */
  constructor(limits: SemaphoreLimits, toError: (reason: NoSlot) => Error) {
    const { slotsPerPartner: slotsPerClient, queue = 0 } = limits;
    const defaults = { slotsPerClient, queue, queuePerPartner: queue, waitMs: Number.POSITIVE_INFINITY };
    this.#limits = { ...defaults, ...limits };
    this.#toError = toError;
  }

  /** Slots in use, and callers in the queue. */
  get state(): { readonly running: number; readonly waiting: number } {
    return { running: this.#all.slots, waiting: this.#all.waiting };
  }

  /** Throws what `acquire` would throw now. */
  requireSlot(caller: Caller): void {
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
    this.#findDisplaced(usage)?.fail(this.#toError("share"));
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
    const partner = this.#partners.get(caller.partner) ?? { slots: 0, waiting: 0, clients: new Map<string, Client>() };
    const client = partner.clients.get(caller.client) ?? { slots: 0, waiting: 0, waiters: new Set<Waiter>() };
    return { caller, partner, client };
  }

  #hasSlotFor(usage: CallerUsage): boolean {
    return this.#all.slots < this.#limits.slots && this.#isBelowShare(usage);
  }

  #isBelowShare({ partner, client }: Pick<CallerUsage, "partner" | "client">): boolean {
    return partner.slots < this.#limits.slotsPerPartner && client.slots < this.#limits.slotsPerClient;
  }

  /**
   * Finds the waiter that loses its place in the queue to the caller: the newest of the partner with the most, if it has more
   * than the caller's partner; otherwise that of another client of the caller's partner. Undefined if the queue has room.
   * Throws if nobody has more than the caller.
   */
  #findDisplaced(usage: CallerUsage): Waiter | undefined {
    const { queue, queuePerPartner } = this.#limits;
    const { partner, client } = usage;
    const isPartnerFull = partner.waiting >= queuePerPartner;
    if (!isPartnerFull && this.#all.waiting < queue) return undefined;
    let longest: { readonly partner: Partner; readonly client: Client; readonly waiter: Waiter } | undefined;
    for (const each of this.#partners.values()) {
      const isOwn = each === partner;
      if (!isOwn && (isPartnerFull || each.waiting <= partner.waiting + 1)) continue;
      for (const other of each.clients.values()) {
        if (isOwn && other.waiting <= client.waiting + 1) continue;
        const difference =
          longest === undefined ? 1 : each.waiting - longest.partner.waiting || other.waiting - longest.client.waiting;
        const waiter = difference > 0 ? [...other.waiters].findLast(({ isReturning }) => !isReturning) : undefined;
        if (waiter !== undefined) longest = { partner: each, client: other, waiter };
      }
    }
    if (longest !== undefined) return longest.waiter;
    throw this.#toError(this.#isBelowShare(usage) ? "full" : "share");
  }

  #begin(usage: CallerUsage): Disposable {
    this.#count(usage, "slots", 1);
    let isOver = false;
    return {
      [Symbol.dispose]: () => {
        if (isOver) return;
        isOver = true;
        this.#count(usage, "slots", -1);
        if (this.#all.waiting > 0) this.#findNext()?.begin();
      },
    };
  }

  #wait(usage: CallerUsage, signal: AbortSignal | undefined, isReturning: boolean): Promise<Disposable> {
    const { waitMs } = this.#limits;
    return new Promise<Disposable>((resolve, reject) => {
      const leaveQueue = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        usage.client.waiters.delete(waiter);
        this.#count(usage, "waiting", -1);
      };
      const fail = (error: unknown) => {
        leaveQueue();
        reject(error);
      };
      const onAbort = () => fail(signal?.reason);
      const begin = () => {
        const slot = this.#begin(usage);
        leaveQueue();
        resolve(slot);
      };
      const waiter = { isReturning, begin, fail };
      const isTimed = Number.isFinite(waitMs) && !isReturning;
      const timer = isTimed ? setTimeout(() => fail(this.#toError("waited")), waitMs) : undefined;
      usage.client.waiters.add(waiter);
      this.#count(usage, "waiting", 1);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** The waiter that gets a free slot: the oldest of the client whose turn it is, of the partner whose turn it is. */
  #findNext(): Waiter | undefined {
    for (const [partnerName, partner] of this.#partners) {
      if (partner.waiting === 0) continue;
      for (const [clientName, client] of partner.clients) {
        const [waiter] = client.waiters;
        if (waiter === undefined || !this.#isBelowShare({ partner, client })) continue;
        moveToEnd(this.#partners, partnerName, partner);
        moveToEnd(partner.clients, clientName, client);
        return waiter;
      }
    }
    return undefined;
  }

  #count(usage: CallerUsage, kind: keyof Usage, change: 1 | -1): void {
    for (const each of [this.#all, usage.partner, usage.client]) each[kind] += change;
    const { caller, partner, client } = usage;
    if (client.slots > 0 || client.waiting > 0) partner.clients.set(caller.client, client);
    else partner.clients.delete(caller.client);
    if (partner.clients.size > 0) this.#partners.set(caller.partner, partner);
    else this.#partners.delete(caller.partner);
  }
}

function moveToEnd<T>(map: Map<string, T>, name: string, value: T): void {
  map.delete(name);
  map.set(name, value);
}
