// Usage in MySQL: events are counted in the transaction that adds them to the log.

import type { Connection } from "../../database/connection.ts";
import type { Database } from "../../database/database.ts";
import { type Statement, sql } from "../../database/statement.ts";
import { toEventCode } from "../../domain/events/event-types.ts";
import type { SessionMode } from "../../domain/sessions/session.ts";
import type { NewEvent } from "../events/event-log.ts";

/** The counts of sessions, by the types of their events: `session.created` and so on. */
const usageCounters = ["created", "started", "completed", "cancelled", "expired", "erased"] as const;

/** Events of a day. An erasure counts as one, and subtracts nothing. */
export interface UsageDay extends Readonly<Record<(typeof usageCounters)[number], number>> {
  /** In UTC, as `2026-11-21`. */
  readonly day: string;
  /** Null: unknown, as for erased sessions. */
  readonly mode: SessionMode | null;
}

export interface UsageRange {
  readonly partnerId: string;
  readonly from: string;
  /** Exclusive. */
  readonly until: string;
}

/** The mode of erased sessions: a key has no null. */
const unknownMode = "";

/** Every statement of the store of usage. */
export const statements = {
  saveCounts: sql`INSERT INTO usage_days (partner_id, day, mode, ${usageCounters.join(", ")}) VALUES :rows
    ON DUPLICATE KEY UPDATE ${usageCounters.map((name) => `${name} = ${name} + VALUES(${name})`).join(", ")}`,
  list: {
    ...sql`SELECT DATE_FORMAT(day, '%Y-%m-%d') AS day_text, mode, ${usageCounters.join(", ")}
      FROM usage_days FORCE INDEX (PRIMARY)
      WHERE partner_id = :partnerId AND day >= :from AND day < :until ORDER BY day, mode`,
    fromRow: ({ day_text: day, mode, ...counts }) => ({ ...counts, day, mode: mode.toString() || null }),
  } as Statement<UsageDay>,
};

/** The events that are counted, in the order of `saveCounts`. */
const countedCodes = usageCounters.map((name) => toEventCode(`session.${name}`));

/** The store of usage. */
export function createUsageStore(db: Database) {
  return {
    /** The days of a partner in ascending order, then by mode. */
    listUsage: (range: UsageRange, signal: AbortSignal) => db.findAll(statements.list, range, signal),
  };
}

/** Counts events of sessions that are added to the log. */
export async function countEvents(connection: Connection, events: readonly NewEvent[]): Promise<void> {
  const rows = events
    .filter(({ typeCode }) => countedCodes.includes(typeCode))
    .map(({ partnerId, typeCode, mode, occurredAt }) => {
      const counts = countedCodes.map((code) => (code === typeCode ? 1 : 0));
      return [partnerId, occurredAt.toISOString().slice(0, 10), mode ?? unknownMode, ...counts];
    });
  await connection.execute(statements.saveCounts, { rows });
}
