// The body of an export: pages are fetched as fast as the reader takes them, and no faster. A CSV has no line for a cursor: a
// response of one page has its cursor in a header, so that no reader takes an empty file for the end; in a longer response
// the last row is the cursor, so that row has to be settled.
import { setTimeout } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { parseExportCursor } from "../../kernel/export-cursor.ts";
import { isUuid } from "../../kernel/ids.ts";

/** A response ends after this many sessions, or this time. */
export const maxExportRows = 50_000;
export const maxExportMs = 60_000;
/** A response begins at most this long after its request: proxies time out later. */
export const maxHeadMs = 10_000;

export interface ExportText<S> {
  /** Sessions that are written before other calls may run. */
  readonly batchSize: number;
  /** Text before the first row. */
  readonly head: string;
  row(session: S): string;
  /** Text between two rows. */
  readonly separator: string;
  /** Text after the last row. */
  tail(nextCursor: string, atEnd: boolean): string;
}

/** A page as the core returns it. */
export interface ExportPage<S> {
  readonly sessions: readonly S[];
  readonly nextCursor: string;
  readonly atEnd: boolean;
}

/** Fetches the page after a cursor. */
export type ReadPage<S> = (after: string) => Promise<ExportPage<S>>;

export interface ExportTime {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  wait(milliseconds: number): Promise<unknown>;
  /** Lets other calls run. */
  yieldToCalls(): Promise<void>;
}

/**
 * The text of an export, in chunks of a few sessions. If a page cannot be fetched the export ends, with the cursor before
 * that page: the reader continues from there.
 * @param first the page that was read before the response began
 */
export async function* exportText<S>(
  first: ExportPage<S>,
  read: ReadPage<S>,
  text: ExportText<S>,
  time: ExportTime,
): AsyncGenerator<string> {
  const { batchSize, separator } = text;
  yield text.head;
  let [last, rows] = [first, 0];
  for await (const page of pagesFrom(first, read, time, maxExportMs)) {
    for (let index = 0; index < page.sessions.length; index += batchSize) {
      let piece = "";
      for (const [offset, session] of page.sessions.slice(index, index + batchSize).entries())
        piece += (rows + index + offset === 0 ? "" : separator) + text.row(session);
      yield piece;
      await time.yieldToCalls();
    }
    rows += page.sessions.length;
    last = page;
    if (rows >= maxExportRows) break;
  }
  yield text.tail(last.nextCursor, last.atEnd);
}

/** Pages to the end, or to the last one that can be fetched in time; retried while the core is too busy. */
async function* pagesFrom<S>(
  first: ExportPage<S>,
  read: ReadPage<S>,
  { now, wait }: Pick<ExportTime, "now" | "wait">,
  mostMs: number,
): AsyncGenerator<ExportPage<S>> {
  const end = now() + mostMs;
  let page = first;
  yield page;
  while (!page.atEnd && now() < end) {
    try {
      page = await read(page.nextCursor);
    } catch (error) {
      const { retryAfterSeconds } = error instanceof Refusal ? error : {};
      if (retryAfterSeconds === undefined || now() + retryAfterSeconds * 1000 >= end) return;
      await wait(retryAfterSeconds * 1000);
      continue;
    }
    yield page;
  }
}

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
  let last = first;
  for await (const page of pagesFrom(first, read, time, maxHeadMs)) {
    last = page;
    if (page.sessions.length > 0 || !isWanted()) break;
  }
  return last;
}

/** The cursor of an export that has no line for one: its last row was settled when it was read. */
export function cursorOfRow(after: string): string {
  return isUuid(after) ? `${after}.${after}` : after;
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
    const { settled: settledUntil = "" } = parseExportCursor(page.nextCursor) ?? {};
    const sessions = page.sessions.filter(({ sessionId }) => sessionId <= settledUntil);
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
  // More pages follow, and the last row of each is a cursor.
  if (!page.atEnd && page.sessions.length > 0 && isSettled(page)) return page;
  reply.headers({ "next-cursor": page.nextCursor, "at-end": String(page.atEnd) });
  // The header has the cursor, so nothing may follow.
  return { ...page, atEnd: true };
}
