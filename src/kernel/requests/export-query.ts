// What a request for an export is held to, whoever reads it first.
import type { Violation } from "../errors/violation.ts";
import { isUuid, versionViolations } from "../formats.ts";
import { groupIdViolations } from "./group-request.ts";

export const maxExportPageSize = 200;

export interface ExportQuery {
  /** The `nextCursor` of a response, or the id of a session; empty: from the first one. */
  readonly after: string;
  /** 0: the default. */
  readonly pageSize: number;
  readonly version?: number | undefined;
  /** Of this group only. */
  readonly groupId?: string | undefined;
}

/** Every violation of a query. */
export function exportQueryViolations({ after, pageSize, version, groupId }: ExportQuery): Violation[] {
  const violations = cursorViolations(after);
  if (pageSize < 0 || pageSize > maxExportPageSize) {
    const detail = `A page has 1 to ${maxExportPageSize} sessions.`;
    violations.push({ path: ["pageSize"], code: "out_of_range", detail });
  }
  return [...violations, ...versionViolations(version), ...groupIdViolations(groupId)];
}

export const maxSubjectExportPageSize = 10;

export interface SubjectExportQuery {
  /** The `nextCursor` of a response, or the id of a session; empty: from the first one. */
  readonly after: string;
  /** 0: the default. */
  readonly pageSize: number;
}

/** Every violation of a query. */
export function subjectExportQueryViolations({ after, pageSize }: SubjectExportQuery): Violation[] {
  const violations = cursorViolations(after);
  if (pageSize < 0 || pageSize > maxSubjectExportPageSize) {
    const detail = `A page has 1 to ${maxSubjectExportPageSize} sessions.`;
    violations.push({ path: ["pageSize"], code: "out_of_range", detail });
  }
  return violations;
}

/** Two ids of sessions, or ids that none has, in lower case. */
export interface ExportCursor {
  /** Every session up to this id has been read: whatever is stored later has a greater id. */
  readonly settled: string;
  /** Where the next page begins. Between both ids sessions may still be stored. Never less than `settled`. */
  readonly position: string;
}

/** A cursor as readers get it. */
export function formatExportCursor({ settled, position }: ExportCursor): string {
  return `${settled}.${position}`;
}

/** The cursor of a text that the service gave; undefined for any other text. */
export function parseExportCursor(text: string): ExportCursor | undefined {
  const [settled = "", position = "", ...more] = text.toLowerCase().split(".", 3);
  if (!isSessionId(settled) || !isSessionId(position) || more.length > 0) return undefined;
  return { settled, position: position < settled ? settled : position };
}

/** Whether a text is the id of a session, as far as the text tells. */
export function isSessionId(text: string): boolean {
  return isUuid(text);
}

/** What is wrong with where an export is to begin. */
export function cursorViolations(after: string): Violation[] {
  if (after === "" || isSessionId(after) || parseExportCursor(after) !== undefined) return [];
  const detail = "A cursor is the `nextCursor` of a response, the id of a session, or empty.";
  return [{ path: ["after"], code: "invalid_format", detail }];
}
