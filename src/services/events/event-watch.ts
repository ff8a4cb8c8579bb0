// Notifies waiting readers of new events in the log: one poller for all of them, which stops while nobody waits.
import { setTimeout as pause } from "node:timers/promises";
import type { Shards } from "../../domain/shards.ts";
import type { EventStore } from "../../store/events/event-store.ts";

const pollIntervalMs = 50;
/** With more new events than this, every waiting call is woken. */
const pollLimit = 1_000;
const pollTimeoutMs = 2_000;

/** Whose events a reader waits for: a partner's id, or `all`. */
export type Watched = string;
export const allPartners: Watched = "all";

/** A shard whose log is watched. */
export interface WatchedShard {
  readonly name: string;
  readonly events: Pick<EventStore, "listAllEvents" | "findBounds">;
}

export class EventWatch {
  readonly #shards: Shards<WatchedShard>;
  readonly #waiting = new Map<Watched, Set<() => void>>();
  #isPolling = false;
  #isStopped = false;

  constructor(shards: Shards<WatchedShard>) {
    this.#shards = shards;
  }

  /** The number of waiting readers. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, readers) => sum + readers.size, 0);
  }

  /**
   * Starts watching. Call it before reading, so that no event is missed in between. The promise resolves when there may be
   * new events, when the signal aborts, and at a stop.
   */
  next(watched: Watched, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isStopped || signal.aborted) return resolve();
      const readers = this.#waiting.get(watched) ?? new Set();
      const leave = () => {
        signal.removeEventListener("abort", leave);
        readers.delete(leave);
        if (readers.size === 0 && this.#waiting.get(watched) === readers) this.#waiting.delete(watched);
        resolve();
      };
      readers.add(leave);
      this.#waiting.set(watched, readers);
      signal.addEventListener("abort", leave, { once: true });
      void this.#poll();
    });
  }

  /** Whether the process is stopping, so that no call may wait. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Ends every wait. */
  stop(): void {
    this.#isStopped = true;
    this.#wakeAll();
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    let positions: ReadonlyMap<string, number> = new Map();
    while (this.#waiting.size > 0) {
      positions = await this.#lookAtAll(positions);
      await pause(pollIntervalMs);
    }
    this.#isPolling = false;
  }

  /** @returns the log positions that could be read. While a database is unavailable, readers keep waiting. */
  async #lookAtAll(positions: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>> {
    const looked = new Map<string, number>();
    const look = async ({ name, events }: WatchedShard) => {
      looked.set(name, await this.#look(events, positions.get(name)));
    };
    await Promise.allSettled(this.#known().map(look));
    return looked;
  }

  /** None while they are not known. */
  #known(): readonly WatchedShard[] {
    try {
      return this.#shards();
    } catch {
      return [];
    }
  }

  /** Wakes the readers concerned. @returns the position that was read; before the first read nothing is known */
  async #look(log: WatchedShard["events"], position: number | undefined): Promise<number> {
    const signal = AbortSignal.timeout(pollTimeoutMs);
    if (position === undefined) {
      const { head } = await log.findBounds(signal);
      this.#wakeAll();
      return head;
    }
    const { events, last, isEnd } = await log.listAllEvents(position, pollLimit, signal);
    if (!isEnd) this.#wakeAll();
    else for (const partnerId of new Set(events.map((event) => event.partnerId))) this.#wake(partnerId);
    if (events.length > 0) this.#wake(allPartners);
    return last;
  }

  #wake(watched: Watched): void {
    for (const leave of this.#waiting.get(watched) ?? []) leave();
  }

  #wakeAll(): void {
    for (const watched of [...this.#waiting.keys()]) this.#wake(watched);
  }
}
