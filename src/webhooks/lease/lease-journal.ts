// What became of a lease, from one save to the next.
import type { ClaimedEndpoint, LeaseReport, MadeAttempt, ParkedRow } from "../../domain/webhooks/delivery-port.ts";
import type { Replay } from "../../domain/webhooks/endpoint.ts";

export class LeaseJournal {
  readonly endpoint: ClaimedEndpoint;
  sequence: number;
  failures: number;
  replay: Replay | null;
  restUntil: Date | null = null;
  disabledReason: LeaseReport["disabledReason"] = null;
  isOver = false;
  /** Whether it is over although there is more to do. */
  isOutOfTime = false;
  readonly attempts: MadeAttempt[] = [];
  readonly parked: ParkedRow[] = [];
  readonly tried: ParkedRow[] = [];
  readonly done: number[] = [];
  readonly freedResourceIds: string[] = [];
  #isChanged = false;
  #reports = 0;
  /** The last report that is saved; all of them when nothing will be. */
  #acknowledged = 0;
  readonly #waiting: { readonly report: number; readonly resolve: () => void }[] = [];

  constructor(endpoint: ClaimedEndpoint) {
    this.endpoint = endpoint;
    this.sequence = endpoint.sequence;
    this.failures = endpoint.failures;
    this.replay = endpoint.replay;
  }

  /** Notes that there is something to save. */
  touch(): void {
    this.#isChanged = true;
  }

  /** Whether the store does not know yet which events are parked. */
  get hasUnsavedParking(): boolean {
    return [this.parked, this.tried, this.done, this.freedResourceIds].some(({ length }) => length > 0);
  }

  /** Whether a save is wanted now. */
  get isWanted(): boolean {
    return this.#isChanged || this.isOver || this.#waiting.length > 0;
  }

  /** Waits until all that was noted so far is saved, or the lease is given up. */
  saved(): Promise<void> {
    const report = this.#isChanged ? this.#reports + 1 : this.#reports;
    if (report <= this.#acknowledged) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ report, resolve }));
  }

  /** All since the report before that was acknowledged. */
  report(): LeaseReport {
    this.#isChanged = false;
    this.#reports += 1;
    const { endpoint, sequence, failures, replay, restUntil, disabledReason, isOver, isOutOfTime } = this;
    return {
      endpoint,
      sequence,
      failures,
      replay,
      restUntil,
      disabledReason,
      isOver,
      isOutOfTime,
      attempts: [...this.attempts],
      parked: [...this.parked],
      tried: [...this.tried],
      done: [...this.done],
      freedResourceIds: [...this.freedResourceIds],
    };
  }

  /** The last report is saved. */
  acknowledge(report: LeaseReport): void {
    this.attempts.splice(0, report.attempts.length);
    this.parked.splice(0, report.parked.length);
    this.tried.splice(0, report.tried.length);
    this.done.splice(0, report.done.length);
    this.freedResourceIds.splice(0, report.freedResourceIds.length);
    this.#release(this.#reports);
  }

  /** The last report is not saved: what it said goes into the next one. */
  keep(): void {
    this.#isChanged = true;
  }

  /** Nothing will be saved any more. */
  giveUp(): void {
    this.#release(Number.POSITIVE_INFINITY);
  }

  #release(upTo: number): void {
    this.#acknowledged = upTo;
    const ready = this.#waiting.filter(({ report }) => report <= upTo);
    this.#waiting.splice(0, this.#waiting.length, ...this.#waiting.filter(({ report }) => report > upTo));
    for (const { resolve } of ready) resolve();
  }
}
