// The outbox: events that do not follow from the row of an existing session. The transaction of a change inserts its event,
// and the sequencer moves it to the log.
import { createHash } from "node:crypto";
import type { Connection, RowDataPacket } from "mysql2";
import { executeText, readRows, readRowsOf, sql } from "../../database/statement.ts";
import { codeOf, type EventType, eventTypeOf } from "../../kernel/event-types.ts";

/** An event for the log. Ids are the bytes of UUIDs. */
export interface OutboxEvent {
  readonly partnerId: Buffer;
  readonly resourceId: Buffer;
  readonly type: EventType;
  /** 1 for the first event of its type and resource, 2 for the next one. */
  readonly occurrence: number;
  readonly assessmentId: number | null;
  readonly occurredAt: Date;
}

/** An event in the outbox. */
export interface PutEvent extends OutboxEvent {
  readonly id: Buffer;
}

const columns = "id, partner_id, resource_id, type, occurrence, assessment_id, occurred_at";
const insert = `INSERT INTO event_outbox (${columns}) VALUES ?
  ON DUPLICATE KEY UPDATE id = VALUES(id)`;
const readOfResources = `SELECT ${columns} FROM event_outbox FORCE INDEX (event_outbox_resource)
  WHERE resource_id IN (?) AND partner_id IN (?) FOR UPDATE SKIP LOCKED`;

/** Inserts an event into the outbox, once. Call it in the transaction of the change. */
export async function putInOutbox(connection: Connection, event: OutboxEvent): Promise<void> {
  const { partnerId, resourceId, type, occurrence, assessmentId, occurredAt } = event;
  const name = Buffer.concat([resourceId, Buffer.from(`${type} ${occurrence}`)]);
  const id = createHash("sha256").update(name).digest().subarray(0, 16);
  const row = [id, partnerId, resourceId, codeOf(type), occurrence, assessmentId, occurredAt];
  await executeText(connection, insert, [[row]]);
}

/** The statements of the sequencer. */
export const outboxStatements = {
  readOutbox: sql`SELECT ${columns} FROM event_outbox WHERE id > :after
    ORDER BY id LIMIT :limit FOR UPDATE SKIP LOCKED`,
  // One by one: for a list of ids the servers may walk the whole table, and wait for erasures that are not committed yet.
  clearOutbox: sql`DELETE FROM event_outbox WHERE id = :id`,
};

/** Locks and reads events of the outbox, without those whose type only a newer release knows. */
export async function readOutbox(connection: Connection, limit: number): Promise<PutEvent[]> {
  const values = { after: Buffer.alloc(16), limit };
  return toEvents(await readRows(connection, outboxStatements.readOutbox, values));
}

/** The same for all events of some resources. */
export async function readOutboxOf(
  connection: Connection,
  resources: readonly Pick<OutboxEvent, "resourceId" | "partnerId">[],
): Promise<PutEvent[]> {
  if (resources.length === 0) return [];
  const named = [resources.map(({ resourceId }) => resourceId), resources.map(({ partnerId }) => partnerId)];
  return toEvents(await readRowsOf(connection, readOfResources, named));
}

function toEvents(rows: readonly RowDataPacket[]): PutEvent[] {
  return rows.flatMap((row) => {
    const type = eventTypeOf(row.type);
    if (type === undefined) return [];
    const { id, partner_id: partnerId, resource_id: resourceId, occurrence } = row;
    return [
      { id, partnerId, resourceId, type, occurrence, assessmentId: row.assessment_id, occurredAt: row.occurred_at },
    ];
  });
}
