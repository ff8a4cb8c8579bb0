// The first page of an export that has no line for its cursor: what its head can tell, so that no reader takes a file
// without a row for the end.
import { setTimeout } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type ExportPage, type ExportTime, type ReadPage, readInTime } from "./export-stream.ts";

/** So long a response may begin after its request: no proxy gives it up before. */
export const maxHeadMs = 10_000;

/**
 * The first page with a session, the last page, or the last that could be had in time.
 * @param isWanted false: nobody waits for it any more
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

/** Whether the page is all that the response has: then its head tells the cursor. */
export function isWhole<S>({ sessions, atEnd }: ExportPage<S>): boolean {
  return atEnd || sessions.length === 0;
}

/**
 * The page that a response without a line for its cursor begins with. Where nothing follows it, the head has the cursor.
 * HEAD reads no page beyond the first.
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
  // What the head has told, nothing may follow.
  return { ...page, atEnd: true };
}
