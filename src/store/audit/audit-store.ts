// The audit log in MySQL.
import type { Knex } from "knex";
import { repeatable } from "../../database/connection.ts";
import { isDuplicateKey } from "../../database/database-errors.ts";
import { bytesToUuid, uuidToBytes } from "../../database/rows.ts";
import { executeText, fetchRows, sql, write } from "../../database/statement.ts";
import type { AuditRange, AuditStore } from "../../domain/audit/audit-port.ts";
import { recordColumns, recordToRow, toAnchor, toRecord } from "./rows.ts";

/** Adds records: their number varies, so it is a text with a list. */
const insertRecords = `INSERT INTO audit_log (${recordColumns}) VALUES ?`;

/** After a position, by time, chain and position in the chain, downwards. */
const before = "at <= :at AND (at < :at OR writer < :writer OR (writer = :writer AND sequence < :sequence))";
const newestFirst = "ORDER BY at DESC, writer DESC, sequence DESC LIMIT :limit";

const anchorColumns = "sequence, at, content, hash, key_id, signature";

/** Every statement of the audit store. */
export const statements = {
  listOfPartner: sql`SELECT ${recordColumns} FROM audit_log FORCE INDEX (audit_log_partner)
    WHERE partner_id = :partnerId AND at >= :from AND ${before} ${newestFirst}`,
  listOfSession: sql`SELECT ${recordColumns} FROM audit_log FORCE INDEX (audit_log_session)
    WHERE session_id = :sessionId AND partner_id = :partnerId AND at >= :from AND ${before} ${newestFirst}`,
  listChain: sql`SELECT ${recordColumns} FROM audit_log FORCE INDEX (PRIMARY)
    WHERE writer = :writer AND sequence > :after ORDER BY sequence LIMIT :limit`,
  findHeadAfter: sql`SELECT writer, sequence, hash FROM audit_log FORCE INDEX (PRIMARY)
    WHERE writer = (SELECT MIN(writer) FROM audit_log FORCE INDEX (PRIMARY) WHERE writer > :writer)
    ORDER BY sequence DESC LIMIT 1`,
  findLastAnchor: sql`SELECT ${anchorColumns} FROM audit_anchors WHERE sequence > 0 ORDER BY sequence DESC LIMIT 1`,
  findFirstAnchorSince: sql`SELECT sequence
    FROM audit_anchors FORCE INDEX (audit_anchors_time) WHERE at >= :since ORDER BY at LIMIT 1`,
  listAnchors: sql`SELECT ${anchorColumns} FROM audit_anchors WHERE sequence > :after ORDER BY sequence LIMIT :limit`,
  insertAnchor: sql`INSERT INTO audit_anchors (at, content, hash, key_id, sequence, signature)
    VALUES (:at, :content, :hash, :keyId, :sequence, :mac)`,
  listRecordNumbers: sql`SELECT sequence
    FROM audit_log FORCE INDEX (PRIMARY) WHERE writer = :writer ORDER BY sequence LIMIT :limit`,
  deleteRecords: sql`DELETE FROM audit_log WHERE writer = :writer AND sequence <= :sequence`,
  listAnchorNumbers: sql`SELECT sequence FROM audit_anchors WHERE sequence < :before ORDER BY sequence LIMIT :limit`,
  deleteAnchors: sql`DELETE FROM audit_anchors WHERE sequence <= :sequence`,
};

/** The audit part of the Store port. */
export function createAuditStore(db: Knex): AuditStore {
  return {
    async append(records, signal) {
      try {
        const rows = records.map(recordToRow);
        await repeatable(db, signal, (connection) => executeText(connection, insertRecords, [rows]));
      } catch (error) {
        // An earlier try did happen.
        if (!isDuplicateKey(error)) throw error;
      }
    },

    async listRecords(partnerId, range, limit, signal) {
      const values = { partnerId: uuidToBytes(partnerId), ...rangeToRow(range), limit };
      return (await fetchRows(db, statements.listOfPartner, values, signal)).map(toRecord);
    },

    async listSessionRecords(partnerId, sessionId, range, limit, signal) {
      const ids = { partnerId: uuidToBytes(partnerId), sessionId: uuidToBytes(sessionId) };
      const values = { ...ids, ...rangeToRow(range), limit };
      return (await fetchRows(db, statements.listOfSession, values, signal)).map(toRecord);
    },

    async listChain(writer, after, limit, signal) {
      const values = { writer: uuidToBytes(writer), after, limit };
      return (await fetchRows(db, statements.listChain, values, signal)).map(toRecord);
    },

    async findHeadAfter(writer, signal) {
      const [row] = await fetchRows(db, statements.findHeadAfter, { writer: uuidToBytes(writer) }, signal);
      return row && { writer: bytesToUuid(row.writer), sequence: row.sequence, hash: row.hash };
    },

    async findLastAnchor(signal) {
      const [row] = await fetchRows(db, statements.findLastAnchor, {}, signal);
      return row && toAnchor(row);
    },

    async findFirstAnchorSince(since, signal) {
      const [row] = await fetchRows(db, statements.findFirstAnchorSince, { since }, signal);
      if (row !== undefined) return row.sequence;
      const [last] = await fetchRows(db, statements.findLastAnchor, {}, signal);
      return last?.sequence ?? 0;
    },

    async listAnchors(after, limit, signal) {
      return (await fetchRows(db, statements.listAnchors, { after, limit }, signal)).map(toAnchor);
    },

    async insertAnchor({ sequence, at, content, hash, signature }, signal) {
      const signed = {
        keyId: signature && Buffer.from(signature.keyId),
        mac: signature && Buffer.from(signature.mac),
      };
      const values = { sequence, at, content: Buffer.from(content), hash: Buffer.from(hash), ...signed };
      try {
        await write(db, statements.insertAnchor, values, signal);
        return true;
      } catch (error) {
        // Another process was faster; or an earlier try of ours was thought lost, and the next anchor follows it.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    async removeRecords(writer, limit, signal) {
      const chain = { writer: uuidToBytes(writer) };
      const found = await fetchRows(db, statements.listRecordNumbers, { ...chain, limit }, signal);
      const sequence = found.at(-1)?.sequence;
      if (sequence !== undefined) await write(db, statements.deleteRecords, { ...chain, sequence }, signal);
      return found.length < limit;
    },

    async removeAnchors(before, limit, signal) {
      const found = await fetchRows(db, statements.listAnchorNumbers, { before, limit }, signal);
      const sequence = found.at(-1)?.sequence;
      if (sequence !== undefined) await write(db, statements.deleteAnchors, { sequence }, signal);
      return found.length;
    },
  };
}

function rangeToRow({ from, before: { at, writer, sequence } }: AuditRange) {
  return { from, at, writer: uuidToBytes(writer), sequence };
}
