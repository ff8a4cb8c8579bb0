// The columns of events.
import type { RowDataPacket } from "mysql2";
import type { LoggedEvent } from "../../domain/events/event.ts";
import type { SessionMode } from "../../domain/sessions/session.ts";
import { eventTypeOf } from "../../kernel/event-types.ts";
import { plain, table, uuid } from "../table.ts";

/** A mode that is stored as a number. */
export const modeNumber = {
  read: (number: number): SessionMode => (number === 2 ? "hosted" : "headless"),
  write: (mode: SessionMode) => (mode === "hosted" ? 2 : 1),
};

const loggedEvents = table<Omit<LoggedEvent, "type">>({
  partnerId: uuid,
  resourceId: uuid,
  mode: modeNumber,
  ...plain("position", "sequence", "occurrence", "assessmentId", "occurredAt", "recordedAt"),
});
export const eventColumns = `${loggedEvents.columns}, type`;

/** The events of rows of the log, without those whose type only a newer release knows. */
export function toEvents(rows: readonly RowDataPacket[]): LoggedEvent[] {
  return rows.flatMap((row) => {
    const type = eventTypeOf(row.type);
    return type === undefined ? [] : [{ ...loggedEvents.fromRow(row), type }];
  });
}
