// Erasing what the log, and what is to be delivered, holds of a session; in the place of all that comes one last event.
import type { Knex } from "knex";
import type { Connection } from "mysql2";
import { compile, execute, type Statement } from "../../database/statement.ts";
import { codeOf } from "../../kernel/event-types.ts";

/** The statements of an erasure that concern events. */
export function erasureStatements(db: Knex) {
  const ofSession = { resource_id: ":id" };
  return {
    deleteParked: compile(db("webhook_parked").where(ofSession).delete()),
    deleteAttempts: compile(db("webhook_attempts").where(ofSession).delete()),
    // Only this form takes an index: among all events of the partner there may be many to look through.
    deleteEvents: compile(
      db.raw("DELETE events FROM events FORCE INDEX (events_once) WHERE partner_id = ? AND resource_id = ?", [
        ":partnerId",
        ":id",
      ]),
    ),
    // Of its own row, as long as that is there. A session is erased once, so its id will do.
    announceErasure: compile(
      db.raw(
        `INSERT INTO event_outbox (id, partner_id, resource_id, type, assessment_id, occurred_at)
         SELECT id, partner_id, id, ${codeOf("session.erased")}, assessment_id, ?
         FROM sessions FORCE INDEX (PRIMARY) WHERE partner_id = ? AND id = ?`,
        [":erasedAt", ":partnerId", ":id"],
      ),
    ),
  };
}

/** Erases the events of a session whose row is locked, and announces its erasure. */
export async function eraseEvents(
  connection: Connection,
  statements: Readonly<Record<keyof ReturnType<typeof erasureStatements>, Statement>>,
  session: { readonly partnerId: Buffer; readonly id: Buffer },
  erasedAt: Date,
): Promise<void> {
  await execute(connection, statements.deleteParked, session);
  await execute(connection, statements.deleteAttempts, session);
  await execute(connection, statements.deleteEvents, session);
  await execute(connection, statements.announceErasure, { ...session, erasedAt });
}
