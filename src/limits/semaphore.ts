// Limits how many calls, exports or reports run at a time. A slot cannot be reclaimed, so each partner has a limited number.
// Callers without a slot wait in a queue; partners take turns, and so do the clients of each. A full queue has room for as many
// again with less than an even share of it, so that nobody can keep others out.
import type { Caller } from "../kernel/calls/core.ts";

export interface SemaphoreLimits {
  /** Slots of all partners together. */
  readonly slots: number;
  readonly slotsPerPartner: number;
  /** By default as many as its partner has. */
  readonly slotsPerClient?: number;
  /** Callers in the queue beyond which, up to twice as many, only those with less than an even share enter; by default none. */
  readonly queue?: number;
  /** The same within a partner; by default as many. */
  readonly queuePerPartner?: number;
  /** Longest wait in the queue in milliseconds; by default unlimited. */
  readonly waitMs?: number;
}

/**
 * The reason for which a caller got no slot.
 * - `share`: its partner or client has too many calls.
 * - `full`: others have.
 * - `waited`: none became free in time.
 */
export type NoSlot = "share" | "full" | "waited";

interface Usage {
  slots: number;
  waiting: number;
}

interface Client extends Usage {
  /** Functions that begin those who wait, in order of arrival. */
  readonly waiters: Set<() => void>;
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
    if (!this.#hasSlotFor(usage)) this.#requireRoomFor(usage);
  }

  /**
   * Acquires a slot, now or when one is free, until it is disposed of.
   * Throws or rejects with the error of the semaphore, or with the signal's reason if it aborts first.
   * @param hasWaited whether the caller has waited before: it is not refused, and waits until its signal aborts
   */
  acquire(caller: Caller, signal?: AbortSignal, hasWaited = false): Disposable | Promise<Disposable> {
    signal?.throwIfAborted();
    const usage = this.#findUsage(caller);
    if (this.#hasSlotFor(usage)) return this.#begin(usage);
    if (!hasWaited) this.#requireRoomFor(usage);
    return this.#wait(usage, hasWaited ? Number.POSITIVE_INFINITY : this.#limits.waitMs, signal);
  }

  /** Runs work in a slot. Rejects as `acquire` does, and as the work does. */
  async run<T>(caller: Caller, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    using _slot = await this.acquire(caller, signal);
    return await work();
  }

  #findUsage(caller: Caller): CallerUsage {
    const partner = this.#partners.get(caller.partner) ?? { slots: 0, waiting: 0, clients: new Map<string, Client>() };
    const client = partner.clients.get(caller.client) ?? { slots: 0, waiting: 0, waiters: new Set<() => void>() };
    return { caller, partner, client };
  }

  #hasSlotFor(usage: CallerUsage): boolean {
    return this.#all.slots < this.#limits.slots && this.#isBelowShare(usage);
  }

  #isBelowShare({ partner, client }: Pick<CallerUsage, "partner" | "client">): boolean {
    return partner.slots < this.#limits.slotsPerPartner && client.slots < this.#limits.slotsPerClient;
  }

  #requireRoomFor(usage: CallerUsage): void {
    const { partner, client } = usage;
    const { queue, queuePerPartner } = this.#limits;
    const hasRoom =
      hasRoomFor(partner, { limit: queue, waiting: this.#all.waiting, sharers: this.#partners.size }) &&
      hasRoomFor(client, { limit: queuePerPartner, waiting: partner.waiting, sharers: partner.clients.size });
    if (!hasRoom) throw this.#toError(this.#isBelowShare(usage) ? "full" : "share");
  }

  #begin(usage: CallerUsage): Disposable {
    this.#count(usage, "slots", 1);
    let isOver = false;
    return {
      [Symbol.dispose]: () => {
        if (isOver) return;
        isOver = true;
        this.#count(usage, "slots", -1);
        if (this.#all.waiting > 0) this.#beginNext();
      },
    };
  }

  #wait(usage: CallerUsage, waitMs: number, signal: AbortSignal | undefined): Promise<Disposable> {
    return new Promise((resolve, reject) => {
      const leaveQueue = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", fail);
        usage.client.waiters.delete(begin);
        this.#count(usage, "waiting", -1);
      };
      const fail = () => {
        leaveQueue();
        reject(signal?.aborted ? signal.reason : this.#toError("waited"));
      };
      const begin = () => {
        const slot = this.#begin(usage);
        leaveQueue();
        resolve(slot);
      };
      const timer = Number.isFinite(waitMs) ? setTimeout(fail, waitMs) : undefined;
      usage.client.waiters.add(begin);
      this.#count(usage, "waiting", 1);
      signal?.addEventListener("abort", fail, { once: true });
    });
  }

  /** Begins the oldest waiter of the client whose turn it is, of the partner whose turn it is. */
  #beginNext(): void {
    for (const [partnerName, partner] of this.#partners) {
      if (partner.waiting === 0) continue;
      for (const [clientName, client] of partner.clients) {
        const [begin] = client.waiters;
        if (begin === undefined || !this.#isBelowShare({ partner, client })) continue;
        moveToEnd(this.#partners, partnerName, partner);
        moveToEnd(partner.clients, clientName, client);
        begin();
        return;
      }
    }
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

/** Whether a queue is not full, or has room for somebody with less than an even share of it, counted with one sharer more. */
function hasRoomFor(
  { waiting: ownWaiting }: Usage,
  { limit, waiting, sharers }: { readonly limit: number; readonly waiting: number; readonly sharers: number },
): boolean {
  return waiting < limit || (waiting < 2 * limit && ownWaiting < Math.floor(limit / (sharers + 1)));
}

function moveToEnd<T>(map: Map<string, T>, name: string, value: T): void {
  map.delete(name);
  map.set(name, value);
}
