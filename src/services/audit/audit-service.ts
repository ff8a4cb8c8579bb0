// AuditService: messages in, use cases of the domain, messages out.

import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import type { AuditStore } from "../../domain/audit/audit-port.ts";
import { listAuditRecords } from "../../domain/audit/listing.ts";
import type { AuditRecord } from "../../domain/audit/record.ts";
import type { AuditService } from "../../gen/assessment/v1/audit_service_pb.ts";
import { deadlineOf, principalOf } from "../../pipeline/call.ts";
import { toTimestamp } from "../sessions/session-messages.ts";

/** The implementation of AuditService. */
export function auditService(deps: {
  readonly audit: Pick<AuditStore, "listRecords" | "listSessionRecords">;
}): ServiceImpl<typeof AuditService> {
  return {
    async listAuditRecords({ after, pageSize, from, until, sessionId }, context) {
      const { partnerId } = principalOf(context);
      const query = { after, pageSize, from: from && toDate(from), until: until && toDate(until), sessionId };
      const { records, next } = await listAuditRecords(deps, partnerId, query, deadlineOf(context));
      return { records: records.map(toRecordMessage), next };
    },
  };
}

/** The time in whole milliseconds; an invalid date for one that no date can hold. */
function toDate({ seconds, nanos }: Timestamp): Date {
  return new Date(Number(seconds) * 1_000 + Math.floor(nanos / 1_000_000));
}

function toRecordMessage(record: AuditRecord) {
  const { at, action, outcome, clientId, sessionId, targetId, requestId, writer, sequence, hash } = record;
  return {
    at: toTimestamp(at),
    action,
    outcome,
    clientId: clientId ?? undefined,
    sessionId: sessionId ?? undefined,
    targetId: targetId ?? undefined,
    requestId,
    writer,
    sequence: BigInt(sequence),
    hash: Buffer.from(hash).toString("hex"),
  };
}
