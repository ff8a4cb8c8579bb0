// AuditService: records of the audit log, for the partner that they are about.

import type { Message } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { NIL } from "uuid";
import type { AuditPosition } from "../../domain/audit/trail.ts";
import {
  AuditRecordSchema,
  type AuditService,
  type ListAuditRecordsRequest,
} from "../../gen/assessment/v1/audit_service_pb.ts";
import { fromModel } from "../../json/message-from-model.ts";
import { invalidRequest } from "../../kernel/errors/refusal.ts";
import { isUuid } from "../../kernel/ids.ts";
import type { PartnerCall, ServiceImpl } from "../../pipeline/call.ts";
import type { Needs } from "../dependencies.ts";
import { toPage } from "../pages.ts";

const defaultPageSize = 100;
const cursorPattern = /^(\d{1,14})\.([0-9a-f-]{36})\.(\d{1,15})$/;
const firstWriter = NIL;
const latest: AuditPosition = {
  at: new Date(Date.UTC(9999, 11, 31)),
  writer: "ffffffff-ffff-ffff-ffff-ffffffffffff",
  sequence: Number.MAX_SAFE_INTEGER,
};

const toRecord = fromModel(AuditRecordSchema);

/** The implementation of AuditService. */
export function auditService(deps: Needs<"audit">): ServiceImpl<typeof AuditService> {
  return {
    listAuditRecords: (request, call) => listAuditRecords(deps, request, call),
  };
}

/** A page of the records of a partner, the newest first; `next` is empty if nothing follows. Throws `invalid_request`. */
export async function listAuditRecords(
  { audit }: Needs<"audit">,
  { after, pageSize, from, until, sessionId }: Omit<ListAuditRecordsRequest, keyof Message>,
  { partnerId, signal }: PartnerCall,
) {
  const size = pageSize === 0 ? defaultPageSize : pageSize;
  // `until` is exclusive: start before the first position of that time.
  const end = until && { at: timestampDate(until), writer: firstWriter, sequence: 0 };
  const cursor = after === "" ? latest : parseCursor(after);
  const before = end === undefined || cursor.at < end.at ? cursor : end;
  const range = { from: from === undefined ? new Date(0) : timestampDate(from), before };
  const found = await audit.listRecords(partnerId, sessionId?.toLowerCase(), range, size + 1, signal);
  const { rows, last } = toPage(found, size);
  const records = rows.map((record) =>
    toRecord({ ...record, sequence: BigInt(record.sequence), hash: Buffer.from(record.hash).toString("hex") }),
  );
  return { records, next: last === undefined ? "" : formatCursor(last) };
}

function formatCursor({ at, writer, sequence }: AuditPosition): string {
  return [at.getTime(), writer, sequence].join(".");
}

function parseCursor(cursor: string): AuditPosition {
  const [, at, writer = "", sequence] = cursorPattern.exec(cursor) ?? [];
  if (isUuid(writer)) return { at: new Date(Number(at)), writer, sequence: Number(sequence) };
  const detail = "A cursor is the `next` of a response, or empty.";
  throw invalidRequest([{ path: ["after"], code: "invalid_format", detail }]);
}
