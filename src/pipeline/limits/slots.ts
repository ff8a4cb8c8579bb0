// Limits the calls of a process: some run at a time, some more wait in a queue, the rest are refused, so that accepted calls
// stay fast. A call gets its slot before anything of it reaches the database.
import { ExportService } from "../../gen/assessment/v1/export_service_pb.ts";
import { type IntrospectRequest, TokenService } from "../../gen/assessment/v1/token_service_pb.ts";
import { details } from "../../kernel/errors/details.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { type NoSlot, Semaphore } from "../../limits/semaphore.ts";
import type { TokenResolver } from "../auth/token.ts";
import type { CallSlots, Interceptor } from "../call.ts";

/** The longest wait: 50 writes to one session, one after the other on a busy machine, are still a burst. */
const waitMs = 1_000;
/** Most waiting calls for each slot. */
const queuePerSlot = 4;
/** Calls of a partner that may run or wait, for each slot of its share: the size of a burst. */
const burstPerSlot = 5;
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
 * The slots of a process. A call uses at most one connection at a time, so a partner whose calls hang in the database holds at
 * most half of them, unless the limit of a client is set to more.
 */
export function createCallSlots(config: AdmissionConfig, observeRefused?: (reason: NoSlot) => void): CallSlots {
  const { DATABASE_POOL_SIZE: connections, MAX_CONCURRENT_CALLS_PER_CLIENT: perClient } = config;
  const slots = config.MAX_CONCURRENT_CALLS ?? 2 * connections;
  const slotsPerPartner = Math.min(slots, Math.max(1, Math.floor(connections / 2), perClient ?? 0));
  const slotsPerClient = Math.min(slots, perClient ?? slotsPerPartner);
  const queuePerPartner = burstPerSlot * Math.min(slots, perClient ?? Math.ceil(slots / 2)) - slotsPerClient;
  const limits = { slots, slotsPerPartner, slotsPerClient, queue: queuePerSlot * slots, queuePerPartner, waitMs };
  return {
    running: new Semaphore(limits, (reason) => {
      observeRefused?.(reason);
      const ownDetail = "Too many of your calls run at a time. Wait for some of them to end.";
      return reason === "share" ? shareError(ownDetail) : busyError(details.unavailable);
    }),
    waiting: {
      events: new Semaphore({ slots: 256, slotsPerPartner: 128, slotsPerClient: 8 }, (reason) =>
        reason === "share"
          ? shareError("A client may have 8 calls that wait for events, and its partner 128.")
          : busyError("Too many calls wait for events. Ask without waiting."),
      ),
      servers: new Semaphore({ slots: 128, slotsPerPartner: 16 }, (reason) =>
        reason === "share"
          ? shareError("A partner may have 16 calls at a time that test endpoints, or check URLs.")
          : busyError("Too many calls wait for receivers of webhooks."),
      ),
    },
    exportPages: new Semaphore({ slots: 4, slotsPerPartner: 2, queue: 64, queuePerPartner: 16, waitMs: 5_000 }, () =>
      busyError("Too many exports are running. Continue in a second."),
    ),
    largePages: new Semaphore(
      { slots: Number.POSITIVE_INFINITY, slotsPerPartner: 1, queue: 1_000, queuePerPartner: 100, waitMs: 5_000 },
      () =>
        shareError(
          "Too many of your calls ask for large pages at a time. Make them one after the other, or ask for less.",
        ),
    ),
  };
}

/** The refusal of a caller who has too many calls. */
function shareError(detail: string): Refusal {
  return new Refusal("rate_limited", detail, { retryAfterSeconds });
}

/** The refusal of a caller because of others. */
function busyError(detail: string): Refusal {
  return new Refusal("unavailable", detail, { retryAfterSeconds });
}

const { exportSessions, exportSubject } = ExportService.method;

/**
 * Requires a slot for every call, after the slot of a page for exports and large pages. An Introspect call of a gateway takes
 * the slot of the client that it asks about; none if its result is cached, and is refused if that client's call would be.
 */
export function takeSlot({ callSlots, resolver }: SlotDeps): Interceptor {
  return (call) => {
    const { method } = call;
    if (method === TokenService.method.introspect) {
      const { token, partnerId } = call.message as IntrospectRequest;
      call.caller = resolver.findCached(token)?.caller;
      if (call.caller !== undefined && partnerId === undefined) return callSlots.running.requireSlot(call.caller);
    }
    call.slots = callSlots;
    // Without a size a page has the usual one, which is large.
    const { pageSize = 1 } = call.message as { readonly pageSize?: number };
    if (method === exportSessions || method === exportSubject) call.pageSlots = callSlots.exportPages;
    else if (pageSize === 0 || pageSize > 20) call.pageSlots = callSlots.largePages;
    if (call.pageSlots !== undefined) return call.takeSlots(false);
    const slot = callSlots.running.acquire(call.limitKey, call.signal);
    const setSlot = (freeSlot: Disposable) => {
      call.slot = freeSlot;
    };
    return slot instanceof Promise ? slot.then(setSlot) : setSlot(slot);
  };
}

interface SlotDeps {
  readonly callSlots: CallSlots;
  readonly resolver: Pick<TokenResolver, "findCached">;
}

/** Refuses a call of a known client that `takeSlot` would refuse, before its message is read. Takes no slot. */
export function requireFreeSlot({ running }: CallSlots): Interceptor {
  return ({ caller }) => (caller === undefined ? undefined : running.requireSlot(caller));
}
