// Partners and networks take turns: calls of one go on one after the other, with a pause in between, and no other one waits for
// them.

export class Turns {
  readonly #pause: (partner: string, end: () => void) => void;
  readonly #maxWaiting: number;
  /** What waits, of those whose call has gone on and whose pause is not over. Connections limit how many there are. */
  readonly #waiting = new Map<string, (() => void)[]>();

  /**
   * @param pause calls its second argument when the pause of the partner is over
   * @param maxWaiting calls of a partner that may wait; others go on at once
   */
  constructor(pause: (partner: string, end: () => void) => void, maxWaiting: number) {
    this.#pause = pause;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Resolves when a call of the partner may go on; undefined: at once.
   * @param isFree whether it may go on in the pause if no other one of the partner waits
   */
  take(partner: string, isFree = false): undefined | Promise<void> {
    const waiting = this.#waiting.get(partner);
    if (waiting === undefined) {
      this.#begin(partner, []);
      return undefined;
    }
    if (waiting.length >= this.#maxWaiting || (isFree && waiting.length === 0)) return undefined;
    return new Promise((resolve) => waiting.push(resolve));
  }

  #begin(partner: string, waiting: (() => void)[]): void {
    this.#waiting.set(partner, waiting);
    this.#pause(partner, () => {
      const next = waiting.shift();
      if (next === undefined) return void this.#waiting.delete(partner);
      this.#begin(partner, waiting);
      next();
    });
  }
}
