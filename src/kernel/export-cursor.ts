// Cursors of exports, which the domain makes and REST's CSV looks into.
import { isUuid } from "./formats.ts";

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
  if (!isUuid(settled) || !isUuid(position) || more.length > 0) return undefined;
  return { settled, position: position < settled ? settled : position };
}
