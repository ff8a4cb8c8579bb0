// Events that are not in the log yet: a session's row has those of the session, the outbox those of what has no row, or none any
// more. The statement that makes a change appends its event, and the sequencer moves it.
import { sql } from "../../database/statement.ts";
import { type EventType, toEventCode } from "../../domain/events/event-types.ts";

/** An event as a session's row keeps it. */
export interface UnpublishedEvent {
  readonly typeCode: number;
  readonly occurrence: number;
  readonly occurredAt: Date;
}

/** An expression for an event. @param occurredAt an expression for its time. @param occurrence one for its number */
export function createEventExpression(type: EventType, occurredAt: string, occurrence = "1"): string {
  return `CONCAT('[${toEventCode(type)},', ${occurrence}, ',"', CAST(${occurredAt} AS DATETIME(3)), 'Z"],')`;
}

/** The longest delay of the event of a session, so that it stands for several changes. */
export const maxDelayMinutes = 10;

/**
 * The assignments that append events to a session's row, which keeps the time of the first one.
 * @param events an expression, empty if there are none
 * @param dueAt an expression for the time from which they may be published, at most `maxDelayMinutes` ahead
 */
export function appendEvents(events: string, dueAt = "NOW(3)"): string {
  // The server assigns from left to right.
  const since = `LEAST(COALESCE(unpublished_since, ${dueAt}), ${dueAt})`;
  return `unpublished = CONCAT(unpublished, ${events}), unpublished_since = IF(unpublished = '', NULL, ${since})`;
}

/** A condition: no event of the type is still to be published. */
export function isNotQueued(type: EventType): string {
  return `LOCATE('[${toEventCode(type)},', unpublished) = 0`;
}

/** The events of a session's row, in the order in which they happened. */
export function parseUnpublished(column: Buffer): UnpublishedEvent[] {
  const events = JSON.parse(`[${column.toString().slice(0, -1)}]`) as [number, number, string][];
  return events.map(([typeCode, occurrence, time]) => ({ typeCode, occurrence, occurredAt: new Date(time) }));
}

const outboxColumns = "resource_id, partner_id, type, assessment_id, occurred_at";

/** The statements that add to the outbox. A session is erased once, and a group is closed once. */
export const outboxStatements = {
  addErasure: sql`INSERT INTO event_outbox (${outboxColumns})
    SELECT id, partner_id, ${toEventCode("session.erased")}, assessment_id, :erasedAt
    FROM sessions FORCE INDEX (PRIMARY) WHERE partner_id = :partnerId AND id = :id`,
  addClosing: sql`INSERT INTO event_outbox (${outboxColumns})
    VALUES (:id, :partnerId, ${toEventCode("group.closed")}, :assessmentId, :closedAt)`,
};
