// Usage in MySQL: events are counted in the transaction that adds them to the log.

import type { Knex } from "knex";
import type { Connection } from "mysql2";
import { executeText, fetchRows, sql, uuidToBytes } from "../../database/statement.ts";
import type { SessionMode } from "../../domain/sessions/session.ts";
import { type EventType, eventTypeOf } from "../../kernel/event-types.ts";
import { modeNumber, type NewEvent } from "../events/event-log.ts";
import { plain, table, uuid } from "../table.ts";

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

const unknownMode = 0;
const columns = `partner_id, DATE_FORMAT(day, '%Y-%m-%d') AS day_text, mode, ${usageCounters.join(", ")}`;

const days = table<UsageDay>({
  partnerId: uuid,
  day: { name: "day_text" },
  mode: { read: (mode: number) => (mode === unknownMode ? null : modeNumber.read(mode)) },
  ...plain(...usageCounters),
});

/** Every statement of the store of usage. */
export const statements = {
  // As text, since a batch has as many rows as it has partners, days and modes.
  saveCounts: `INSERT INTO usage_days (partner_id, day, mode, ${usageCounters.join(", ")}) VALUES ?
    ON DUPLICATE KEY UPDATE ${usageCounters.map((name) => `${name} = ${name} + VALUES(${name})`).join(", ")}`,
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
const countedTypes: readonly EventType[] = usageCounters.map((name) => `session.${name}` as const);
/** Sorts before all stored rows. */
const beforeAll = { day: "1000-01-01", partnerId: Buffer.alloc(16), mode: -1 };

/** The store of usage. */
export function createUsageStore(db: Knex) {
  return {
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
      return rows.map(days.fromRow);
    },
  };
}

/** Counts events of sessions that are added to the log. */
export async function countEvents(connection: Connection, events: readonly NewEvent[]): Promise<void> {
  const rows = new Map<string, { readonly key: readonly [Buffer, string, number]; readonly counts: number[] }>();
  for (const { partnerId, code, mode, occurredAt } of events) {
    const name = eventTypeOf(code);
    const position = name === undefined ? -1 : countedTypes.indexOf(name);
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
