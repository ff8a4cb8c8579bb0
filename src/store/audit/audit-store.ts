// The audit log in MySQL.
import type { Database } from "../../database/database.ts";
import { sql } from "../../database/statement.ts";
import {
  type Anchor,
  type AuditRange,
  type AuditRecord,
  anchorFields,
  headFields,
  recordFields,
} from "../../domain/audit/trail.ts";
import { insertInto, table } from "../table.ts";

const heads = table(headFields);
const records = table(recordFields);
const anchors = table(anchorFields);

/** After a position, by time, chain and position in the chain, descending. */
const beforePosition = "at <= :at AND (at < :at OR writer < :writer OR (writer = :writer AND sequence < :sequence))";
const newestFirst = "ORDER BY at DESC, writer DESC, sequence DESC LIMIT :limit";

/** Every statement of the audit store. */
export const statements = {
  insertRecords: sql`INSERT INTO audit_log (${records.columns}) VALUES :rows`,
  listByPartner: records.select`FROM audit_log FORCE INDEX (audit_log_partner)
    WHERE partner_id = :partnerId AND at >= :from AND ${beforePosition} ${newestFirst}`,
  listBySession: records.select`FROM audit_log FORCE INDEX (audit_log_session)
    WHERE session_id = :sessionId AND partner_id = :partnerId AND at >= :from AND ${beforePosition} ${newestFirst}`,
  listChain: records.select`FROM audit_log FORCE INDEX (PRIMARY)
    WHERE writer = :writer AND sequence > :after ORDER BY sequence LIMIT :limit`,
  findHeadAfter: heads.select`FROM audit_log FORCE INDEX (PRIMARY)
    WHERE writer = (SELECT MIN(writer) FROM audit_log FORCE INDEX (PRIMARY) WHERE writer > :writer)
    ORDER BY sequence DESC LIMIT 1`,
  findLastAnchor: anchors.select`FROM audit_anchors WHERE sequence > 0 ORDER BY sequence DESC LIMIT 1`,
  listAnchors: anchors.select`FROM audit_anchors WHERE sequence > :after ORDER BY sequence LIMIT :limit`,
  insertAnchor: insertInto("audit_anchors", anchors),
  listRecordNumbers: sql`SELECT sequence
    FROM audit_log FORCE INDEX (PRIMARY) WHERE writer = :writer ORDER BY sequence LIMIT :limit`,
  deleteRecords: sql`DELETE FROM audit_log WHERE writer = :writer AND sequence <= :sequence`,
  listOldestAnchors: sql`SELECT sequence, at < :before AS is_old FROM audit_anchors
    WHERE sequence > 0 ORDER BY sequence LIMIT :limit`,
  deleteAnchors: sql`DELETE FROM audit_anchors WHERE sequence <= :sequence`,
};

export type AuditStore = ReturnType<typeof createAuditStore>;

export function createAuditStore(db: Database) {
  return {
    /** Adds records of one chain, all or none; safe to repeat, since nobody else adds to the chain. */
    async append(list: readonly AuditRecord[], signal: AbortSignal): Promise<void> {
      // False: an earlier attempt succeeded.
      await db.insertIfAbsent(statements.insertRecords, { rows: list.map(records.toList) }, signal);
    },

    /** Records of a partner, the newest first, at most `limit`. @param sessionId of this session alone, which need not exist */
    listRecords(
      partnerId: string,
      sessionId: string | undefined,
      { from, before: { at, writer, sequence } }: AuditRange,
      limit: number,
      signal: AbortSignal,
    ) {
      const statement = sessionId === undefined ? statements.listByPartner : statements.listBySession;
      return db.findAll(statement, { partnerId, sessionId, from, at, writer, sequence, limit }, signal);
    },

    /** Records of a chain after a position, in order, at most `limit`. */
    listChain: (writer: string, after: number, limit: number, signal: AbortSignal) =>
      db.findAll(statements.listChain, { writer, after, limit }, signal),

    /** The last record of the first chain whose writer is greater; undefined if there is none. */
    findHeadAfter: (writer: string, signal: AbortSignal) => db.findOne(statements.findHeadAfter, { writer }, signal),

    findLastAnchor: (signal: AbortSignal) => db.findOne(statements.findLastAnchor, {}, signal),

    /** Anchors after a number, in order, at most `limit`. */
    listAnchors: (after: number, limit: number, signal: AbortSignal) =>
      db.findAll(statements.listAnchors, { after, limit }, signal),

    /** Inserts an anchor. False: another process has taken its number. */
    async insertAnchor(anchor: Anchor, signal: AbortSignal): Promise<boolean> {
      if (await db.insertIfAbsent(statements.insertAnchor, anchors.toRow(anchor), signal)) return true;
      // An earlier attempt may have stored it.
      const values = { after: anchor.sequence - 1, limit: 1 };
      const storedAnchor = await db.findOne(statements.listAnchors, values, signal);
      return storedAnchor !== undefined && Buffer.from(storedAnchor.hash).equals(anchor.hash);
    },

    /** Removes records of a chain, the oldest first, at most `limit`. Returns how many. */
    async removeRecords(writer: string, limit: number, signal: AbortSignal): Promise<number> {
      const rows = await db.findAll(statements.listRecordNumbers, { writer, limit }, signal);
      const sequence = rows.at(-1)?.sequence;
      if (sequence !== undefined) await db.write(statements.deleteRecords, { writer, sequence }, signal);
      return rows.length;
    },

    /**
     * Removes the oldest anchors, at most `limit`, except the last two from before the time: the first one that is kept cannot
     * be verified, and the second proves the age of the removed ones. @returns whether there may be more
     */
    async removeAnchors(before: Date, limit: number, signal: AbortSignal): Promise<boolean> {
      const rows = await db.findAll(statements.listOldestAnchors, { before, limit: limit + 2 }, signal);
      const last = rows.filter(({ is_old }) => is_old === 1).at(-3);
      if (last === undefined) return false;
      await db.write(statements.deleteAnchors, { sequence: last.sequence }, signal);
      return rows.length === limit + 2;
    },
  };
}
