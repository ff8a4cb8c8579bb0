// Converts events to columns and back.

import type { RowDataPacket } from "mysql2";
import { fromRow } from "../../database/statement.ts";
import type { LoggedEvent } from "../../domain/events/event.ts";
import { type EventType, eventTypeOf } from "../../kernel/event-types.ts";

const modes = { headless: 1, hosted: 2 } as const;

/** The number that a mode is stored as. */
export function modeToNumber(mode: keyof typeof modes): number {
  return modes[mode];
}

/** The mode of a number. */
export function numberToMode(number: number | null): keyof typeof modes | null {
  if (number === null) return null;
  return number === modes.hosted ? "hosted" : "headless";
}

/** The events of rows of the log, without those whose type only a newer release knows. */
export function toEvents(rows: readonly RowDataPacket[]): LoggedEvent[] {
  return rows.flatMap((row) => {
    const type = eventTypeOf(row.type);
    return type === undefined ? [] : [toEvent(row, type)];
  });
}

function toEvent(row: RowDataPacket, type: EventType): LoggedEvent {
  return { ...fromRow<LoggedEvent>(row), type, mode: numberToMode(row.mode) };
}
