// The sequencer's transaction: from marked sessions, and the outbox, to the log.
import type { Knex } from "knex";
import type { Connection, RowDataPacket } from "mysql2";
import { discard, onConnection } from "../../database/connection.ts";
import { endsWhenFrozen } from "../../database/database.ts";
import { isLockBusy, isLockTimeout } from "../../database/database-errors.ts";
import { bytesToUuid, uuidToBytes } from "../../database/rows.ts";
import { compile, execute, executeText, type Statement } from "../../database/statement.ts";
import type { SequencerPass, SequencerStore, UnpublishedPlace } from "../../domain/events/event-port.ts";
import { typesOf } from "../../domain/events/event-types.ts";
import { addSessions } from "./captured-sessions.ts";
import { EventBatch } from "./event-batch.ts";

/** The sequencer part of the Store port. @param db a pool of its own: see `sequencerSettings` */
export function createSequencerStore(db: Knex): SequencerStore {
  const statements = sequencerStatements(db);
  return {
    publish(after, limit, signal) {
      return onConnection(db, signal, async (connection) => {
        await connection.promise().beginTransaction();
        try {
          const locked = await lockLog(connection, statements.lock);
          if (locked === undefined) {
            await connection.promise().rollback();
            return undefined;
          }
          const { pass, partnerIds } = await publish(connection, statements, locked, after, limit);
          await connection.promise().commit();
          // Those that are not woken are found by the next sweep.
          if (partnerIds.length > 0) await wakeEndpoints(connection, partnerIds).catch(() => undefined);
          return pass;
        } catch (error) {
          // Ending the connection rolls back, and unlike a rollback it cannot fail.
          discard(connection);
          throw error;
        }
      });
    },
  };
}

/** A process that is frozen does not hold the log for long, and what another one holds is left to a later pass. */
export const sequencerSettings = [endsWhenFrozen, "SET SESSION innodb_lock_wait_timeout = 1"];

function sequencerStatements(db: Knex) {
  return {
    // Whoever has this row is the sequencer.
    lock: compile(db.raw("SELECT position, NOW(3) AS now FROM event_position WHERE id = 1 FOR UPDATE NOWAIT")),
    // Of the index alone, and without locks.
    candidates: compile(
      db.raw(
        `SELECT id, unpublished_since FROM sessions FORCE INDEX (sessions_unpublished)
         WHERE unpublished_since >= ? AND (unpublished_since > ? OR id > ?)
         ORDER BY unpublished_since, id LIMIT ?`,
        [":since", ":since", ":id", ":limit"],
      ),
    ),
    // In the order in which they were put there, as far as their ids tell.
    outbox: compile(
      db.raw(
        `SELECT id, partner_id, resource_id, type, assessment_id, occurred_at FROM event_outbox
         WHERE id > ? ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED`,
        [":after", ":limit"],
      ),
    ),
    // One by one: for a list of ids the servers may walk the whole table, and wait for erasures that are not committed yet.
    clearOutbox: compile(db("event_outbox").where({ id: ":id" }).delete()),
    savePosition: compile(db.raw("UPDATE event_position SET position = ? WHERE id = 1", [":position"])),
  };
}

// Those that are leased look for more by themselves; those that rest begin again when they have rested.
const isAsleep = "status = 'enabled' AND lease_id IS NULL AND (due_at IS NULL OR due_at > NOW(3))";
const makeDue = "SET due_at = GREATEST(NOW(3), COALESCE(rest_until, NOW(3)))";
const wakeAll = `UPDATE webhook_endpoints FORCE INDEX (webhook_endpoints_url) ${makeDue}
  WHERE partner_id IN (?) AND ${isAsleep}`;
const lockFree = `SELECT id, partner_id FROM webhook_endpoints FORCE INDEX (webhook_endpoints_url)
  WHERE partner_id IN (?) AND ${isAsleep} FOR UPDATE SKIP LOCKED`;
const wakeSome = `UPDATE webhook_endpoints FORCE INDEX (PRIMARY) ${makeDue} WHERE id IN (?) AND partner_id IN (?)`;

/** Waits for those who save an endpoint: they may have looked for more too early. Not for long: they may be frozen. */
async function wakeEndpoints(connection: Connection, partnerIds: readonly Buffer[]): Promise<void> {
  try {
    await executeText(connection, wakeAll, [partnerIds]);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    await connection.promise().beginTransaction();
    const free = (await executeText(connection, lockFree, [partnerIds])) as RowDataPacket[];
    if (free.length > 0) {
      await executeText(connection, wakeSome, [free.map(({ id }) => id), free.map((row) => row.partner_id)]);
    }
    await connection.promise().commit();
  }
}

interface LockedLog {
  readonly position: number;
  readonly now: Date;
}

/** Undefined: another process has it. */
async function lockLog(connection: Connection, statement: Statement): Promise<LockedLog | undefined> {
  try {
    const [row] = (await execute(connection, statement, {})) as RowDataPacket[];
    if (row === undefined) throw new Error("the log has no position");
    return { position: row.position, now: row.now };
  } catch (error) {
    if (isLockBusy(error)) return undefined;
    throw error;
  }
}

async function publish(
  connection: Connection,
  statements: ReturnType<typeof sequencerStatements>,
  { position, now }: LockedLog,
  after: UnpublishedPlace,
  limit: number,
): Promise<{ pass: SequencerPass; partnerIds: readonly Buffer[] }> {
  const from = { since: after.since, id: uuidToBytes(after.id), limit };
  const candidates = (await execute(connection, statements.candidates, from)) as RowDataPacket[];
  const batch = new EventBatch(position, now);
  await addSessions(connection, candidates, batch);
  const outbox = (await execute(connection, statements.outbox, { after: Buffer.alloc(16), limit })) as RowDataPacket[];
  await addOutbox(connection, statements.clearOutbox, outbox, batch);
  await batch.insert(connection);
  if (batch.position > position) await execute(connection, statements.savePosition, { position: batch.position });
  const last = candidates.at(-1);
  const pass = {
    now,
    published: batch.published,
    last: last && { since: last.unpublished_since, id: bytesToUuid(last.id) },
    isEnd: candidates.length < limit && outbox.length < limit,
  };
  return { pass, partnerIds: batch.partnerIds };
}

/** Adds what the outbox holds, and removes it there. What only a newer release knows is left to that. */
async function addOutbox(
  connection: Connection,
  clearOutbox: Statement,
  outbox: readonly RowDataPacket[],
  batch: EventBatch,
): Promise<void> {
  for (const row of outbox) {
    const [type] = typesOf(row.type);
    if (type === undefined) continue;
    const event = { partnerId: row.partner_id, type, resourceId: row.resource_id, assessmentId: row.assessment_id };
    batch.add({ ...event, mode: null, occurredAt: row.occurred_at }, row.occurred_at);
    await execute(connection, clearOutbox, { id: row.id });
  }
}
