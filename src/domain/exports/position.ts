// The start of a page of an export, and the cursor after it. The server stores nothing between two pages, so the cursor
// alone ensures that a session is not missed that is stored later than another one with a greater id.

import { NIL } from "uuid";
import { invalidFieldError } from "../../kernel/errors/refusal.ts";
import { isUuid } from "../../kernel/ids.ts";
import { computeFirstId } from "../identifiers.ts";

/**
 * Older ids are stored by now, or never will be: a call has 30 seconds, its insert may wait 5 more for a lock, and the
 * clocks of two processes differ by 5 seconds at most.
 */
const settlingMs = 60_000;

/** Two ids of sessions, or ids that no session has, in lower case. */
export interface ExportCursor {
  /** Every session up to this id has been read: sessions stored later have greater ids. */
  readonly safeUntil: string;
  /** The next page begins here. Sessions may still be stored between the two ids. Never less than `safeUntil`. */
  readonly position: string;
}

/** Parses a cursor; undefined if the service did not make the text. */
function parseExportCursor(text: string): ExportCursor | undefined {
  const [safeUntil = "", position = "", ...more] = text.toLowerCase().split(".", 3);
  if (!isUuid(safeUntil) || !isUuid(position) || more.length > 0) return undefined;
  return { safeUntil, position: position < safeUntil ? safeUntil : position };
}

/** The greatest id that is settled at a time. @param time milliseconds since 1970 */
function findSettledId(time: number): string {
  return computeFirstId(time - settlingMs);
}

/**
 * The start of a page. Throws `invalid_request` for an invalid cursor, and for one that is later than now.
 * @param after a cursor, the id of a session, or empty
 * @param now by the service's clock, in milliseconds since 1970
 */
export function readBeginning(after: string, now: number): ExportCursor {
  if (after === "") return startAt(NIL);
  const cursor = parseExportCursor(after);
  if (cursor === undefined && !isUuid(after)) throw invalidFieldError(["after"], "invalid_format", notCursor);
  if (cursor === undefined) return startAt(findSettledIdBefore(after.toLowerCase(), now));
  // A page after that position would miss all sessions until that time.
  if (readIdTime(cursor.safeUntil) > now) throw invalidFieldError(["after"], "cursor_ahead", aheadOfTime);
  const safeUntil = chooseLesser(cursor.safeUntil, findSettledId(now));
  // Sessions between the two ids are read again once they are settled.
  const isOver = readIdTime(safeUntil) < now - 2 * settlingMs;
  return isOver ? startAt(safeUntil) : { safeUntil, position: cursor.position };
}

/**
 * The cursor after a page, as text.
 * @param last the last id of the page; for an empty page, the position at which it began
 * @param isEnd whether nothing came after it
 * @param now when the page began to be read
 */
export function createCursor(begin: ExportCursor, last: string, isEnd: boolean, now: number): string {
  const isUnbroken = begin.position === begin.safeUntil;
  const settled = chooseLesser(last, findSettledId(now));
  const safeUntil = isUnbroken && settled > begin.safeUntil ? settled : begin.safeUntil;
  return `${safeUntil}.${isEnd ? safeUntil : last}`;
}

/**
 * The id that was certainly settled when the session was read: its page continued from what was settled two minutes before at
 * most (`isOver` above), and took 30 seconds at most, within which the session may have been created.
 */
function findSettledIdBefore(sessionId: string, now: number): string {
  const time = readIdTime(sessionId);
  // From a wrong clock, or that of a test twin: it shows nothing about the sessions that were created before it.
  return time > now ? NIL : computeFirstId(time - 3 * settlingMs);
}

function startAt(id: string): ExportCursor {
  return { safeUntil: id, position: id };
}

/** When an id was made, in milliseconds since 1970. */
function readIdTime(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

function chooseLesser(one: string, other: string): string {
  return one < other ? one : other;
}

const aheadOfTime =
  "The cursor is ahead of the time: a clock was wrong when it was created. Continue from an earlier one.";
const notCursor = "A cursor is the `nextCursor` of a response, the id of a session, or empty.";
