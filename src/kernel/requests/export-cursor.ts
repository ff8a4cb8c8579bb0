// Cursors of exports. Ids sort by the time at which they were made, but a session may be stored some seconds after
// another one with a later id. So a cursor has two ids: up to which everything was stored when it was read, and the
// last one read.

import type { Violation } from "../errors/violation.ts";
import { isUuid } from "../formats/uuid.ts";

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
