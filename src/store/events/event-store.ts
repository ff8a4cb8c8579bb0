// The log of events in MySQL, for readers, and the removal of old events.

import type { Database } from "../../database/database.ts";
import { sql } from "../../database/statement.ts";
import type { LoggedEvent } from "../../domain/events/event.ts";
import type { SessionKey } from "../../domain/sessions/session.ts";
import { dayMs } from "../../kernel/environment.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { bytesToUuid } from "../../kernel/ids.ts";
import { computeFirstSequence, loggedEvents, skippedNumbers } from "./event-log.ts";

/** The first and the last event of a log. */
export interface LogBounds {
  /** Events up to here are no longer kept. */
  readonly lastExpired: number;
  /** The last number that was given. */
  readonly lastNumber: number;
}

/** The store of events. */
export function createEventStore(db: Database) {
  return {
    /** Events of a partner with a sequence greater than `after`, ascending, at most `limit`. */
    listEvents: (partnerId: string, after: number, limit: number, signal: AbortSignal): Promise<LoggedEvent[]> =>
      db.findAll(statements.listEvents, { partnerId, after, limit }, signal),

    /** Events of all partners with a position greater than `after`, ascending, at most `limit`. */
    listAllEvents: (after: number, limit: number, signal: AbortSignal): Promise<LoggedEvent[]> =>
      db.findAll(statements.listAllEvents, { after, limit }, signal),

    /** The sequences of a partner's log. */
    async findPartnerBounds(partnerId: string, signal: AbortSignal): Promise<LogBounds> {
      const row = await db.findOne(statements.findPartnerBounds, { partnerId }, signal);
      if (row !== undefined) {
        const first = computeFirstSequence(requirePosition(row.position ?? undefined));
        return { lastExpired: row.expired_sequence, lastNumber: Math.max(row.sequence, first) };
      }
      // Nothing has happened to the partner yet: its log begins at the same number on every shard.
      const log = await db.findOne(statements.findBounds, {}, signal);
      return { lastExpired: 0, lastNumber: computeFirstSequence(requirePosition(log?.position)) };
    },

    /** The positions of the whole log. */
    async findBounds(signal: AbortSignal): Promise<LogBounds> {
      const row = await db.findOne(statements.findBounds, {}, signal);
      return { lastExpired: requirePosition(row?.expired_position), lastNumber: requirePosition(row?.position) };
    },

    /** Seconds since the oldest write whose events are not published, of a session or in the outbox; 0 if there is none. */
    async findUnpublishedAge(signal: AbortSignal): Promise<number> {
      const session = await db.findOne(statements.findUnpublishedAge, {}, signal);
      const outbox = await db.findAll(statements.listOutboxAges, { after: Buffer.alloc(16) }, signal);
      return Math.max(0, Number(session?.seconds ?? 0), ...outbox.map(({ seconds }) => Number(seconds)));
    },

    /** The external ids of the sessions that exist, by session id. */
    async findExternalIds(sessions: readonly SessionKey[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
      const ids = [...new Set(sessions.map(({ id }) => id))];
      const partnerIds = [...new Set(sessions.map(({ partnerId }) => partnerId))];
      const rows = await db.findAll(statements.findExternalIds, { ids, partnerIds }, signal);
      return new Map(rows.map(({ id, external_id }) => [bytesToUuid(id), external_id.toString()]));
    },

    /**
     * Removes at most `limit` events that were published this many days before `now`, the oldest first.
     * @returns whether there may be more
     */
    expireEvents(retentionDays: number, limit: number, now: Date, signal: AbortSignal): Promise<boolean> {
      const before = new Date(now.getTime() - retentionDays * dayMs);
      return db.runTransaction(signal, async (connection) => {
        const [log] = await connection.findAll(statements.findBounds, {});
        const values = { after: requirePosition(log?.expired_position), before, limit };
        const rows = await connection.findAll(statements.listOldest, values);
        // Positions are assigned in the order of time.
        const firstKept = rows.findIndex(({ is_expired }) => is_expired === 0);
        const expiredRows = firstKept < 0 ? rows : rows.slice(0, firstKept);
        const last = expiredRows.at(-1);
        if (last === undefined) return false;
        await connection.execute(statements.deleteUpTo, { after: values.after, position: last.position });
        // From here on the sequencer waits for this transaction.
        await connection.execute(statements.saveExpired, { position: last.position });
        const lastOfPartner = new Map(expiredRows.map((row) => [row.partner_id.toString("latin1"), row]));
        for (const { partner_id: partnerId, sequence } of lastOfPartner.values()) {
          await connection.execute(statements.savePartnerExpired, { partnerId, sequence });
        }
        return expiredRows.length === limit;
      });
    },

    /** Skips 2^32 numbers of every log, so that none is used twice after a part of the database was lost. */
    async skipAhead(signal: AbortSignal): Promise<void> {
      // No lock is held while the server waits for this process.
      await db.useConnection(signal, (connection) => connection.execute(statements.skipAhead, {}));
    },
  };
}

export type EventStore = ReturnType<typeof createEventStore>;

export const statements = {
  listEvents: loggedEvents.select`FROM events
    WHERE partner_id = :partnerId AND sequence > :after ORDER BY sequence LIMIT :limit`,
  listAllEvents: loggedEvents.select`FROM events WHERE position > :after ORDER BY position LIMIT :limit`,
  findPartnerBounds: sql`SELECT p.position, h.sequence, h.expired_sequence
    FROM event_heads AS h LEFT JOIN event_position AS p ON p.id = 1 WHERE h.partner_id = :partnerId`,
  findBounds: sql`SELECT position, expired_position FROM event_position WHERE id = 1`,
  findUnpublishedAge: sql`SELECT TIMESTAMPDIFF(MICROSECOND, unpublished_since, NOW(3)) / 1000000 AS seconds
    FROM sessions FORCE INDEX (sessions_unpublished)
    WHERE unpublished_since IS NOT NULL ORDER BY unpublished_since LIMIT 1`,
  // Of those that the sequencer moves next.
  listOutboxAges: sql`SELECT TIMESTAMPDIFF(MICROSECOND, occurred_at, NOW(3)) / 1000000 AS seconds
    FROM event_outbox WHERE resource_id > :after ORDER BY resource_id LIMIT 1000`,
  listOldest: sql`SELECT position, partner_id, sequence, recorded_at < :before AS is_expired FROM events
    WHERE position > :after ORDER BY position LIMIT :limit`,
  deleteUpTo: sql`DELETE FROM events WHERE position > :after AND position <= :position`,
  findExternalIds: sql`SELECT id, external_id FROM sessions FORCE INDEX (PRIMARY)
    WHERE id IN (:ids) AND partner_id IN (:partnerIds)`,
  // If two processes do this at the same time, the higher number wins.
  saveExpired: sql`UPDATE event_position SET expired_position = GREATEST(expired_position, :position) WHERE id = 1`,
  savePartnerExpired: sql`UPDATE event_heads SET expired_sequence = GREATEST(expired_sequence, :sequence)
    WHERE partner_id = :partnerId`,
  // The numbers of every partner follow from the position.
  skipAhead: sql`UPDATE event_position SET position = position + ${skippedNumbers} WHERE id = 1`,
};

/** A half of a shard that was divided has no position before its operator has copied that of the whole (docs/scale.md). */
function requirePosition(position: number | undefined): number {
  if (position !== undefined) return position;
  throw new Refusal("unavailable", "The log of events is not set up yet.", { retryAfterSeconds: 1 });
}
