// The audit log in MySQL.
import type { Knex } from "knex";
import { inTransaction, repeatable } from "../../database/connection.ts";
import { isDuplicateKey } from "../../database/database-errors.ts";
import { bytesToUuid, uuidToBytes } from "../../database/rows.ts";
import { execute, executeText, fetchRows, write } from "../../database/statement.ts";
import type { AuditRange, AuditStore } from "../../domain/audit/audit-port.ts";
import type { AuditRecord } from "../../domain/audit/record.ts";
import { auditStatements, insertRecords } from "./audit-statements.ts";
import { recordToRow, toAnchor, toChain, toRecord } from "./rows.ts";

/** The audit part of the Store port. */
export function createAuditStore(db: Knex): AuditStore {
  const statements = auditStatements(db);
  const addRecords = (records: readonly AuditRecord[], signal: AbortSignal) => {
    const rows = records.map(recordToRow);
    const [first] = records;
    if (first?.sequence !== 1) {
      return repeatable(db, signal, (connection) => executeText(connection, insertRecords, [rows]));
    }
    const chain = { writer: uuidToBytes(first.writer), startedAt: first.at, anchored: 0 };
    return inTransaction(db, signal, async (connection) => {
      await execute(connection, statements.insertChain, chain);
      await executeText(connection, insertRecords, [rows]);
    });
  };
  return {
    async append(records, signal) {
      try {
        await addRecords(records, signal);
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

    async findHead(writer, signal) {
      const [row] = await fetchRows(db, statements.findHead, { writer: uuidToBytes(writer) }, signal);
      return row && { writer: bytesToUuid(row.writer), sequence: row.sequence, hash: row.hash };
    },

    async listChains(after, limit, signal) {
      const values = { after: uuidToBytes(after), limit };
      return (await fetchRows(db, statements.listChains, values, signal)).map(toChain);
    },

    async listChainsSince(since, after, limit, signal) {
      const values =
        after === null
          ? { startedAt: since, writer: Buffer.alloc(16), limit }
          : { startedAt: after.startedAt, writer: uuidToBytes(after.writer), limit };
      return (await fetchRows(db, statements.listChainsSince, values, signal)).map(toChain);
    },

    async listChainsBefore(before, limit, signal) {
      return (await fetchRows(db, statements.listChainsBefore, { before, limit }, signal)).map(toChain);
    },

    async saveAnchored(writer, sequence, signal) {
      await write(db, statements.saveAnchored, { writer: uuidToBytes(writer), sequence }, signal);
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
        // Another process was faster; or an earlier try of ours was thought lost, and the next anchor comes behind it.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    async removeRecords(writer, limit, signal) {
      const chain = { writer: uuidToBytes(writer) };
      const found = await fetchRows(db, statements.listRecordNumbers, { ...chain, limit }, signal);
      const sequence = found.at(-1)?.sequence;
      if (sequence !== undefined) await write(db, statements.deleteRecords, { ...chain, sequence }, signal);
      if (found.length === limit) return false;
      await write(db, statements.deleteChain, chain, signal);
      return true;
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
