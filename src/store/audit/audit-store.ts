// The audit log in MySQL.
import type { Knex } from "knex";
import { repeatable } from "../../database/connection.ts";
import { isDuplicateKey } from "../../database/database-errors.ts";
import { bytesToUuid, uuidToBytes } from "../../database/rows.ts";
import { executeText, fetchRows, write } from "../../database/statement.ts";
import type { AuditRange, AuditStore } from "../../domain/audit/audit-port.ts";
import { insertRecords, auditStatements as statements } from "./audit-statements.ts";
import { recordToRow, toAnchor, toRecord } from "./rows.ts";

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
