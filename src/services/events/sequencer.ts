// Publishes events to the log, one process at a time; a process that finds another one publishing does nothing.

import { setTimeout as pause } from "node:timers/promises";
import { NIL } from "uuid";
import type {
  PublishedEvent,
  SequencerBatch,
  SequencerStore,
  UnpublishedPosition,
} from "../../store/events/sequencer-store.ts";
import type { BatchSizes } from "../batch-sizes.ts";

/** A run ends after this time, and the next one continues. */
const maxRunMs = 1_000;
/** The longest lag of a commit behind the time in its row. Later commits are found by the full scan. */
const overlapMs = 60_000;
/** Interval of full scans, which start from the beginning. */
const fullScanIntervalMs = 15_000;

/** Pause after a failed run; doubled by each further failure. */
const firstPauseMs = 100;
const maxPauseMs = 2_000;

const beginning: UnpublishedPosition = { since: new Date(0), id: NIL };

interface SequencerDeps {
  readonly batchSizes: BatchSizes;
  readonly sequencer: SequencerStore;
  /** Milliseconds of a monotonic clock. */
  readonly monotonic: () => number;
  /** Called with the published events. */
  readonly observe: (published: readonly PublishedEvent[]) => void;
}

/** A walk over all sessions with unpublished events, from some position on. */
interface Scan {
  readonly isFull: boolean;
  position: UnpublishedPosition;
}

export class Sequencer {
  readonly #deps: SequencerDeps;
  /** Continues in the next run if it has not reached its end. */
  #scan: Scan | undefined;
  /** Failed runs since the last successful one. */
  #failures = 0;
  #nextFullScanAt = Number.NEGATIVE_INFINITY;
  /** The latest time of a row that was read, in milliseconds since 1970. */
  #newestRowAt = Number.NEGATIVE_INFINITY;
  /** The database's clock at the last read; undefined before. */
  #databaseNow: number | undefined;

  constructor(deps: SequencerDeps) {
    this.#deps = deps;
  }

  /**
   * Publishes until nothing is left, the run's time is over, or another process is publishing. Throws what the store
   * throws, but not at once: retries are paced so that a database in trouble can bear them.
   */
  async run(signal: AbortSignal): Promise<void> {
    try {
      await this.#publish(signal);
      this.#failures = 0;
    } catch (error) {
      const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** this.#failures);
      this.#failures += 1;
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
      throw error;
    }
  }

  async #publish(signal: AbortSignal): Promise<void> {
    const { sequencer, monotonic, observe, batchSizes } = this.#deps;
    const endsAt = monotonic() + maxRunMs;
    do {
      const scan = this.#scan ?? this.#begin();
      const batch = await sequencer.publish(scan.position, batchSizes.publications, signal);
      if (batch === undefined) {
        this.#scan = undefined;
        return;
      }
      observe(batch.published);
      this.#advance(scan, batch);
    } while (this.#scan !== undefined && monotonic() < endsAt && !signal.aborted);
  }

  #begin(): Scan {
    if (this.#databaseNow === undefined || this.#deps.monotonic() >= this.#nextFullScanAt) {
      return { isFull: true, position: beginning };
    }
    // A time ahead of the clock is a mistake; and after a failover the clock of the new server may be behind.
    const since = Number.isFinite(this.#newestRowAt)
      ? Math.min(this.#newestRowAt, this.#databaseNow)
      : this.#databaseNow;
    return { isFull: false, position: { ...beginning, since: new Date(since - overlapMs) } };
  }

  #advance(scan: Scan, { now, last, isEnd }: SequencerBatch): void {
    this.#databaseNow = now.getTime();
    if (last !== undefined) {
      this.#newestRowAt = Math.max(this.#newestRowAt, last.since.getTime());
      scan.position = last;
    }
    this.#scan = isEnd ? undefined : scan;
    if (isEnd && scan.isFull) this.#nextFullScanAt = this.#deps.monotonic() + fullScanIntervalMs;
  }
}
