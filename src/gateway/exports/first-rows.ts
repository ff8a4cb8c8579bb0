// CSV exports, which have no line for a cursor. A response of one page has its cursor in a header, so that no reader takes an
// empty file for the end. In a longer response the last row is the cursor, so that row has to be settled.
import { setTimeout } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { parseExportCursor } from "../../kernel/export-cursor.ts";
import { isUuid } from "../../kernel/ids.ts";
import { type ExportPage, type ExportTime, type ReadPage, readInTime } from "./export-stream.ts";

/** A response begins at most this long after its request: proxies time out later. */
export const maxHeadMs = 10_000;

/**
 * The first page with a session, the last page, or the last one that could be fetched in time.
 * @param isWanted false: the caller has left
 */
export async function readToRow<S>(
  first: ExportPage<S>,
  read: ReadPage<S>,
  time: Pick<ExportTime, "now" | "wait">,
  isWanted: () => boolean,
): Promise<ExportPage<S>> {
  const end = time.now() + maxHeadMs;
  let page = first;
  while (page.sessions.length === 0 && !page.atEnd && time.now() < end && isWanted()) {
    const next = await readInTime(page.nextCursor, read, time, end);
    if (next === undefined) break;
    page = next;
  }
  return page;
}

/** The cursor of an export that has no line for one: its last row was settled when it was read. */
export function cursorOfRow(after: string): string {
  return isUuid(after) ? `${after}.${after}` : after;
}

/** Whether the response has only this page: then a header has the cursor. */
export function isWhole<S>(page: ExportPage<S>): boolean {
  return page.atEnd || page.sessions.length === 0 || !isSettled(page);
}

/** Whether no session can come before the end of the page any more. */
function isSettled<S>({ nextCursor }: ExportPage<S>): boolean {
  const cursor = parseExportCursor(nextCursor);
  return cursor !== undefined && cursor.settled === cursor.position;
}

/** Pages up to the last settled session: later ones come in a response whose header has their cursor. */
export function settledPages<S extends { readonly sessionId: string }>(read: ReadPage<S>): ReadPage<S> {
  return async (after) => {
    const page = await read(after);
    const { settled = "" } = parseExportCursor(page.nextCursor) ?? {};
    const sessions = page.sessions.filter(({ sessionId }) => sessionId <= settled);
    return { ...page, sessions, atEnd: page.atEnd || !isSettled(page) };
  };
}

/**
 * The first page of a response without a line for its cursor. If no page follows, a header has the cursor. HEAD reads no
 * page beyond the first.
 */
export async function withoutCursor<S>(
  { method }: FastifyRequest,
  reply: FastifyReply,
  first: ExportPage<S>,
  read: ReadPage<S>,
): Promise<ExportPage<S>> {
  const time = { now: () => performance.now(), wait: setTimeout };
  const page = method === "HEAD" ? first : await readToRow(first, read, time, () => !reply.raw.destroyed);
  if (!isWhole(page)) return page;
  reply.headers({ "next-cursor": page.nextCursor, "at-end": String(page.atEnd) });
  // The header has the cursor, so nothing may follow.
  return { ...page, atEnd: true };
}
