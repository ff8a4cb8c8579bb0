// How many webhooks are under way at a time: most of the room is for endpoints that are known to take them.

/** Of all slots, endpoints without a recent success have this share. */
const othersShare = 0.25;

interface Waiter {
  readonly isHealthy: boolean;
  readonly start: () => void;
}

export class SendSlots {
  readonly #total: number;
  readonly #mostForOthers: number;
  readonly #waiting: Waiter[] = [];
  #used = 0;
  #usedByOthers = 0;

  /** @param total at least 1 */
  constructor(total: number) {
    this.#total = total;
    this.#mostForOthers = Math.max(1, Math.floor(total * othersShare));
  }

  /** Waits for a slot. @returns what gives it back */
  acquire(isHealthy: boolean): Promise<() => void> {
    return new Promise((resolve) => {
      const start = () => resolve(() => this.#leave(isHealthy));
      this.#waiting.push({ isHealthy, start });
      this.#serve();
    });
  }

  #leave(isHealthy: boolean): void {
    this.#used -= 1;
    if (!isHealthy) this.#usedByOthers -= 1;
    this.#serve();
  }

  /** Whoever waited longest, of those who may. */
  #serve(): void {
    while (this.#used < this.#total) {
      const hasRoom = this.#usedByOthers < this.#mostForOthers;
      const index = this.#waiting.findIndex(({ isHealthy }) => isHealthy || hasRoom);
      const [waiter] = index < 0 ? [] : this.#waiting.splice(index, 1);
      if (waiter === undefined) return;
      this.#used += 1;
      if (!waiter.isHealthy) this.#usedByOthers += 1;
      waiter.start();
    }
  }
}
