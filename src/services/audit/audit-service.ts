// AuditService: records of the audit log, for the partner that they are about.

import type { Message } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { NIL } from "uuid";
import type { AuditPosition } from "../../domain/audit/trail.ts";
import type { AuditService, ListAuditRecordsRequest } from "../../gen/assessment/v1/audit_service_pb.ts";
import { isUuid } from "../../kernel/ids.ts";
import type { PartnerCall, ServiceImpl } from "../../pipeline/call.ts";
import type { CallDependencies, Dependencies } from "../dependencies.ts";
import { parseCursor, readPage } from "../pages.ts";
import { toHex } from "./anchors.ts";

const defaultPageSize = 100;
const cursorPattern = /^(\d{1,14})\.([0-9a-f-]{36})\.(\d{1,15})$/;
const endOfTime = new Date(Date.UTC(9999, 11, 31));

/** The implementation of AuditService. */
export function createAuditService(deps: CallDependencies): ServiceImpl<typeof AuditService> {
  return {
    listAuditRecords: (request, call) => listAuditRecords(deps, request, call),
  };
}

/** A page of the records of a partner, the newest first; `next` is empty if nothing follows. Throws `invalid_request`. */
export async function listAuditRecords(
  { audit }: Pick<Dependencies, "audit">,
  { after, pageSize, from, until, sessionId }: Omit<ListAuditRecordsRequest, keyof Message>,
  { partnerId, signal }: PartnerCall,
) {
  // `until` is exclusive: start before the first position of that time.
  const end = { at: until === undefined ? endOfTime : timestampDate(until), writer: NIL, sequence: 0 };
  const cursor = parseCursor(after, parsePosition);
  const before = cursor !== undefined && cursor.at < end.at ? cursor : end;
  const range = { from: from === undefined ? new Date(0) : timestampDate(from), before };
  const read = (limit: number) => audit.listRecords(partnerId, sessionId?.toLowerCase(), range, limit, signal);
  const { rows, next } = await readPage(pageSize || defaultPageSize, read, formatPosition);
  return { records: rows.map((record) => ({ ...record, hash: toHex(record.hash) })), next };
}

function formatPosition({ at, writer, sequence }: AuditPosition): string {
  return [at.getTime(), writer, sequence].join(".");
}

function parsePosition(cursor: string): AuditPosition | undefined {
  const [, at, writer = "", sequence] = cursorPattern.exec(cursor) ?? [];
  return isUuid(writer) ? { at: new Date(Number(at)), writer, sequence: Number(sequence) } : undefined;
}
