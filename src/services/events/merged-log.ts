// The logs of all shards, merged into one by time; each log keeps its own order.

import { isOfKnownType, type StoredEvent } from "../../domain/events/event.ts";
import { isWithin, type LogPosition } from "../../domain/events/event-cursor.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import type { LogBounds } from "../../store/events/event-store.ts";

const newerReleaseDetail =
  "The next event is of a type that another process of this service knows; repeat the call later.";

/** One log with its own numbers. */
export interface Log {
  /** The range of the shard; `wholeLog` if it is the only log. */
  readonly name: string;
  list(after: number, limit: number): Promise<readonly StoredEvent[]>;
  bounds(): Promise<LogBounds>;
  numberOf(event: StoredEvent): number;
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
export async function readBounds(logs: readonly Log[]) {
  const bounds = await Promise.all(logs.map((log) => log.bounds()));
  const by = (end: keyof LogBounds) => new Map(logs.map(({ name }, index) => [name, bounds[index]?.[end] ?? 0]));
  return { expired: by("expired"), head: by("head") };
}

/**
 * Events after the position, the earliest first, up to a wanted one that only a newer release can send. Throws `unavailable` if
 * that is the next one.
 * @param limit events read from each log. @param size events wanted. @param isWanted whether an event is
 * @returns last: the position after everything that was read
 */
export async function readMerged(
  logs: readonly Log[],
  position: LogPosition,
  limit: number,
  size: number,
  isWanted: (event: StoredEvent) => boolean,
) {
  const last = new Map(logs.map(({ name }) => [name, position.get(name) ?? 0]));
  const lists = await Promise.all(logs.map((log) => log.list(last.get(log.name) ?? 0, limit)));
  const inOrder = logs
    .flatMap((log, index) => inOwnOrder(log, lists[index] ?? []))
    .toSorted((one, other) => one.at - other.at);
  const ends = inOrder.flatMap(({ event }, index) => (isWanted(event) ? [index + 1] : []));
  const unsendable = inOrder.findIndex(({ event }) => isWanted(event) && !isOfKnownType(event));
  if (unsendable === 0) throw new Refusal("unavailable", newerReleaseDetail, { retryAfterSeconds: 1 });
  const end = ends[size - 1] ?? inOrder.length;
  const selection = inOrder.slice(0, unsendable < 0 ? end : Math.min(end, unsendable));
  for (const { event, log } of selection) last.set(log.name, log.numberOf(event));
  return {
    events: selection.flatMap(({ event }) => (isWanted(event) && isOfKnownType(event) ? [event] : [])),
    last,
    isEnd: selection.length === inOrder.length && lists.every((events) => events.length < limit),
  };
}

/** The events of a log with the time that they are merged by: never earlier than that of the previous event. */
function inOwnOrder(log: Log, events: readonly StoredEvent[]) {
  let at = Number.NEGATIVE_INFINITY;
  return events.map((event) => {
    at = Math.max(at, event.recordedAt.getTime());
    return { event, log, at };
  });
}
