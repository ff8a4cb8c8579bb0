// AuditService: records of the audit log, for the partner that they are about.

import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import type { AuditPosition, AuditRecord } from "../../domain/audit/record.ts";
import type { AuditService } from "../../gen/assessment/v1/audit_service_pb.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { invalidRequest, type Refusal } from "../../kernel/errors/refusal.ts";
import { deadlineOf, principalOf } from "../../pipeline/call.ts";
import type { AuditStore } from "../../store/audit/audit-store.ts";
import { toTimestamp } from "../sessions/session-messages.ts";

const defaultPageSize = 100;
const cursorBytes = 32;
const cursorPattern = /^[A-Za-z0-9_-]{43}$/;
const lastPosition = { writer: "ffffffff-ffff-ffff-ffff-ffffffffffff", sequence: Number.MAX_SAFE_INTEGER };
const firstWriter = "00000000-0000-0000-0000-000000000000";
const latest = new Date(Date.UTC(9999, 11, 31));

export interface AuditQuery {
  readonly after: string;
  /** 0: the default. */
  readonly pageSize: number;
  /** Inclusive. */
  readonly from: Date | undefined;
  /** Exclusive. */
  readonly until: Date | undefined;
  readonly sessionId: string | undefined;
}

interface AuditDeps {
  readonly audit: Pick<AuditStore, "listRecords" | "listSessionRecords">;
}

/** The implementation of AuditService. */
export function auditService(deps: AuditDeps): ServiceImpl<typeof AuditService> {
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

/** A page of the records of a partner, the newest first; `next` is empty if nothing follows. Throws `invalid_request`. */
export async function listAuditRecords(
  { audit }: AuditDeps,
  partnerId: string,
  query: AuditQuery,
  { signal }: Deadline,
): Promise<{ readonly records: readonly AuditRecord[]; readonly next: string }> {
  const size = query.pageSize === 0 ? defaultPageSize : query.pageSize;
  const range = { from: query.from ?? new Date(0), before: startOf(query) };
  const { sessionId } = query;
  const found =
    sessionId === undefined
      ? await audit.listRecords(partnerId, range, size + 1, signal)
      : await audit.listSessionRecords(partnerId, sessionId.toLowerCase(), range, size + 1, signal);
  const records = found.slice(0, size);
  const last = records.at(-1);
  return { records, next: found.length > size && last !== undefined ? cursorOf(last) : "" };
}

/** The position after which the page begins: that of the cursor, but nothing from `until` on. */
function startOf({ after, until }: AuditQuery): AuditPosition {
  // Before the first position of that time.
  const end = until === undefined ? { at: latest, ...lastPosition } : { at: until, writer: firstWriter, sequence: 0 };
  if (after === "") return end;
  const position = positionOf(after);
  return position.at < end.at ? position : end;
}

function cursorOf({ at, writer, sequence }: AuditPosition): string {
  const bytes = Buffer.alloc(cursorBytes);
  bytes.writeBigUInt64BE(BigInt(at.getTime()), 0);
  bytes.write(writer.replaceAll("-", ""), 8, "hex");
  bytes.writeBigUInt64BE(BigInt(sequence), 24);
  return bytes.toString("base64url");
}

function positionOf(cursor: string): AuditPosition {
  if (!cursorPattern.test(cursor)) throw cursorViolation("A cursor is the `next` of a response, or empty.");
  const bytes = Buffer.from(cursor, "base64url");
  const at = Number(bytes.readBigUInt64BE(0));
  const sequence = Number(bytes.readBigUInt64BE(24));
  if (at > latest.getTime() || !Number.isSafeInteger(sequence)) {
    throw cursorViolation("This cursor was not given by the service.");
  }
  const hex = bytes.toString("hex", 8, 24);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)];
  return { at: new Date(at), writer: parts.join("-"), sequence };
}

function cursorViolation(detail: string): Refusal {
  return invalidRequest([{ path: ["after"], code: "invalid_format", detail }]);
}
