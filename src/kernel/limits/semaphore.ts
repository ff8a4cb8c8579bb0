// Limits how many calls, exports or reports run at a time. A slot cannot be reclaimed, so each partner has a limited number.
// Callers without a slot wait in a queue; partners take turns, and so do the clients of each. If the queue is full, the
// partner with the most callers in it loses one to a partner with fewer (longest queue drop).
import type { Caller } from "./caller.ts";

export interface SemaphoreLimits {
  /** Slots of all partners together. */
  readonly slots: number;
  readonly slotsPerPartner: number;
  /** By default as many as its partner has. */
  readonly slotsPerClient?: number;
  /** Queue places of all partners together; by default none. */
  readonly queue?: number;
  /** By default all of them. */
  readonly queuePerPartner?: number;
  /** Longest wait in the queue in milliseconds; by default unlimited. */
  readonly waitMs?: number;
}

/**
 * Why a caller got no slot: `share`, its partner or client has too many calls; `full`, others have; `waited`, none became
 * free in time.
 */
export type NoSlot = "share" | "full" | "waited";

interface Waiter {
  begin(): void;
  refuse(reason: NoSlot): void;
}

interface Client {
  taken: number;
  /** In order of arrival. */
  readonly waiting: Set<Waiter>;
}

interface Partner {
  taken: number;
  waiting: number;
  /** Those with slots or waiters, in the order of their turns. */
  readonly clients: Map<string, Client>;
}

/** A caller with its slots and waiters. */
interface CallerState {
  readonly caller: Caller;
  readonly partner: Partner;
  readonly client: Client;
}

export class Semaphore {
  readonly #limits: Required<SemaphoreLimits>;
  readonly #refusal: (reason: NoSlot) => Error;
  /** Those with slots or waiters, in the order of their turns. */
  readonly #partners = new Map<string, Partner>();
  #taken = 0;
  #waiting = 0;

  /** @param refusal makes the error for a caller who gets no slot */
  constructor(limits: SemaphoreLimits, refusal: (reason: NoSlot) => Error) {
    const { slotsPerPartner: slotsPerClient, queue = 0 } = limits;
    const defaults = { slotsPerClient, queue, queuePerPartner: queue, waitMs: Number.POSITIVE_INFINITY };
    this.#limits = { ...defaults, ...limits };
    this.#refusal = refusal;
  }

