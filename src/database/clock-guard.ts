// Checks the database's clock before anything is deleted by it. It remembers only what this process has seen.
import { ClockDoubted, type TrustedClock, type TrustedTime } from "../domain/trusted-clock.ts";
import type { Clock, MonotonicClock } from "../kernel/environment.ts";
import {
  type ClockReading,
  type DatabaseClockStore,
  leastChange,
  leastLead,
  maxLeadMs,
  type SharedClock,
} from "./clock.ts";
import { clockFault } from "./readiness.ts";

const writeIntervalMs = 30_000;

/**
 * Why the database's clock is in doubt: it `stepped` while this process watched, and no operator has accepted that yet; or
 * it `disagrees` with the clock of this host.
 */
export interface ClockDoubt {
  readonly reason: "stepped" | "disagrees";
  /** For operators. */
  readonly words: string;
}

export interface GuardClocks {
  readonly system: Clock;
  readonly monotonic: MonotonicClock;
  /** Milliseconds of a clock that never steps, and goes on while the machine sleeps. */
  readonly uptime: MonotonicClock;
}

export interface ClockGuardDeps {
  readonly databaseClock: DatabaseClockStore;
  readonly clocks: GuardClocks;
  /** Follows the readings that are not in doubt. */
  readonly shared: SharedClock;
  /** Called after every reading. */
  readonly observe: (doubt: ClockDoubt | undefined) => void;
}

export class ClockGuard implements TrustedClock {
  readonly #deps: ClockGuardDeps;
  /** The last reading, by the uptime. */
  #last: ClockReading | undefined;
  /** When an operator last accepted the clock, as of the last reading. */
  #acceptedAt: Date | null = null;
  /** The step that nobody has accepted, in words. */
  #step: string | undefined;
  #doubt: string | undefined = "The clock of the database was not read yet.";
  /** Whether both clocks agreed once: from then on the database's clock is trusted unless it steps. */
  #hasAgreed = false;

  constructor(deps: ClockGuardDeps) {
    this.#deps = deps;
  }

  /** Whether nothing was in doubt at the last reading. */
  readonly isTrusted = (): boolean => this.#doubt === undefined;

  now(): TrustedTime {
    if (this.#doubt !== undefined) throw new ClockDoubted(`${this.#doubt} Nothing is removed until then.`);
    return new Date(this.#deps.shared.now()) as TrustedTime;
  }

  /** Reads the clock; call it every few seconds. Throws as the store does, also if the database takes no writes. */
  async look(signal: AbortSignal): Promise<void> {
    const { databaseClock, clocks, shared, observe } = this.#deps;
    const askedAt = clocks.uptime();
    const { reading, acceptedAt, writtenAt } = await databaseClock.readState(clocks.monotonic, signal);
    this.#noteStep({ time: reading.time, askedAt, answeredAt: clocks.uptime() }, acceptedAt);
    const difference = clockFault(leastLead(reading, clocks.system()));
    const words = this.#step ?? difference;
    this.#doubt = words;
    this.#hasAgreed ||= words === undefined;
    if (this.#step === undefined && this.#hasAgreed) shared.follow(reading);
    observe(words === undefined ? undefined : { reason: this.#step === undefined ? "disagrees" : "stepped", words });
    const sinceWritten = reading.time - writtenAt.getTime();
    if (sinceWritten < 0 || sinceWritten >= writeIntervalMs) await databaseClock.write(signal);
  }

  #noteStep(reading: ClockReading, acceptedAt: Date | null): void {
    const change = this.#last === undefined ? 0 : leastChange(this.#last, reading);
    if (Math.abs(change) > maxLeadMs) {
      const [from, to] = [reading.time - change, reading.time].map((time) => new Date(time).toISOString());
      this.#step = `The clock of the database stepped from ${from} to ${to}. If it is right now, say so: pas clock accept.`;
    }
    // An operator may accept the clock before this process sees the step.
    if (acceptedAt?.getTime() !== this.#acceptedAt?.getTime()) this.#step = undefined;
    this.#last = reading;
    this.#acceptedAt = acceptedAt;
  }
}
