// Shares the event loop between partners: in each of its turns, one call of each goes on. What others wait for comes after one
// call of a partner, however many it makes. While nothing else is ready, turns follow each other at once.

export class Turns {
  /** Calls that wait, by partner; a partner is here from its first call of a turn until none waits. At most those with a slot. */
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Resolves when a call of the partner may go on; undefined: at once. */
  take(partner: string): undefined | Promise<void> {
    const waiting = this.#waiting.get(partner);
    if (waiting !== undefined) return new Promise((resolve) => waiting.push(resolve));
    this.#waiting.set(partner, []);
    if (this.#waiting.size === 1) setImmediate(() => this.#next());
    return undefined;
  }

  #next(): void {
    for (const [partner, waiting] of this.#waiting) {
      const begin = waiting.shift();
      if (begin === undefined) this.#waiting.delete(partner);
      else begin();
    }
    if (this.#waiting.size > 0) setImmediate(() => this.#next());
  }
}
