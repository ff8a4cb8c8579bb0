// Adds events to the log: assigns their numbers, and inserts them.
import type { Connection } from "../../database/connection.ts";
import { sql } from "../../database/statement.ts";
import { loggedEventFields } from "../../domain/events/event.ts";
import type { SessionMode } from "../../domain/sessions/session.ts";
import { table } from "../table.ts";
import type { UnpublishedEvent } from "./unpublished.ts";

/**
 * The numbers that are skipped: after a part of the database was lost, all logs continue at the next multiple, so that none is
 * used twice. JavaScript numbers are exact for two million such losses.
 */
export const skippedNumbers = 2 ** 32;

/** The least number that a partner's log may have reached. @param position of the last event of the whole log */
export function computeFirstSequence(position: number): number {
  return Math.floor(position / skippedNumbers) * skippedNumbers;
}

/** An event without its numbers. Ids are the bytes of UUIDs. */
export interface NewEvent extends UnpublishedEvent {
  readonly partnerId: Buffer;
  readonly resourceId: Buffer;
  readonly assessmentId: number | null;
  readonly mode: SessionMode | null;
}

/** The end of the log, and the database's clock. */
export interface LogEnd {
  readonly position: number;
  readonly now: Date;
}

const readHeads = sql`SELECT partner_id, sequence FROM event_heads FORCE INDEX (PRIMARY)
  WHERE partner_id IN (:partnerIds)`;
const saveHeads = sql`INSERT INTO event_heads (partner_id, sequence, expired_sequence) VALUES :heads
  ON DUPLICATE KEY UPDATE sequence = VALUES(sequence)`;
const insertEvents = sql`INSERT INTO events (position, partner_id, sequence, type, occurrence, resource_id,
  assessment_id, mode, occurred_at, recorded_at) VALUES :rows`;

/** Adds one or more events in their order. Nobody else may assign numbers meanwhile. @returns the ids of their partners */
export async function addToLog(connection: Connection, { position, now }: LogEnd, events: readonly NewEvent[]) {
  const partners = new Map(events.map(({ partnerId }) => [partnerId.toString("latin1"), partnerId]));
  const partnerIds = [...partners.values()];
  const first = computeFirstSequence(position);
  const storedHeads = await connection.findAll(readHeads, { partnerIds });
  const heads = new Map(
    storedHeads.map(({ partner_id, sequence }) => [partner_id.toString("latin1"), Math.max(sequence, first)]),
  );
  const rows = events.map(({ partnerId, typeCode, occurrence, resourceId, assessmentId, mode, occurredAt }, index) => {
    const partner = partnerId.toString("latin1");
    const sequence = (heads.get(partner) ?? first) + 1;
    heads.set(partner, sequence);
    const name = [typeCode, occurrence, resourceId];
    return [position + index + 1, partnerId, sequence, ...name, assessmentId, mode, occurredAt, now];
  });
  await connection.execute(insertEvents, { rows });
  const newHeads = [...partners].map(([partner, partnerId]) => [partnerId, heads.get(partner), 0]);
  await connection.execute(saveHeads, { heads: newHeads });
  return partnerIds;
}

export const loggedEvents = table(loggedEventFields);
