// Admission whose refusals take turns: a flood of them would keep the answers of the database from being read, and with
// them what was let in.

import type { MonotonicClock } from "../../kernel/environment.ts";
import type { Admission } from "./admission.ts";

export class PacedAdmission {
  readonly #admission: Admission;
  readonly #pacing = new RefusalPacing(() => performance.now());

  constructor(admission: Admission) {
    this.#admission = admission;
  }

  /** Throws, in turn, if a call of this caller would be refused now. Takes no slot. */
  check(caller: string): undefined | Promise<never> {
    try {
      this.#admission.check(caller);
      return undefined;
    } catch (refusal) {
      return this.#refuse(refusal);
    }
  }

  /** Takes a slot, now or when one is free, or throws in turn. */
  enter(caller: string, signal: AbortSignal): undefined | Promise<void> {
    return this.#enter(caller, signal, true);
  }

  /** The same for a call that was let in before: nobody refuses it, so it counts as neither waiting nor refused. */
  return(caller: string, signal: AbortSignal): undefined | Promise<void> {
    return this.#enter(caller, signal, false);
  }

  /** Gives a slot back. */
  leave(caller: string): void {
    this.#admission.leave(caller);
  }

  /** Does work in a slot of the caller. */
  async inSlot<T>(caller: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const wait = this.enter(caller, signal);
    if (wait !== undefined) await wait;
    try {
      return await work();
    } finally {
      this.leave(caller);
    }
  }

  #enter(caller: string, signal: AbortSignal, isObserved: boolean): undefined | Promise<void> {
    try {
      return this.#admission.enter(caller, signal, isObserved)?.catch((refusal: unknown) => this.#refuse(refusal));
    } catch (refusal) {
      return this.#refuse(refusal);
    }
  }

  async #refuse(refusal: unknown): Promise<never> {
    await this.#pacing.next();
    throw refusal;
  }
}

const perTurn = 8;
/**
 * At some 60 µs each they take a sixtieth of a processor. What waits for its turn outlives collections, and so costs more
 * than that. A client that waits for its refusal sends nothing new.
 */
const perSecond = 250;
/** What may follow at once after a time without refusals. */
const burst = 100;
/** Those beyond do not wait: waiting takes memory as well, and no refusal waits for longer than four seconds. */
const maxWaiting = 1_000;
const pauseMs = (perTurn / perSecond) * 1000;

export class RefusalPacing {
  readonly #now: MonotonicClock;
  #waiting: (() => void)[] = [];
  #allowed = burst;
  #countedAt: number;

  constructor(now: MonotonicClock) {
    this.#now = now;
    this.#countedAt = now();
  }

  /** Resolves when it is the refusal's turn: at once while there are few of them. */
  async next(): Promise<void> {
    if (this.#waiting.length >= maxWaiting) return;
    await new Promise<void>((resolve) => {
      if (this.#waiting.push(resolve) === 1) setImmediate(() => this.#run());
    });
  }

  #run(): void {
    const now = this.#now();
    this.#allowed = Math.min(burst, this.#allowed + ((now - this.#countedAt) / 1000) * perSecond);
    this.#countedAt = now;
    const resolves = this.#waiting.splice(0, Math.min(perTurn, Math.floor(this.#allowed)));
    this.#allowed -= resolves.length;
    if (this.#waiting.length > 0) {
      if (this.#allowed >= 1) setImmediate(() => this.#run());
      else setTimeout(() => this.#run(), pauseMs);
    }
    for (const resolve of resolves) resolve();
  }
}
