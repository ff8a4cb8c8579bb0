// Notifies waiting readers of new events in the log: one poller for all of them, which stops while nobody waits.
import { EventEmitter, once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { Shard } from "../../store/stores.ts";

const pollIntervalMs = 50;
/** With more new events than this, every waiting call is woken. */
const pollLimit = 1_000;
const pollTimeoutMs = 2_000;

/** Stands for a change of any partner; other changes go by the partner's id. */
export const allPartners = "all";

export class EventWatch {
  readonly #shards: () => readonly Shard[];
  readonly #changes = new EventEmitter().setMaxListeners(0);
  #isPolling = false;
  #isStopped = false;

  constructor(shards: () => readonly Shard[]) {
    this.#shards = shards;
  }

  /** The number of waiting readers. */
  get waiting(): number {
    return this.#listWaiting().reduce((sum, partnerId) => sum + this.#changes.listenerCount(partnerId), 0);
  }

  /**
   * Starts watching. Call it before reading, so that no event is missed in between. The promise resolves when there may be
   * new events, when the signal aborts, and at a stop.
   * @param partnerId a partner's id, or `allPartners`
   */
  async waitForChange(partnerId: string, signal: AbortSignal): Promise<void> {
    if (this.#isStopped || signal.aborted) return;
    const change = once(this.#changes, partnerId, { signal });
    void this.#poll();
    await change.catch(() => undefined);
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

  /** While a database is unavailable, its readers keep waiting. */
  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    const positions = new Map<string, number>();
    while (this.#listWaiting().length > 0) {
      await this.#pollShards(positions).catch(() => undefined);
      await pause(pollIntervalMs);
    }
    this.#isPolling = false;
  }

  /** Throws if the shards are not known. */
  async #pollShards(positions: Map<string, number>): Promise<void> {
    await Promise.allSettled(this.#shards().map((shard) => this.#pollShard(shard, positions)));
  }

  /** Wakes the readers concerned, and moves the shard's position on; before the first read nothing is known. */
  async #pollShard({ name, events: log }: Shard, positions: Map<string, number>): Promise<void> {
    const signal = AbortSignal.timeout(pollTimeoutMs);
    const position = positions.get(name);
    if (position === undefined) {
      positions.set(name, (await log.findBounds(signal)).lastNumber);
      return this.#wakeAll();
    }
    const events = await log.listAllEvents(position, pollLimit, signal);
    positions.set(name, events.at(-1)?.position ?? position);
    if (events.length >= pollLimit) this.#wakeAll();
    else for (const partnerId of new Set(events.map((event) => event.partnerId))) this.#changes.emit(partnerId);
    if (events.length > 0) this.#changes.emit(allPartners);
  }

  /** Partners whose events readers wait for. */
  #listWaiting(): (string | symbol)[] {
    // Every wait listens to errors as well.
    return this.#changes.eventNames().filter((name) => name !== "error");
  }

  #wakeAll(): void {
    for (const partnerId of this.#listWaiting()) this.#changes.emit(partnerId);
  }
}
