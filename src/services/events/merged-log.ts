// The logs of all shards, merged into one by time; each log keeps its own order.

import type { LoggedEvent } from "../../domain/events/event.ts";
import { isWithin, type LogPosition, wholeLog } from "../../domain/events/event-cursor.ts";
import type { LogBounds, LogPage } from "../../store/events/event-store.ts";

/** One log with its own numbers. */
export interface Log {
  /** The range of the shard; `wholeLog` if there is only one log. */
  readonly name: string;
  list(after: number, limit: number): Promise<LogPage>;
  bounds(): Promise<LogBounds>;
  numberOf(event: LoggedEvent): number;
}

export interface MergedPage {
  readonly events: readonly LoggedEvent[];
  /** After everything that was read. */
  readonly last: LogPosition;
  readonly isEnd: boolean;
}

interface ReadLog extends LogPage {
  readonly log: Log;
  readonly after: number;
}

/**
 * The position in the current logs: the shards that result from dividing a shard continue with its numbers. Undefined if
 * the position has no number for one of them.
 */
export function positionIn(logs: readonly Log[], position: LogPosition): LogPosition | undefined {
  const numbers = logs.map(({ name }): [string, number | undefined] => {
    const wider = [...position.keys()].find((earlier) => isWithin(name, earlier));
    return [name, wider === undefined ? undefined : position.get(wider)];
  });
  return numbers.every((pair): pair is [string, number] => pair[1] !== undefined) ? new Map(numbers) : undefined;
}

/** The first and the last numbers of all logs. */
export async function boundsOf(logs: readonly Log[]) {
  const bounds = await Promise.all(logs.map((log) => log.bounds()));
  const by = (end: keyof LogBounds) => new Map(logs.map(({ name }, index) => [name, bounds[index]?.[end] ?? 0]));
  return { expired: by("expired"), head: by("head") };
}

/**
 * Events after the position, the earliest first.
 * @param limit events read from each log. @param size events wanted. @param isWanted whether an event is
 */
export async function readMerged(
  logs: readonly Log[],
  position: LogPosition,
  limit: number,
  size: number,
  isWanted: (event: LoggedEvent) => boolean,
): Promise<MergedPage> {
  const pages = await Promise.all(
    logs.map(async (log): Promise<ReadLog> => {
      const after = position.get(log.name) ?? 0;
      return { log, after, ...(await log.list(after, limit)) };
    }),
  );
  const inOrder = pages.flatMap(inOwnOrder).toSorted((one, other) => one.at - other.at);
  const ends = inOrder.flatMap(({ event }, index) => (isWanted(event) ? [index + 1] : []));
  const selection = inOrder.slice(0, ends[size - 1] ?? inOrder.length);
  const isWhole = selection.length === inOrder.length;
  const counts = Map.groupBy(selection, ({ from }) => from);
  const lastOf = (from: ReadLog): [string, number] => {
    const own = counts.get(from) ?? [];
    const last = own.at(-1)?.event;
    const isRead = own.length === from.events.length;
    return [from.log.name, isRead ? from.last : last === undefined ? from.after : from.log.numberOf(last)];
  };
  return {
    events: selection.map(({ event }) => event).filter(isWanted),
    last: new Map(pages.map(lastOf)),
    isEnd: isWhole && pages.every(({ isEnd }) => isEnd),
  };
}

/** The events of a log with the time that they are merged by: never earlier than that of the previous event. */
function inOwnOrder(from: ReadLog): { readonly event: LoggedEvent; readonly from: ReadLog; readonly at: number }[] {
  let at = Number.NEGATIVE_INFINITY;
  return from.events.map((event) => {
    at = Math.max(at, event.recordedAt.getTime());
    return { event, from, at };
  });
}

/** A log that is the only one. */
export function soleLog(log: Omit<Log, "name">): Log[] {
  return [{ name: wholeLog, ...log }];
}
