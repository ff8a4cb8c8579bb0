// Whose turn is next: partners take turns, and so do the callers of each. Whoever asks for much waits for themselves.
import type { RenderingClaimant } from "../report/rendering.ts";

export class FairTurns<T> {
  /** By partner, then by caller, both in the order in which they have their turns. */
  readonly #waiting = new Map<string, Map<string, T[]>>();

  add({ partnerId, caller }: RenderingClaimant, item: T): void {
    const callers = this.#waiting.get(partnerId) ?? new Map<string, T[]>();
    const items = callers.get(caller) ?? [];
    items.push(item);
    callers.set(caller, items);
    this.#waiting.set(partnerId, callers);
  }

  /** Takes out what comes next; undefined if nothing waits. */
  next(): T | undefined {
    const [partnerId, callers] = this.#waiting.entries().next().value ?? [];
    const [caller, items] = callers?.entries().next().value ?? [];
    if (partnerId === undefined || callers === undefined || caller === undefined || items === undefined)
      return undefined;
    const item = items.shift();
    // Whoever had a turn comes after all others.
    callers.delete(caller);
    if (items.length > 0) callers.set(caller, items);
    this.#waiting.delete(partnerId);
    if (callers.size > 0) this.#waiting.set(partnerId, callers);
    return item;
  }

  /** Takes out an item that was added for the claimant, if it still waits. */
  remove({ partnerId, caller }: RenderingClaimant, item: T): void {
    const callers = this.#waiting.get(partnerId);
    const items = callers?.get(caller);
    if (callers === undefined || items === undefined) return;
    const left = items.filter((each) => each !== item);
    if (left.length > 0) callers.set(caller, left);
    else callers.delete(caller);
    if (callers.size === 0) this.#waiting.delete(partnerId);
  }
}
