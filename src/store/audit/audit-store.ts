// The audit log in MySQL.
import type { Knex } from "knex";
import type { RowDataPacket } from "mysql2";
import { repeatable } from "../../database/connection.ts";
import { isDuplicateKey } from "../../database/database-errors.ts";
import { bytesToUuid, executeText, fetchRows, fromRow, sql, uuidToBytes, write } from "../../database/statement.ts";
import type { Anchor, AuditRange, AuditRecord, ChainHead } from "../../domain/audit/trail.ts";

const recordColumns =
  "writer, sequence, at, partner_id, client_id, action, session_id, target_id, request_id, outcome, hash";

/** Adds records, as text because the number of records varies. */
const insertRecords = `INSERT INTO audit_log (${recordColumns}) VALUES ?`;

/** After a position, by time, chain and position in the chain, descending. */
const beforePosition = "at <= :at AND (at < :at OR writer < :writer OR (writer = :writer AND sequence < :sequence))";
const newestFirst = "ORDER BY at DESC, writer DESC, sequence DESC LIMIT :limit";

const anchorColumns = "sequence, at, content, hash, key_id, signature";

/** Every statement of the audit store. */
export const statements = {
  listOfPartner: sql`SELECT ${recordColumns} FROM audit_log FORCE INDEX (audit_log_partner)
    WHERE partner_id = :partnerId AND at >= :from AND ${beforePosition} ${newestFirst}`,
  listOfSession: sql`SELECT ${recordColumns} FROM audit_log FORCE INDEX (audit_log_session)
    WHERE session_id = :sessionId AND partner_id = :partnerId AND at >= :from AND ${beforePosition} ${newestFirst}`,
  listChain: sql`SELECT ${recordColumns} FROM audit_log FORCE INDEX (PRIMARY)
    WHERE writer = :writer AND sequence > :after ORDER BY sequence LIMIT :limit`,
  findHeadAfter: sql`SELECT writer, sequence, hash FROM audit_log FORCE INDEX (PRIMARY)
    WHERE writer = (SELECT MIN(writer) FROM audit_log FORCE INDEX (PRIMARY) WHERE writer > :writer)
    ORDER BY sequence DESC LIMIT 1`,
  findLastAnchor: sql`SELECT ${anchorColumns} FROM audit_anchors WHERE sequence > 0 ORDER BY sequence DESC LIMIT 1`,
  listAnchors: sql`SELECT ${anchorColumns} FROM audit_anchors WHERE sequence > :after ORDER BY sequence LIMIT :limit`,
  insertAnchor: sql`INSERT INTO audit_anchors (at, content, hash, key_id, sequence, signature)
    VALUES (:at, :content, :hash, :keyId, :sequence, :mac)`,
  listRecordNumbers: sql`SELECT sequence
    FROM audit_log FORCE INDEX (PRIMARY) WHERE writer = :writer ORDER BY sequence LIMIT :limit`,
  deleteRecords: sql`DELETE FROM audit_log WHERE writer = :writer AND sequence <= :sequence`,
  listAnchorNumbers: sql`SELECT sequence FROM audit_anchors WHERE sequence < :before ORDER BY sequence LIMIT :limit`,
  deleteAnchors: sql`DELETE FROM audit_anchors WHERE sequence <= :sequence`,
};

export type AuditStore = ReturnType<typeof createAuditStore>;

