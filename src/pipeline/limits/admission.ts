// Limits the calls of a process: some run at a time, some more wait in a queue, the rest are refused, so that accepted
// calls stay fast.
import type { DescMethod } from "@bufbuild/protobuf";
import { ExportService } from "../../gen/assessment/v1/export_service_pb.ts";
import { details } from "../../kernel/errors/details.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { type NoSlot, Semaphore } from "../../kernel/limits/semaphore.ts";

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

/**
 * Whether a call asks for a large page, which takes the processor as long as dozens of others. Exports have slots of their own.
 * @param pageSize 0: the usual one
 */
export function isLargePage(method: DescMethod, pageSize: number): boolean {
  return method !== ExportService.method.exportSessions && (pageSize === 0 || pageSize > 20);
}

const largePages = { queueOfPartner: 100, queue: 1_000, waitMs: 5_000 };

/** The slots of calls that ask for large pages: one for each partner, so that it does not slow calls of others. */
export function createLargePages(): Semaphore {
  const limits = { slots: Number.POSITIVE_INFINITY, slotsOfPartner: 1, ...largePages };
  const detail =
    "Too many of your calls ask for large pages at a time. Make them one after the other, or ask for less.";
  return new Semaphore(limits, () => new Refusal("rate_limited", detail, { retryAfterSeconds }));
}
