// Deletes events and deliveries of an erased session. One last event, of its erasure, takes their place.
import type { Connection } from "mysql2";
import { execute, sql } from "../../database/statement.ts";
import type { SessionName } from "../../domain/sessions/session.ts";
import { outboxStatements } from "./unpublished.ts";

/** The statements that delete events. */
export const statements = {
  deleteParked: sql`DELETE FROM webhook_deliveries WHERE partner_id = :partnerId AND resource_id = :id`,
  deleteAttempts: sql`DELETE FROM webhook_attempts WHERE partner_id = :partnerId AND resource_id = :id`,
  // Only this form uses an index: the partner may have many events to scan.
  deleteEvents: sql`DELETE events
    FROM events FORCE INDEX (events_once) WHERE partner_id = :partnerId AND resource_id = :id`,
};

/** Deletes the events of a session whose row is locked, and announces its erasure. */
export async function eraseEvents(connection: Connection, session: SessionName, erasedAt: Date): Promise<void> {
  await execute(connection, statements.deleteParked, session);
  await execute(connection, statements.deleteAttempts, session);
  await execute(connection, statements.deleteEvents, session);
  await execute(connection, outboxStatements.addErasure, { ...session, erasedAt });
}
