// Rows of the audit log as the domain knows them.
import type { RowDataPacket } from "mysql2";
import { bytesToUuid, uuidToBytes } from "../../database/rows.ts";
import type { Anchor } from "../../domain/audit/audit-port.ts";
import type { AuditRecord } from "../../domain/audit/record.ts";

export const recordColumns =
  "writer, sequence, at, partner_id, client_id, action, session_id, target_id, request_id, outcome, hash";

/** The values of `recordColumns`. */
export function recordToRow(record: AuditRecord): unknown[] {
  const { writer, sequence, at, partnerId, clientId, action, sessionId, targetId, requestId, outcome } = record;
  const about = [idToRow(partnerId), idToRow(clientId), action, idToRow(sessionId), idToRow(targetId)];
  return [uuidToBytes(writer), sequence, at, ...about, requestId, outcome, Buffer.from(record.hash)];
}

/** A row of `recordColumns`. */
export function toRecord(row: RowDataPacket): AuditRecord {
  return {
    writer: bytesToUuid(row.writer),
    sequence: row.sequence,
    at: row.at,
    partnerId: rowToId(row.partner_id),
    clientId: rowToId(row.client_id),
    action: row.action,
    sessionId: rowToId(row.session_id),
    targetId: rowToId(row.target_id),
    requestId: row.request_id,
    outcome: row.outcome,
    hash: row.hash,
  };
}

export function toAnchor(row: RowDataPacket): Anchor {
  const { sequence, at, content, hash, key_id: keyId, signature: mac } = row;
  const signature = keyId === null || mac === null ? null : { keyId, mac };
  return { sequence, at, content: content.toString(), hash, signature };
}

function idToRow(id: string | null): Buffer | null {
  return id === null ? null : uuidToBytes(id);
}

function rowToId(bytes: Buffer | null): string | null {
  return bytes === null ? null : bytesToUuid(bytes);
}
