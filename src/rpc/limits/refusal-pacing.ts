// Keeps a flood of small tasks from holding up everything else: a few of them for each turn of the event loop.

const perTurn = 8;
/** Tasks beyond these do not wait: waiting takes memory as well. */
const maxWaiting = 4096;

export class RefusalPacing {
  #waiting: (() => void)[] = [];

  /** Resolves when it is the task's turn: at once while there are few of them. */
  async next(): Promise<void> {
    if (this.#waiting.length >= maxWaiting) return;
    await new Promise<void>((resolve) => {
      if (this.#waiting.push(resolve) === 1) setImmediate(() => this.#run());
    });
  }

  #run(): void {
    const resolves = this.#waiting.splice(0, perTurn);
    if (this.#waiting.length > 0) setImmediate(() => this.#run());
    for (const resolve of resolves) resolve();
  }
}
