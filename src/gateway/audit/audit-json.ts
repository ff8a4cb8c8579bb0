// Messages of the audit log as the JSON of the interface.
import type { AuditRecord } from "../../gen/assessment/v1/audit_service_pb.ts";
import { toDateTime } from "../sessions/session-json.ts";

/** AuditRecord. */
export function toAuditRecord(record: AuditRecord) {
  const { at, action, outcome, clientId, sessionId, targetId, requestId, writer, sequence, hash } = record;
  return {
    at: toDateTime(at),
    action,
    outcome,
    clientId: clientId ?? null,
    sessionId: sessionId ?? null,
    targetId: targetId ?? null,
    requestId,
    writer,
    sequence: String(sequence),
    hash,
  };
}
