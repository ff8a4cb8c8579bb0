// Cursors of exports. Use cases make them, and REST's CSV reads them.
import { isUuid } from "./ids.ts";

/** Two ids of sessions, or ids that no session has, in lower case. */
export interface ExportCursor {
  /** Every session up to this id has been read: sessions stored later have greater ids. */
  readonly settled: string;
  /** The next page begins here. Sessions may still be stored between the two ids. Never less than `settled`. */
  readonly position: string;
}

/** A cursor as text. */
export function formatExportCursor({ settled: settledUntil, position }: ExportCursor): string {
  return `${settledUntil}.${position}`;
}

/** Parses a cursor; undefined if the service did not make the text. */
export function parseExportCursor(text: string): ExportCursor | undefined {
  const [settledUntil = "", position = "", ...more] = text.toLowerCase().split(".", 3);
  if (!isUuid(settledUntil) || !isUuid(position) || more.length > 0) return undefined;
  return { settled: settledUntil, position: position < settledUntil ? settledUntil : position };
}
