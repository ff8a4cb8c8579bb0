// The logs of all shards, merged into one by time; each log keeps its own order.

import type { LoggedEvent } from "../../domain/events/event.ts";
import { isWithin, type LogPosition } from "../../domain/events/event-cursor.ts";
import type { LogBounds } from "../../store/events/event-store.ts";

/** One log with its own numbers. */
export interface Log {
  /** The range of the shard; `wholeLog` if it is the only log. */
  readonly name: string;
  list(after: number, limit: number): Promise<readonly LoggedEvent[]>;
  bounds(): Promise<LogBounds>;
  numberOf(event: LoggedEvent): number;
}

/**
 * The position in the current logs: the shards that result from dividing a shard continue with its numbers. Undefined if
 * the position has no number for one of them.
 */
export function findPosition(logs: readonly Log[], position: LogPosition): LogPosition | undefined {
  const numbers = new Map<string, number>();
  for (const { name } of logs) {
    for (const [earlier, number] of position) if (isWithin(name, earlier)) numbers.set(name, number);
  }
  return numbers.size === logs.length ? numbers : undefined;
}

/** The first and the last numbers of all logs. */
export async function readBounds(logs: readonly Log[]) {
  const bounds = await Promise.all(logs.map((log) => log.bounds()));
  const by = (end: keyof LogBounds) => new Map(logs.map(({ name }, index) => [name, bounds[index]?.[end] ?? 0]));
  return { expired: by("expired"), head: by("head") };
}

/**
 * Events after the position, the earliest first.
 * @param limit events read from each log. @param size events wanted. @param isWanted whether an event is
 * @returns last: the position after everything that was read
 */
export async function readMerged(
  logs: readonly Log[],
  position: LogPosition,
  limit: number,
  size: number,
  isWanted: (event: LoggedEvent) => boolean,
) {
  const last = new Map(logs.map(({ name }) => [name, position.get(name) ?? 0]));
  const lists = await Promise.all(logs.map((log) => log.list(last.get(log.name) ?? 0, limit)));
  const inOrder = logs
    .flatMap((log, index) => sortByOrder(log, lists[index] ?? []))
    .toSorted((one, other) => one.at - other.at);
  const ends = inOrder.flatMap(({ event }, index) => (isWanted(event) ? [index + 1] : []));
  const selection = inOrder.slice(0, ends[size - 1]);
  for (const { event, log } of selection) last.set(log.name, log.numberOf(event));
  return {
    events: selection.map(({ event }) => event).filter(isWanted),
    last,
    isEnd: selection.length === inOrder.length && lists.every((events) => events.length < limit),
  };
}

/** The events of a log with the time that they are merged by: never earlier than that of the previous event. */
function sortByOrder(log: Log, events: readonly LoggedEvent[]) {
  let at = Number.NEGATIVE_INFINITY;
  return events.map((event) => {
    at = Math.max(at, event.recordedAt.getTime());
    return { event, log, at };
  });
}
