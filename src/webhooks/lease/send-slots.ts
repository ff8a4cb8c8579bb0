// How many webhooks are under way at a time: most of the room is for endpoints that are known to take them.

/** Of all places, endpoints without a recent success have this share. */
const unprovenShare = 0.25;

interface Waiter {
  readonly isProven: boolean;
  readonly start: () => void;
}

export class SendSlots {
  readonly #total: number;
  readonly #unproven: number;
  readonly #waiting: Waiter[] = [];
  #used = 0;
  #usedByUnproven = 0;

  /** @param total at least 1 */
  constructor(total: number) {
    this.#total = total;
    this.#unproven = Math.max(1, Math.floor(total * unprovenShare));
  }

  /** Waits for a place. @returns what gives it back */
  acquire(isProven: boolean): Promise<() => void> {
    return new Promise((resolve) => {
      const start = () => resolve(() => this.#leave(isProven));
      this.#waiting.push({ isProven, start });
      this.#serve();
    });
  }

  #leave(isProven: boolean): void {
    this.#used -= 1;
    if (!isProven) this.#usedByUnproven -= 1;
    this.#serve();
  }

  /** Whoever waited longest, of those who may. */
  #serve(): void {
    while (this.#used < this.#total) {
      const hasRoom = this.#usedByUnproven < this.#unproven;
      const index = this.#waiting.findIndex(({ isProven }) => isProven || hasRoom);
      const [waiter] = index < 0 ? [] : this.#waiting.splice(index, 1);
      if (waiter === undefined) return;
      this.#used += 1;
      if (!waiter.isProven) this.#usedByUnproven += 1;
      waiter.start();
    }
  }
}
