// Limits the calls of a process: some run at a time, some more wait in a queue, the rest are refused, so that accepted
// calls stay fast.
import type { DescMethod } from "@bufbuild/protobuf";
import { SessionService } from "../../gen/assessment/v1/session_service_pb.ts";
import { SubjectService } from "../../gen/assessment/v1/subject_service_pb.ts";
import { details } from "../../kernel/errors/details.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { type NoSlot, Semaphore } from "../../kernel/limits/semaphore.ts";
import { Turns } from "../../kernel/limits/turns.ts";

/** The longest wait: 50 writes to one session, one after the other on a busy machine, are still a burst. */
const waitMs = 1_000;
/** Queue places for each slot. */
const waitingShare = 4;
/** Calls of a partner that may run or wait, for each slot of its share: the size of a burst. */
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

/**
 * The slots of calls. A call uses at most one connection at a time, so a partner whose calls hang in the database holds at
 * most half of the connections.
 * @param observeRefused notified of every call that is refused
 */
export function createAdmission(config: AdmissionConfig, observeRefused?: (reason: NoSlot) => void): Semaphore {
  const { DATABASE_POOL_SIZE: connections, MAX_CONCURRENT_CALLS_PER_CLIENT: perClient } = config;
  const slots = config.MAX_CONCURRENT_CALLS ?? 2 * connections;
  const slotsOfPartner = Math.min(slots, Math.max(1, Math.floor(connections / 2), perClient ?? 0));
  const slotsOfClient = Math.min(slots, perClient ?? slotsOfPartner);
  const queueOfPartner = burstShare * Math.min(slots, perClient ?? Math.ceil(slots / 2)) - slotsOfClient;
  const limits = { slots, slotsOfPartner, slotsOfClient, queue: waitingShare * slots, queueOfPartner, waitMs };
  const refusal = (reason: NoSlot) => {
    observeRefused?.(reason);
    if (reason !== "share") return new Refusal("unavailable", details.unavailable, { retryAfterSeconds });
    const detail = "Too many of your calls run at a time. Wait for some of them to end.";
    return new Refusal("rate_limited", detail, { retryAfterSeconds });
  };
  return new Semaphore(limits, refusal);
}

/** A page with more elements takes the processor as long as dozens of other calls, */
const usualPage = 200;
/** for sessions even fewer: they are read with their answers, those of a person with their results. */
const usualSessions = new Map<DescMethod, number>([
  [SessionService.method.listSessions, 50],
  [SubjectService.method.listSubjectSessions, 20],
]);
/** Elements of a page whose request names no size; no rpc has more. */
const defaultPage = 100;

/** Whether the call of an rpc asks for a large page. @param pageSize 0: it names none */
export function isLargePage(method: DescMethod, pageSize: number): boolean {
  return (pageSize || defaultPage) > (usualSessions.get(method) ?? usualPage);
}

const largePages = { queueOfPartner: 100, queue: 1_000, waitMs: 5_000 };

/** The slots of calls that ask for large pages: one for each partner, so that it does not slow calls of others. */
export function createLargePages(): Semaphore {
  const limits = { slots: Number.POSITIVE_INFINITY, slotsOfPartner: 1, ...largePages };
  const detail =
    "Too many of your calls ask for large pages at a time. Make them one after the other, or ask for less.";
  return new Semaphore(limits, () => new Refusal("rate_limited", detail, { retryAfterSeconds }));
}

/** Pause between two refusals of a partner: at some 60 µs each they take a sixtieth of a processor. */
const refusalPauseMs = 4;
const refusalQueue = 1_000;

/**
 * The turns of refusals. A flood of refusals would keep the event loop from reading responses of the database, and a client that
 * waits for one sends nothing new.
 */
export function createRefusalTurns(): Turns {
  return new Turns((_partner, end) => setTimeout(end, refusalPauseMs), refusalQueue);
}
