// Judges the database's clock before anything goes by it. What it finds wrong is known to all processes, and stays so
// until an operator has looked at it.
import type { Clock, MonotonicClock } from "../kernel/environment.ts";
import { type ClockReading, leastChange, leastLead, maxLeadMs, type SharedClock } from "../kernel/shared-clock.ts";
import type { ClockStep, DatabaseClockState, DatabaseClockStore } from "./database-clock-port.ts";
import { type ClockDoubt, ClockDoubted, describeDoubt, type TrustedClock, type TrustedTime } from "./trusted-clock.ts";

const minute = 60_000;
/** A change of more than this is a step. */
const maxStepMs = 5 * minute;
/** Nobody looks at the clock while nothing runs. For so long that is taken for a downtime, and beyond for a step. */
const maxDowntimeMs = 24 * 60 * minute;
/** After a downtime the clocks have to agree for so long: those of a host that just booted may still be put right. */
const settlingMs = 10 * minute;
const acceptIntervalMs = 30_000;

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
  /** Called after every check with what is in doubt, in words for operators. */
  readonly observe: (doubt: (ClockDoubt & { readonly words: string }) | undefined) => void;
}

export class ClockGuard implements TrustedClock {
  readonly #deps: ClockGuardDeps;
  /** The last reading, by the uptime. */
  #last: ClockReading | undefined;
  /** Whether the readings go on from a time that was accepted. */
  #isAccepted = false;
  /** Since when, by the uptime, the clocks agree after a downtime. */
  #agreesSince: number | undefined;
  #isTrusted = false;

  constructor(deps: ClockGuardDeps) {
    this.#deps = deps;
  }

  /** Whether nothing was in doubt at the last look. */
  readonly isTrusted = (): boolean => this.#isTrusted;

  async read(signal: AbortSignal): Promise<TrustedTime> {
    const { doubt, time } = await this.#look(signal);
    if (doubt !== undefined) throw new ClockDoubted(doubt);
    return new Date(time) as TrustedTime;
  }

  /** Reads the clock, and tells what is in doubt. To be called every few seconds. Throws as the store does. */
  async look(signal: AbortSignal): Promise<ClockDoubt | undefined> {
    return (await this.#look(signal)).doubt;
  }

  async #look(signal: AbortSignal): Promise<{ doubt: ClockDoubt | undefined; time: number }> {
    const { databaseClock, clocks, shared, observe } = this.#deps;
    const askedAt = clocks.uptime();
    const state = await databaseClock.readState(clocks.monotonic, signal);
    const { time } = state.reading;
    const byUptime = { time, askedAt, answeredAt: clocks.uptime() };
    const leadMs = leastLead(state.reading, clocks.system());
    const doubt = await this.#judge(state, byUptime, leadMs, signal);
    if (doubt === undefined || (doubt.reason !== "stepped" && this.#isAccepted)) shared.follow(state.reading);
    this.#isTrusted = doubt === undefined;
    observe(doubt && { ...doubt, words: describeDoubt(doubt) });
    return { doubt, time };
  }

  async #judge(
    state: DatabaseClockState,
    reading: ClockReading,
    leadMs: number,
    signal: AbortSignal,
  ): Promise<ClockDoubt | undefined> {
    const { databaseClock } = this.#deps;
    const { acceptedAt } = state;
    const step = state.step ?? this.#findStep(reading, acceptedAt);
    if (step !== undefined) {
      this.#agreesSince = undefined;
      // What could not be noted is found again by the next look.
      const isKnown = state.step !== null || (await databaseClock.saveStep(step, acceptedAt, signal));
      if (isKnown) this.#last = reading;
      return { reason: "stepped", ...step };
    }
    this.#last = reading;
    const disagrees = Math.abs(leadMs) > maxLeadMs;
    if (disagrees) this.#agreesSince = undefined;
    else this.#agreesSince ??= reading.answeredAt;
    this.#isAccepted ||= Math.abs(gapOf(reading, acceptedAt)) <= maxStepMs || this.#hasSettled(reading);
    if (disagrees) return { reason: "disagrees", leadMs };
    if (!this.#isAccepted && acceptedAt !== null) return { reason: "unseen", since: acceptedAt };
    if (acceptedAt === null || gapOf(reading, acceptedAt) >= acceptIntervalMs) {
      await databaseClock.saveAccepted(new Date(reading.time), acceptedAt, signal);
    }
    return undefined;
  }

  /** The step that a reading proves; undefined: it proves none. */
  #findStep(reading: ClockReading, acceptedAt: Date | null): ClockStep | undefined {
    const gap = gapOf(reading, acceptedAt);
    // Others have seen the clock go on to this time: if it seems to have stepped, this process stood still.
    if (acceptedAt === null || Math.abs(gap) <= maxStepMs) return undefined;
    const to = new Date(reading.time);
    const change = this.#last === undefined ? 0 : leastChange(this.#last, reading);
    if (Math.abs(change) > maxStepMs) return { from: new Date(reading.time - change), to };
    const isDowntime = gap > 0 && gap <= maxDowntimeMs;
    return this.#isAccepted || isDowntime ? undefined : { from: acceptedAt, to };
  }

  #hasSettled({ answeredAt }: ClockReading): boolean {
    return this.#agreesSince !== undefined && answeredAt - this.#agreesSince >= settlingMs;
  }
}

/** Milliseconds from the accepted time to the reading. */
function gapOf({ time }: ClockReading, acceptedAt: Date | null): number {
  return acceptedAt === null ? 0 : time - acceptedAt.getTime();
}
