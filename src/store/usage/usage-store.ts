// Usage in MySQL: counted from the log of events, after all writes, by one process at a time.

import type { Knex } from "knex";
import type { Connection, RowDataPacket } from "mysql2";
import { inTransaction } from "../../database/connection.ts";
import { bytesToUuid, execute, executeText, fetchRows, readRows, sql, uuidToBytes } from "../../database/statement.ts";
import type { SessionMode } from "../../domain/sessions/session.ts";
import { type EventType, eventTypeOf } from "../../kernel/event-types.ts";
import { modeNumber } from "../events/rows.ts";

/** Names the counts of a partner, a day and a mode. */
export interface UsageKey {
  /** In UTC, as `2026-11-21`. */
  readonly day: string;
  readonly partnerId: string;
  /** Null: unknown, as for erased sessions. */
  readonly mode: SessionMode | null;
}

/** The counts of sessions, by the types of their events: `session.created` and so on. */
const usageCounters = ["created", "started", "completed", "cancelled", "expired", "erased"] as const;

export type UsageCounts = Readonly<Record<(typeof usageCounters)[number], number>>;

/** Events of that day. An erasure counts as one, and subtracts nothing. */
export type UsageDay = UsageKey & UsageCounts;

export interface UsageRange {
  /** Undefined: all partners. */
  readonly partnerId: string | undefined;
  readonly from: string;
  /** Exclusive. */
  readonly until: string;
}

const columns = `partner_id, DATE_FORMAT(day, '%Y-%m-%d') AS day_text, mode, ${usageCounters.join(", ")}`;

/** Every statement of the store of usage. */
export const statements = {
  // The process that locks this row counts.
  lock: sql`SELECT position, NOW(3) AS \`now\` FROM usage_position WHERE id = 1 FOR UPDATE`,
  // Of all partners: for the job that counts.
  listEvents: sql`SELECT position, partner_id, type, mode, occurred_at, recorded_at FROM events
    WHERE position > :position ORDER BY position LIMIT :limit`,
  // As text, since a batch has as many rows as it has partners, days and modes.
  saveCounts: `INSERT INTO usage_days (partner_id, day, mode, ${usageCounters.join(", ")}) VALUES ?
    ON DUPLICATE KEY UPDATE ${usageCounters.map((name) => `${name} = ${name} + VALUES(${name})`).join(", ")}`,
  savePosition: sql`UPDATE usage_position SET position = :position, counted_at = :countedAt WHERE id = 1`,
  findCountedAt: sql`SELECT counted_at FROM usage_position WHERE id = 1`,
  listOfPartner: sql`SELECT ${columns} FROM usage_days FORCE INDEX (PRIMARY)
    WHERE partner_id = :partnerId AND day >= :from AND day < :until
      AND (day > :afterDay OR mode > :afterMode) ORDER BY day, mode LIMIT :limit`,
  // Of all partners: for operators.
  listOfAll: sql`SELECT ${columns} FROM usage_days FORCE INDEX (usage_days_day)
    WHERE day >= :from AND day < :until
      AND (day, partner_id, mode) > (:afterDay, :afterPartnerId, :afterMode)
      ORDER BY day, partner_id, mode LIMIT :limit`,
};

/** The events that are counted, in the order of `saveCounts`. */
const counted: readonly EventType[] = usageCounters.map((name) => `session.${name}` as const);
const unknownMode = 0;
/** Sorts before all stored rows. */
const beforeAll = { day: "1000-01-01", partnerId: Buffer.alloc(16), mode: -1 };

/** The store of usage. */
export function createUsageStore(db: Knex) {
  return {
    /**
     * Counts the next events of the log, at most `limit`, each once, even with concurrent processes. False: all were counted.
     */
    countEvents(limit: number, signal: AbortSignal): Promise<boolean> {
      return inTransaction(db, signal, async (connection) => {
        const [locked] = await readRows(connection, statements.lock, {});
        if (locked === undefined) throw new Error("usage has no position; see docs/scale.md, if a shard was divided");
        const { position, now } = locked;
        const events = await readRows(connection, statements.listEvents, { position, limit });
        await addCounts(connection, events);
        const isEnd = events.length < limit;
        const last = events.at(-1);
        const countedAt = isEnd ? now : last?.recorded_at;
        await execute(connection, statements.savePosition, { position: last?.position ?? position, countedAt });
        return !isEnd;
      });
    },

    /** Days in ascending order, then by partner and mode, after a given one, at most `limit`. @param after null: the first */
    async listUsage(
      { partnerId, from, until }: UsageRange,
      after: UsageKey | null,
      limit: number,
      signal: AbortSignal,
    ): Promise<UsageDay[]> {
      const position = after === null ? beforeAll : keyToRow(after);
      const begin = position.day > from ? position.day : from;
      const values = { from: begin, until, afterDay: position.day, afterMode: position.mode, limit };
      const rows =
        partnerId === undefined
          ? await fetchRows(db, statements.listOfAll, { ...values, afterPartnerId: position.partnerId }, signal)
          : await fetchRows(db, statements.listOfPartner, { ...values, partnerId }, signal);
      return rows.map(toUsageDay);
    },

    /** Events that were logged before this time are counted; null: counting has not begun. */
    async findCountedAt(signal: AbortSignal): Promise<Date | null> {
      const [row] = await fetchRows(db, statements.findCountedAt, {}, signal);
      return row?.counted_at ?? null;
    },
  };
}

/** Adds the counts of the events. Nobody else may be counting. */
async function addCounts(connection: Connection, events: readonly RowDataPacket[]): Promise<void> {
  const rows = new Map<string, { readonly key: readonly [Buffer, string, number]; readonly counts: number[] }>();
  for (const { partner_id: partnerId, type, mode, occurred_at: occurredAt } of events) {
    const name = eventTypeOf(type);
    const position = name === undefined ? -1 : counted.indexOf(name);
    if (position < 0) continue;
    const day = occurredAt.toISOString().slice(0, 10);
    const key = [partnerId, day, mode ?? unknownMode] as const;
    const text = `${partnerId.toString("latin1")}${day}${mode}`;
    const row = rows.get(text) ?? { key, counts: usageCounters.map(() => 0) };
    row.counts[position] = (row.counts[position] ?? 0) + 1;
    rows.set(text, row);
  }
  if (rows.size === 0) return;
  await executeText(connection, statements.saveCounts, [
    [...rows.values()].map(({ key, counts }) => [...key, ...counts]),
  ]);
}

function keyToRow({ day, partnerId, mode }: UsageKey) {
  return { day, partnerId: uuidToBytes(partnerId), mode: mode === null ? unknownMode : modeNumber.write(mode) };
}

function toUsageDay(row: RowDataPacket): UsageDay {
  const { partner_id: partnerId, day_text: day, mode, ...counts } = row;
  return {
    ...(counts as UsageCounts),
    partnerId: bytesToUuid(partnerId),
    day,
    mode: mode === unknownMode ? null : modeNumber.read(mode),
  };
}
