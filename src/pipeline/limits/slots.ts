// Limits the calls of a process: some run at a time, some more wait in a queue, the rest are refused, so that accepted calls
// stay fast. A call gets its slot before anything of it reaches the database.
import type { DescMethod } from "@bufbuild/protobuf";
import { ExportService } from "../../gen/assessment/v1/export_service_pb.ts";
import { type IntrospectRequest, TokenService } from "../../gen/assessment/v1/token_service_pb.ts";
import type { Caller } from "../../kernel/calls/core.ts";
import { details } from "../../kernel/errors/details.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { type NoSlot, Semaphore, type SemaphoreLimits } from "../../limits/semaphore.ts";
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

interface SlotDeps {
  readonly callSlots: Semaphore;
  readonly resolver: Pick<TokenResolver, "findCached">;
}

/**
 * The slots of calls. A call uses at most one connection at a time, so a partner whose calls hang in the database holds at most
 * half of them, unless the limit of a client is set to more.
 */
export function createCallSlots(config: AdmissionConfig, observeRefused?: (reason: NoSlot) => void): Semaphore {
  const { DATABASE_POOL_SIZE: connections, MAX_CONCURRENT_CALLS_PER_CLIENT: perClient } = config;
  const slots = config.MAX_CONCURRENT_CALLS ?? 2 * connections;
  const slotsPerPartner = Math.min(slots, Math.max(1, Math.floor(connections / 2), perClient ?? 0));
  const slotsPerClient = Math.min(slots, perClient ?? slotsPerPartner);
  const queuePerPartner = burstPerSlot * Math.min(slots, perClient ?? Math.ceil(slots / 2)) - slotsPerClient;
  const limits = { slots, slotsPerPartner, slotsPerClient, queue: queuePerSlot * slots, queuePerPartner, waitMs };
  const createRefusal = (reason: NoSlot) => {
    observeRefused?.(reason);
    if (reason !== "share") return new Refusal("unavailable", details.unavailable, { retryAfterSeconds });
    const detail = "Too many of your calls run at a time. Wait for some of them to end.";
    return new Refusal("rate_limited", detail, { retryAfterSeconds });
  };
  return new Semaphore(limits, createRefusal);
}

const exportRpcs: ReadonlySet<DescMethod> = new Set([
  ExportService.method.exportSessions,
  ExportService.method.exportSubject,
]);

/** Few pages of exports at a time, so that they slow no other call down. */
function createExportPages(): Semaphore {
  const limits = { slots: 4, slotsPerPartner: 2, queue: 64, queuePerPartner: 16, waitMs: 5_000 };
  const detail = "Too many exports are running. Continue in a second.";
  return new Semaphore(limits, () => new Refusal("unavailable", detail, { retryAfterSeconds }));
}

/** One large page of a partner at a time: it takes the processor as long as dozens of other calls. */
function createLargePages(): Semaphore {
  const slots = Number.POSITIVE_INFINITY;
  const limits = { slots, slotsPerPartner: 1, queuePerPartner: 100, queue: 1_000, waitMs: 5_000 };
  const detail =
    "Too many of your calls ask for large pages at a time. Make them one after the other, or ask for less.";
  return new Semaphore(limits, () => new Refusal("rate_limited", detail, { retryAfterSeconds }));
}

/** Calls that wait outside, which take only memory and a connection of the port. */
function createWaitingCalls(): CallSlots["waiting"] {
  return {
    events: createWaitLimit(
      { slots: 256, slotsPerPartner: 128, slotsPerClient: 8 },
      "A client may have 8 calls that wait for events, and its partner 128.",
      "Too many calls wait for events. Ask without waiting.",
    ),
    servers: createWaitLimit(
      { slots: 128, slotsPerPartner: 16 },
      "A partner may have 16 calls at a time that test endpoints, or check URLs.",
      "Too many calls wait for receivers of webhooks.",
    ),
  };
}

function createWaitLimit(limits: SemaphoreLimits, shareDetail: string, detail: string): Semaphore {
  return new Semaphore(limits, (reason) =>
    reason === "share"
      ? new Refusal("rate_limited", shareDetail, { retryAfterSeconds })
      : new Refusal("unavailable", detail, { retryAfterSeconds }),
  );
}

/**
 * Requires a slot for every call, after the slot of a page for exports and large pages. An Introspect call of a gateway takes
 * the slot of the client that it asks about; none if its result is cached, and is refused if that client's call would be.
 */
export function takeSlot({ callSlots, resolver }: SlotDeps): Interceptor {
  const [exportPages, largePages] = [createExportPages(), createLargePages()];
  const slots: CallSlots = { running: callSlots, waiting: createWaitingCalls() };
  return (call) => {
    const { method, signal } = call;
    if (method === TokenService.method.introspect) {
      const { token, partnerId } = call.message as IntrospectRequest;
      call.caller = resolver.findCached(token)?.caller;
      if (call.caller !== undefined && partnerId === undefined) return callSlots.requireSlot(call.caller);
    }
    call.slots = slots;
    const caller = call.limitKey;
    // Without a size a page has the usual one, which is large.
    const { pageSize = 1 } = call.message as { readonly pageSize?: number };
    const isLarge = pageSize === 0 || pageSize > 20;
    const listPages = isLarge ? largePages : undefined;
    const pages = exportRpcs.has(method) ? exportPages : listPages;
    call.pageSlots = pages;
    const slot =
      pages === undefined ? callSlots.acquire(caller, signal) : acquireBoth(pages, callSlots, caller, signal);
    const setSlot = (freeSlot: Disposable) => {
      call.slot = freeSlot;
    };
    return slot instanceof Promise ? slot.then(setSlot) : setSlot(slot);
  };
}

/** A page that has waited for its turn is not refused because other calls wait too. */
async function acquireBoth(pageSlots: Semaphore, callSlots: Semaphore, caller: Caller, signal: AbortSignal) {
  using both = new DisposableStack();
  const pageSlot = pageSlots.acquire(caller, signal);
  both.use(await pageSlot);
  const hasWaited = pageSlot instanceof Promise;
  both.use(await (hasWaited ? callSlots.reacquire(caller, signal) : callSlots.acquire(caller, signal)));
  return both.move();
}

/** Refuses a call of a known client that `takeSlot` would refuse, before its message is read. Takes no slot. */
export function requireFreeSlot(callSlots: Semaphore): Interceptor {
  return ({ caller }) => (caller === undefined ? undefined : callSlots.requireSlot(caller));
}
