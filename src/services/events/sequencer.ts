// Brings what happened into the log, one process at a time; whoever finds another one at it does nothing.

import { setTimeout as pause } from "node:timers/promises";
import { NIL } from "uuid";
import type { Paging } from "../../kernel/environment.ts";
import type { PublishedEvent } from "../../store/events/event-batch.ts";
import type { SequencerPass, SequencerStore, UnpublishedPosition } from "../../store/events/sequencer-store.ts";

/** Sessions, and erased ones, in one transaction. */
const batch = 500;
/** A run ends after this time, and the next one goes on. */
const maxRunMs = 1_000;
/** Commits may be so much later than the time in their row. What is later still is found by a look at everything. */
const overlapMs = 60_000;
/** How often everything is looked at, from the beginning. */
const wholeIntervalMs = 15_000;
/** Of the time, looking at everything takes this share at most. */
const wholeShare = 0.05;

/** After a run that failed; each further one that fails doubles it. */
const firstPauseMs = 100;
const maxPauseMs = 2_000;

const beginning: UnpublishedPosition = { since: new Date(0), id: NIL };

export interface SequencerDeps extends Paging {
  readonly sequencer: SequencerStore;
  /** Milliseconds of a monotonic clock. */
  readonly monotonic: () => number;
  /** Notified of what came into the log. */
  readonly observe: (published: readonly PublishedEvent[]) => void;
}

/** A look over all that is to be announced, from some position on. */
interface Scan {
  readonly isWhole: boolean;
  readonly startedAt: number;
  position: UnpublishedPosition;
}

export class Sequencer {
  readonly #deps: SequencerDeps;
  /** Goes on in the next run if it has not come to its end. */
  #scan: Scan | undefined;
  /** Runs that failed since the last one that did not. */
  #failures = 0;
  #nextWholeAt = Number.NEGATIVE_INFINITY;
  /** The latest time of a row that was seen, in milliseconds since 1970. */
  #newest = Number.NEGATIVE_INFINITY;
  /** The database's clock when it was last looked at; undefined before. */
  #now: number | undefined;

  constructor(deps: SequencerDeps) {
    this.#deps = deps;
  }

  /**
   * Publishes until nothing is left, the run's time is over, or another process is found to be at it. Throws what the
   * store does, but not at once: whoever tries again does so at a pace that a database in trouble can bear.
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
    const { sequencer, monotonic, observe, mostAtOnce = batch } = this.#deps;
    const endsAt = monotonic() + maxRunMs;
    do {
      const scan = this.#scan ?? this.#begin();
      const pass = await sequencer.publish(scan.position, mostAtOnce, signal);
      if (pass === undefined) {
        this.#scan = undefined;
        return;
      }
      observe(pass.published);
      this.#advance(scan, pass);
    } while (this.#scan !== undefined && monotonic() < endsAt && !signal.aborted);
  }

  #begin(): Scan {
    const startedAt = this.#deps.monotonic();
    if (this.#now === undefined || startedAt >= this.#nextWholeAt) {
      return { isWhole: true, startedAt, position: beginning };
    }
    // A time ahead of the clock is a mistake; and the clock of a server that took over may be behind.
    const since = Number.isFinite(this.#newest) ? Math.min(this.#newest, this.#now) : this.#now;
    return { isWhole: false, startedAt, position: { ...beginning, since: new Date(since - overlapMs) } };
  }

  #advance(scan: Scan, { now, last, isEnd }: SequencerPass): void {
    this.#now = now.getTime();
    if (last !== undefined) {
      this.#newest = Math.max(this.#newest, last.since.getTime());
      scan.position = last;
    }
    this.#scan = isEnd ? undefined : scan;
    if (!isEnd || !scan.isWhole) return;
    const endedAt = this.#deps.monotonic();
    this.#nextWholeAt = endedAt + Math.max(wholeIntervalMs, (endedAt - scan.startedAt) / wholeShare);
  }
}
