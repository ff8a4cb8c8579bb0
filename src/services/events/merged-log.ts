// The logs of all shards, merged into one by time; each log keeps its own order.

import type { LoggedEvent } from "../../domain/events/event.ts";
import { cursorNow, isWithin, type LogPosition, readCursor, writeCursor } from "../../domain/events/event-cursor.ts";
import { details } from "../../kernel/errors/details.ts";
import { invalidFieldError, Refusal } from "../../kernel/errors/refusal.ts";
import type { LogBounds } from "../../store/events/event-store.ts";

/** One log with its own numbers. */
export interface Log {
  /** The range of the shard; `wholeLog` if it is the only log. */
  readonly name: string;
  listEvents(after: number, limit: number): Promise<readonly LoggedEvent[]>;
  findBounds(): Promise<LogBounds>;
  getNumber(event: LoggedEvent): number;
}

/**
 * The position of a checked cursor: the shards that result from dividing a shard continue with its numbers. Undefined for an empty
 * one: before the oldest event that is kept. Throws `invalid_request` if the cursor has no number for a log.
 */
export async function readPosition(logs: readonly Log[], cursor: string): Promise<LogPosition | undefined> {
  if (cursor === "") return undefined;
  const numbers = new Map<string, number>();
  const readNow = async ({ name, findBounds }: Log) => void numbers.set(name, (await findBounds()).lastNumber);
  if (cursor === cursorNow) await Promise.all(logs.map(readNow));
  for (const { name } of logs) {
    for (const [earlier, number] of readCursor(cursor) ?? []) if (isWithin(name, earlier)) numbers.set(name, number);
  }
  if (numbers.size === logs.length) return numbers;
  throw invalidFieldError(
    ["after"],
    "invalid_format",
    "The cursor lacks a position in some logs: no response of this feed contained it.",
  );
}

/**
 * Reads events after the position, the earliest first. Throws `events_expired` and `invalid_request` (`cursor_ahead`).
 * @param limit events read from each log. @param size events wanted. @param isWanted whether an event is
 * @returns last: the position after everything that was read
 */
export async function readMerged(
  logs: readonly Log[],
  position: LogPosition | undefined,
  limit: number,
  size: number,
  isWanted: (event: LoggedEvent) => boolean,
) {
  const parts = await Promise.all(
    logs.map(async (log) => {
      const events = await log.listEvents(position?.get(log.name) ?? 0, limit);
      // After the events, so that an expiry in between is noticed.
      const { lastExpired, lastNumber } = await log.findBounds();
      return { log, events, expired: lastExpired, lastNumber, after: position?.get(log.name) ?? lastExpired };
    }),
  );
  if (parts.some(({ after, expired }) => after < expired)) {
    const oldest = new Map(parts.map(({ log, after, expired }) => [log.name, Math.max(after, expired)]));
    throw new Refusal("events_expired", details.events_expired, { metadata: { oldest: writeCursor(oldest) } });
  }
  if (parts.some(({ after, lastNumber }) => after > lastNumber)) {
    throw invalidFieldError(["after"], "cursor_ahead", "The cursor is ahead of the log: no response contained it.");
  }
  const inOrder = parts
    .flatMap(({ log, events }) => timeEvents(log, events))
    .toSorted((one, other) => one.time - other.time);
  const ends = inOrder.flatMap(({ event }, index) => (isWanted(event) ? [index + 1] : []));
  const selection = inOrder.slice(0, ends[size - 1]);
  const last = new Map(parts.map(({ log, after }) => [log.name, after]));
  for (const { event, log } of selection) last.set(log.name, Math.max(last.get(log.name) ?? 0, log.getNumber(event)));
  return {
    events: selection.map(({ event }) => event).filter(isWanted),
    last,
    isEnd: selection.length === inOrder.length && parts.every(({ events }) => events.length < limit),
  };
}

/** The events of a log with the time that they are merged by: never earlier than that of the previous event. */
function timeEvents(log: Log, events: readonly LoggedEvent[]) {
  let time = Number.NEGATIVE_INFINITY;
  return events.map((event) => {
    time = Math.max(time, event.recordedAt.getTime());
    return { event, log, time };
  });
}
