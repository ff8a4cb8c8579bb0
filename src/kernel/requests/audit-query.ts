// What a request for records of the audit log is held to, whoever reads it first.

import type { Violation } from "../errors/violation.ts";
import { isUuid } from "../formats.ts";

export const maxAuditPageSize = 500;

/** 8 bytes of time, 16 of a chain, 8 of a place in it, in base64url. */
const cursorPattern = /^[A-Za-z0-9_-]{43}$/;

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

/** Every violation of a query. */
export function auditQueryViolations({ after, pageSize, sessionId }: AuditQuery): Violation[] {
  const violations: Violation[] = [];
  if (after !== "" && !cursorPattern.test(after)) {
    const detail = "A cursor is the `next` of a response, or empty.";
    violations.push({ path: ["after"], code: "invalid_format", detail });
  }
  if (pageSize < 0 || pageSize > maxAuditPageSize) {
    const detail = `A page has 1 to ${maxAuditPageSize} records.`;
    violations.push({ path: ["pageSize"], code: "out_of_range", detail });
  }
  if (sessionId !== undefined && !isUuid(sessionId)) {
    violations.push({ path: ["sessionId"], code: "invalid_format", detail: "A session id is a UUID." });
  }
  return violations;
}