  /** Slots in use, and callers in the queue. */
  get state(): { readonly running: number; readonly waiting: number } {
    return { running: this.#taken, waiting: this.#waiting };
  }

  /** Throws what `take` would throw now. */
  check(caller: Caller): void {
    const state = this.#find(caller);
    if (!this.#hasSlotFor(state)) this.#findQueueToShorten(state);
  }

  /**
   * Takes a slot, now or when one is free, until it is disposed of.
   * Throws or rejects with the refusal, or with the signal's reason if it aborts first.
   */
  acquire(caller: Caller, signal?: AbortSignal): Disposable | Promise<Disposable> {
    signal?.throwIfAborted();
    const state = this.#find(caller);
    if (this.#hasSlotFor(state)) return this.#begin(state);
    [...(this.#findQueueToShorten(state) ?? [])].at(-1)?.refuse("share");
    return this.#wait(state, signal, this.#limits.waitMs);
  }

  /** Takes a slot again for a caller who had one, and waits as long as it takes. */
  reacquire(caller: Caller, signal: AbortSignal): Disposable | Promise<Disposable> {
    signal.throwIfAborted();
    const state = this.#find(caller);
    return this.#hasSlotFor(state) ? this.#begin(state) : this.#wait(state, signal, Number.POSITIVE_INFINITY);
  }

  /** Runs work in a slot. Rejects as `take` does, and as the work does. */
  async run<T>(caller: Caller, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    using _slot = await this.acquire(caller, signal);
    return await work();
  }

  #find(caller: Caller): CallerState {
    const partner = this.#partners.get(caller.partner) ?? { taken: 0, waiting: 0, clients: new Map() };
    const client = partner.clients.get(caller.client) ?? { taken: 0, waiting: new Set() };
    return { caller, partner, client };
  }

  #hasSlotFor(state: Omit<CallerState, "caller">): boolean {
    return this.#taken < this.#limits.slots && this.#isBelowShare(state);
  }

  #isBelowShare({ partner, client }: Omit<CallerState, "caller">): boolean {
    const { slotsPerPartner, slotsPerClient } = this.#limits;
    return partner.taken < slotsPerPartner && client.taken < slotsPerClient;
  }

  /** The queue that loses a waiter to make room; undefined if there is room. Throws if no queue is longer than the caller's. */
  #findQueueToShorten(state: CallerState): ReadonlySet<Waiter> | undefined {
    const { queue, queuePerPartner } = this.#limits;
    const isOwnFull = state.partner.waiting >= queuePerPartner;
    if (!isOwnFull && this.#waiting < queue) return undefined;
    let longest = state.partner;
    if (!isOwnFull) {
      for (const each of this.#partners.values()) {
        if (each.waiting > Math.max(longest.waiting, state.partner.waiting + 1)) longest = each;
      }
    }
    const least = longest === state.partner ? state.client.waiting.size + 1 : 0;
    let busiest: Client | undefined;
    for (const each of longest.clients.values()) {
      if (each.waiting.size > (busiest?.waiting.size ?? least)) busiest = each;
    }
    if (busiest !== undefined) return busiest.waiting;
    throw this.#refusal(this.#isBelowShare(state) ? "full" : "share");
  }

  #begin(state: CallerState): Disposable {
    this.#remember(state);
    this.#taken += 1;
    state.partner.taken += 1;
    state.client.taken += 1;
    let isOver = false;
    return {
      [Symbol.dispose]: () => {
        if (isOver) return;
        isOver = true;
        this.#taken -= 1;
        state.partner.taken -= 1;
        state.client.taken -= 1;
        this.#forgetIdle(state);
        if (this.#waiting > 0) this.#beginNext();
      },
    };
  }

  #wait(state: CallerState, signal: AbortSignal | undefined, waitMs: number): Promise<Disposable> {
    return new Promise<Disposable>((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", leave);
        state.client.waiting.delete(waiter);
        state.partner.waiting -= 1;
        this.#waiting -= 1;
      };
      const end = (error: unknown) => {
        stop();
        this.#forgetIdle(state);
        reject(error);
      };
      const leave = () => end(signal?.reason);
      const waiter: Waiter = {
        begin: () => {
          stop();
          resolve(this.#begin(state));
        },
        refuse: (reason) => end(this.#refusal(reason)),
      };
      const timer = Number.isFinite(waitMs) ? setTimeout(() => waiter.refuse("waited"), waitMs) : undefined;
      this.#remember(state);
      state.client.waiting.add(waiter);
      state.partner.waiting += 1;
      this.#waiting += 1;
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  /** Gives a free slot to the next waiter. Its partner is last in turn then, and so is it within its partner. */
  #beginNext(): void {
    for (const [partnerName, partner] of this.#partners) {
      if (partner.waiting === 0) continue;
      for (const [clientName, client] of partner.clients) {
        const [waiter] = client.waiting;
        if (waiter === undefined || !this.#hasSlotFor({ partner, client })) continue;
        partner.clients.delete(clientName);
        partner.clients.set(clientName, client);
        this.#partners.delete(partnerName);
        this.#partners.set(partnerName, partner);
        waiter.begin();
        return;
      }
    }
  }

  #remember({ caller, partner, client }: CallerState): void {
    partner.clients.set(caller.client, client);
    this.#partners.set(caller.partner, partner);
  }

  #forgetIdle({ caller, partner, client }: CallerState): void {
    if (client.taken === 0 && client.waiting.size === 0) partner.clients.delete(caller.client);
    if (partner.clients.size === 0) this.#partners.delete(caller.partner);
  }
}
