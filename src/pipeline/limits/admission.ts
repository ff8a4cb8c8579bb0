// How much a process takes on: so many calls run at a time, some more wait for a moment, and the rest are refused, so
// that what was accepted stays quick.
import { setTimeout as pause } from "node:timers/promises";
import type { MonotonicClock } from "../../kernel/environment.ts";
import { details } from "../../kernel/errors/details.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import type { Caller } from "../../kernel/limits/caller.ts";
import { type NoSlot, Semaphore } from "../../kernel/limits/semaphore.ts";

/** A burst may wait so long: 50 writes to one session, one after the other on a busy machine, are still a burst. */
const waitMs = 1_000;
/** Places in the queue for each call that may run. */
const waitingShare = 4;
/** Calls of a partner that run and wait for each one of its share: what a burst of it may be. */
const burstShare = 5;
const retryAfterSeconds = 1;

/** As configured. */
export interface AdmissionConfig {
  readonly DATABASE_POOL_SIZE: number;
  /** Most calls that run at a time; undefined: twice the connections. */
  readonly MAX_CONCURRENT_CALLS: number | undefined;
  /** The same of one client; undefined: as many as its partner may have. */
  readonly MAX_CONCURRENT_CALLS_PER_CLIENT: number | undefined;
}

/** Notified of what admission costs callers. */
export interface AdmissionObserver {
  /** A call was let in after so many seconds of waiting. */
  readonly waited: (seconds: number) => void;
  /** A call was not let in. */
  readonly refused: (reason: NoSlot) => void;
}

/**
 * The slots of calls. A call has one connection at a time at most, so a partner whose calls hang in the database has half
 * of the connections at most, and leaves the others theirs.
 */
export function createAdmission(
  config: AdmissionConfig,
  monotonic: MonotonicClock,
  observer?: AdmissionObserver,
): Semaphore {
  const { DATABASE_POOL_SIZE: connections, MAX_CONCURRENT_CALLS_PER_CLIENT: asked } = config;
  const slots = config.MAX_CONCURRENT_CALLS ?? 2 * connections;
  const slotsOfPartner = Math.min(slots, Math.max(1, Math.floor(connections / 2), asked ?? 0));
  const slotsOfClient = Math.min(slots, asked ?? slotsOfPartner);
  const queueOfPartner = burstShare * Math.min(slots, asked ?? Math.ceil(slots / 2)) - slotsOfClient;
  const limits = { slots, slotsOfPartner, slotsOfClient, queue: waitingShare * slots, queueOfPartner, waitMs };
  const refusal = (reason: NoSlot) => {
    observer?.refused(reason);
    if (reason !== "share") return new Refusal("unavailable", details.unavailable, { retryAfterSeconds });
    const detail = "Too many of your calls run at a time. Wait for some of them to end.";
    return new Refusal("rate_limited", detail, { retryAfterSeconds });
  };
  return new Semaphore(limits, refusal, () => {
    const startedAt = monotonic();
    return () => observer?.waited((monotonic() - startedAt) / 1000);
  });
}

/** A page of more elements takes the processor as long as dozens of other calls. */
export const usualPage = 200;
const largePages = { queueOfPartner: 100, queue: 1_000, waitMs: 5_000 };

/** The slots of calls that ask for large pages: a partner has one, so that it takes no processor from calls of others. */
export function createLargePages(): Semaphore {
  const limits = { slots: Number.POSITIVE_INFINITY, slotsOfPartner: 1, ...largePages };
  const detail = `Too many of your calls ask for pages of more than ${usualPage} at a time. Make them one after the other.`;
  return new Semaphore(limits, () => new Refusal("rate_limited", detail, { retryAfterSeconds }));
}

/** Between two refusals of a partner: at some 60 µs each they take a sixtieth of a processor. */
const refusalPauseMs = 4;
const refusalQueue = 1_000;

/**
 * A function that resolves when it is the turn of a refusal of the caller. A flood of refusals would keep the answers of
 * the database from being read, and a client that waits for one sends nothing new. Those beyond the queue do not wait.
 */
export function refusalPacing(): (caller: Caller) => Promise<void> {
  const limits = { slots: Number.POSITIVE_INFINITY, slotsOfPartner: 1, queueOfPartner: refusalQueue };
  const turns = new Semaphore({ ...limits, queue: 4 * refusalQueue }, () => new Error("too many refusals wait"));
  return async (caller) => {
    try {
      const turn = await turns.take(caller);
      void pause(refusalPauseMs).then(() => turn[Symbol.dispose]());
    } catch {
      return;
    }
  };
}