export function createAuditStore(db: Knex) {
  return {
    /** Adds records of one chain, all or none; safe to repeat, since nobody else adds to the chain. */
    async append(records: readonly AuditRecord[], signal: AbortSignal): Promise<void> {
      try {
        const rows = records.map(recordToRow);
        await repeatable(db, signal, (connection) => executeText(connection, insertRecords, [rows]));
      } catch (error) {
        // An earlier attempt succeeded.
        if (!isDuplicateKey(error)) throw error;
      }
    },

    /** Records of a partner, the newest first, at most `limit`. @param sessionId of this session alone, which need not exist */
    async listRecords(
      partnerId: string,
      sessionId: string | undefined,
      { from, before: { at, writer, sequence } }: AuditRange,
      limit: number,
      signal: AbortSignal,
    ) {
      const values = { partnerId, from, at, writer, sequence, limit };
      const rows =
        sessionId === undefined
          ? await fetchRows(db, statements.listOfPartner, values, signal)
          : await fetchRows(db, statements.listOfSession, { ...values, sessionId }, signal);
      return rows.map(fromRow<AuditRecord>);
    },

    /** Records of a chain after a position, in order, at most `limit`. */
    async listChain(writer: string, after: number, limit: number, signal: AbortSignal) {
      return (await fetchRows(db, statements.listChain, { writer, after, limit }, signal)).map(fromRow<AuditRecord>);
    },

    /** The last record of the first chain whose writer is greater; undefined if there is none. */
    async findHeadAfter(writer: string, signal: AbortSignal): Promise<ChainHead | undefined> {
      const [row] = await fetchRows(db, statements.findHeadAfter, { writer }, signal);
      return row && { writer: bytesToUuid(row.writer), sequence: row.sequence, hash: row.hash };
    },

    async findLastAnchor(signal: AbortSignal): Promise<Anchor | undefined> {
      const [row] = await fetchRows(db, statements.findLastAnchor, {}, signal);
      return row && toAnchor(row);
    },

    /** Anchors after a number, in order, at most `limit`. */
    async listAnchors(after: number, limit: number, signal: AbortSignal) {
      return (await fetchRows(db, statements.listAnchors, { after, limit }, signal)).map(toAnchor);
    },

    /** False: there already is an anchor of that number, and nothing was added. */
    async insertAnchor({ signature, ...anchor }: Anchor, signal: AbortSignal): Promise<boolean> {
      const values = { ...anchor, keyId: signature?.keyId ?? null, mac: signature?.mac ?? null };
      try {
        await write(db, statements.insertAnchor, values, signal);
        return true;
      } catch (error) {
        // Another process was faster; or our earlier attempt seemed to fail but succeeded, and the next anchor follows it.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /** Removes records of a chain, the oldest first, at most `limit`. Returns how many. */
    async removeRecords(writer: string, limit: number, signal: AbortSignal): Promise<number> {
      const found = await fetchRows(db, statements.listRecordNumbers, { writer, limit }, signal);
      const sequence = found.at(-1)?.sequence;
      if (sequence !== undefined) await write(db, statements.deleteRecords, { writer, sequence }, signal);
      return found.length;
    },

    /** Removes anchors of lower numbers, at most `limit`. Returns how many. */
    async removeAnchors(before: number, limit: number, signal: AbortSignal): Promise<number> {
      const found = await fetchRows(db, statements.listAnchorNumbers, { before, limit }, signal);
      const sequence = found.at(-1)?.sequence;
      if (sequence !== undefined) await write(db, statements.deleteAnchors, { sequence }, signal);
      return found.length;
    },
  };
}

/** The values of `recordColumns`. */
function recordToRow(record: AuditRecord): unknown[] {
  const { writer, sequence, at, partnerId, clientId, action, sessionId, targetId, requestId, outcome } = record;
  const about = [idToRow(partnerId), idToRow(clientId), action, idToRow(sessionId), idToRow(targetId)];
  return [uuidToBytes(writer), sequence, at, ...about, requestId, outcome, Buffer.from(record.hash)];
}

/** A row of `recordColumns`. */

function toAnchor(row: RowDataPacket): Anchor {
  const { sequence, at, content, hash, key_id: keyId, signature: mac } = row;
  const signature = keyId === null || mac === null ? null : { keyId, mac };
  return { sequence, at, content: content.toString(), hash, signature };
}

function idToRow(id: string | null): Buffer | null {
  return id === null ? null : uuidToBytes(id);
}
