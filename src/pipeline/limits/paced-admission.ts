// Admission whose refusals take turns: a flood of them would keep the answers of the database from being read, and with
// them what was let in.
import type { Admission } from "./admission.ts";
import { RefusalPacing } from "./refusal-pacing.ts";

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
