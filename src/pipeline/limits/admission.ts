// How much a process takes on: so many calls run at a time, some more wait for a moment, and the rest are refused, so
// that what was accepted stays quick. Callers share fairly: each has its part, and those who wait take turns.
import { details } from "../../kernel/errors/details.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";

/** A burst may wait so long: 50 writes to one session, one after the other on a busy machine, are still a burst. */
const burstWaitMs = 1_000;
/** Where nobody waited for that long, what comes then is a new burst. */
const calmMs = 30;
/** Waiting calls for each one that may run. */
const waitingShare = 4;
/** Calls of a caller, running and waiting, for each one of its share: what a burst of it may be. */
const burstShare = 5;
/** The same for a caller whose calls have been waiting for longer than a burst: enough to keep every slot taken. */
const standingShare = 2;
const retryAfterSeconds = 1;

export interface AdmissionLimits {
  /** Most calls that run at a time. */
  readonly calls: number;
  /** One caller's share of them: the measure of how many calls it may have, running and waiting. */
  readonly callsPerCaller: number;
  /** Most calls of one caller that run at a time, if less than its share. */
  readonly runningPerCaller: number;
}

/** Notified of what admission costs callers. */
export interface AdmissionObserver {
  /** A call was let in after so many seconds of waiting. */
  readonly waited: (seconds: number) => void;
  /** A call was not let in: too many wait, it waited for too long, or its caller has too many calls at a time. */
  readonly refused: (reason: "full" | "waited" | "client_share") => void;
}

interface Waiter {
  readonly admit: () => void;
}

/** One caller's calls; kept only while there are some. */
interface Caller {
  running: number;
  readonly waiting: Set<Waiter>;
  /** When its calls began to wait, since when there was no calm. */
  waitingSince: number;
  /** When the last of its calls began or ended to wait. */
  waitedUntil: number;
}

export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #now: () => number;
  readonly #observer: AdmissionObserver | undefined;
  /** Callers with calls. Those at the front are the next to be served. */
  readonly #callers = new Map<string, Caller>();
  /** Made once: under load there are far more refusals than anything else. */
  readonly #overloaded = new Refusal("unavailable", details.unavailable, {
    retryAfterSeconds,
  });
  readonly #tooManyAtOnce = new Refusal(
    "rate_limited",
    "Too many calls of this client run at a time. Wait for some of them to end.",
    { retryAfterSeconds },
  );
  #running = 0;
  #waiting = 0;

  /** @param now milliseconds of a monotonic clock */
  constructor(limits: AdmissionLimits, now: () => number, observer?: AdmissionObserver) {
    this.#limits = limits;
    this.#now = now;
    this.#observer = observer;
  }

  /** Calls that run and calls that wait. */
  get state(): { running: number; waiting: number } {
    return { running: this.#running, waiting: this.#waiting };
  }

  /** The number of callers of whom anything is kept. */
  get callers(): number {
    return this.#callers.size;
  }

  /** Throws `unavailable` or `rate_limited` if a call of this caller would be refused now. Takes no slot. */
  check(caller: string): void {
    this.#check(caller, this.#observer);
  }

  #check(caller: string, observer: AdmissionObserver | undefined): void {
    if (this.#waiting === 0) return;
    const { calls, callsPerCaller } = this.#limits;
    if (this.#waiting >= waitingShare * calls) {
      observer?.refused("full");
      throw this.#overloaded;
    }
    const own = this.#callers.get(caller);
    if (own === undefined) return;
    const share = isStanding(own) ? standingShare : burstShare;
    if (own.running + own.waiting.size >= share * callsPerCaller) {
      observer?.refused("client_share");
      throw this.#tooManyAtOnce;
    }
  }

  /**
   * Takes a slot for a call, to be given back with `leave`. Undefined if there is one at once.
   * Throws as `check` does; rejects with `unavailable` if no slot became free in time, and with the signal's reason
   * where the call is over before.
   * @param isObserved whether the observer is told
   */
  enter(caller: string, signal: AbortSignal, isObserved = true): Promise<void> | undefined {
    const { calls, runningPerCaller } = this.#limits;
    const own = this.#callers.get(caller) ?? newCaller();
    if (this.#running < calls && own.running < runningPerCaller) {
      this.#callers.set(caller, own);
      this.#running += 1;
      own.running += 1;
      return undefined;
    }
    const observer = isObserved ? this.#observer : undefined;
    this.#check(caller, observer);
    this.#callers.set(caller, own);
    return this.#wait(caller, own, signal, observer);
  }

  /** Gives a slot back. */
  leave(caller: string): void {
    const own = this.#callers.get(caller);
    if (own === undefined) throw new Error("a slot was given back that nobody had");
    this.#running -= 1;
    own.running -= 1;
    this.#forgetIfIdle(caller, own);
    if (this.#waiting > 0) this.#admitNext();
  }

  #wait(caller: string, own: Caller, signal: AbortSignal, observer: AdmissionObserver | undefined): Promise<void> {
    const now = this.#now();
    if (own.waiting.size === 0 && now - own.waitedUntil > calmMs) own.waitingSince = now;
    own.waitedUntil = now;
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", leave);
        own.waiting.delete(waiter);
        own.waitedUntil = this.#now();
        this.#waiting -= 1;
      };
      const admit = () => {
        stopWaiting();
        observer?.waited((own.waitedUntil - now) / 1000);
        this.#running += 1;
        own.running += 1;
        resolve();
      };
      const giveUp = (reason: unknown) => {
        stopWaiting();
        this.#forgetIfIdle(caller, own);
        reject(reason);
      };
      const leave = () => giveUp(signal.reason);
      const waitedTooLong = () => {
        observer?.refused("waited");
        giveUp(this.#overloaded);
      };
      const timer = setTimeout(waitedTooLong, burstWaitMs);
      const waiter = { admit };
      signal.addEventListener("abort", leave, { once: true });
      own.waiting.add(waiter);
      this.#waiting += 1;
    });
  }

  /** Gives the free slot to the first caller that may have it, and puts that caller last. */
  #admitNext(): void {
    for (const [caller, own] of this.#callers) {
      const [waiter] = own.waiting;
      if (waiter === undefined || own.running >= this.#limits.runningPerCaller) continue;
      this.#callers.delete(caller);
      this.#callers.set(caller, own);
      waiter.admit();
      return;
    }
  }

  #forgetIfIdle(caller: string, own: Caller): void {
    if (own.running === 0 && own.waiting.size === 0) this.#callers.delete(caller);
  }
}

function newCaller(): Caller {
  return { running: 0, waiting: new Set(), waitingSince: 0, waitedUntil: Number.NEGATIVE_INFINITY };
}

/** Whether a caller's calls have been waiting for longer than a burst takes. */
function isStanding({ waitingSince, waitedUntil }: Caller): boolean {
  return waitedUntil - waitingSince >= burstWaitMs;
}
