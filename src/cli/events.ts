// pas events …: reading and maintaining the log of events.
import { setTimeout as pause } from "node:timers/promises";
import { type LogPosition, writeCursor } from "../domain/events/event-cursor.ts";
import type { Domain } from "../process/core.ts";
import { describeEvents, eventJson } from "../services/events/described-events.ts";
import { boundsOf, type Log, type MergedPage, readMerged, soleLog } from "../services/events/merged-log.ts";
import type { CommandContext } from "./command.ts";
import { withDomain } from "./database.ts";
import { stopSignal } from "./serving/stop-signal.ts";

const pageSize = 500;
const tailIntervalMs = 250;
const readTimeoutMs = 10_000;

export interface EventOptions {
  /** Id of a partner; undefined: the events of all. */
  readonly partner?: string;
}

/** Prints the stored events, one a line, oldest first; or new ones as they happen, until a signal stops it. */
export function printEvents(context: CommandContext, { partner }: EventOptions, isTail = false): Promise<void> {
  return withDomain(context, async (domain) => {
    const log = logOf(domain, partner);
    let last = isTail ? await log.head() : new Map<string, number>();
    let isStopped = !isTail;
    if (isTail) {
      void stopSignal().then(() => {
        isStopped = true;
      });
    }
    for (;;) {
      const page = await log.read(last);
      await print(context, domain, page);
      last = page.last;
      if (isStopped && (page.isEnd || isTail)) return;
      if (page.isEnd) await pause(tailIntervalMs);
    }
  });
}

/** Skips 2^32 positions, so that none is used twice after a restored backup. Prints the head. */
export async function skipEventsAhead(context: CommandContext): Promise<void> {
  const position = await withDomain(context, async ({ shards }, { signal }) => {
    const heads = new Map<string, number>();
    for (const { name, events } of shards()) {
      await events.skipAhead(signal);
      heads.set(name, (await events.findBounds(signal)).head);
    }
    return heads;
  });
  context.print({ position: writeCursor(position) });
}

/** The log of a partner, or those of all shards as one. */
function logOf({ events, shards }: Domain, partnerId: string | undefined) {
  const signal = () => AbortSignal.timeout(readTimeoutMs);
  const logs: readonly Log[] =
    partnerId === undefined
      ? shards().map(({ name, events: log }) => ({
          name,
          list: (after, limit) => log.listAllEvents(after, limit, signal()),
          bounds: () => log.findBounds(signal()),
          numberOf: ({ position }) => position,
        }))
      : soleLog({
          list: (after, limit) => events.listEvents(partnerId, after, limit, signal()),
          bounds: () => events.findPartnerBounds(partnerId, signal()),
          numberOf: ({ sequence }) => sequence,
        });
  return {
    read: (after: LogPosition) => readMerged(logs, after, pageSize, pageSize, () => true),
    head: async () => (await boundsOf(logs)).head,
  };
}

async function print(context: CommandContext, domain: Domain, page: MergedPage): Promise<void> {
  const described = await describeEvents(domain, page.events, false, AbortSignal.timeout(readTimeoutMs));
  for (const [index, { position, partnerId }] of page.events.entries()) {
    const event = described[index];
    if (event !== undefined) context.print({ position: String(position), partnerId, ...eventJson(event) });
  }
}
