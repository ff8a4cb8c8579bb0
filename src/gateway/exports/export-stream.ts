// The body of an export: pages are fetched as fast as the reader takes them, and no faster.
import { Refusal } from "../../kernel/errors/refusal.ts";

/** A response ends after this many sessions, or this time. */
export const maxExportRows = 50_000;
export const maxExportMs = 60_000;

export interface ExportText<S> {
  /** Sessions that are written before other calls may run. */
  readonly turn: number;
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
  const { turn, separator } = text;
  const end = time.now() + maxExportMs;
  yield text.head;
  let [page, cursor, rows]: [ExportPage<S> | undefined, string, number] = [first, first.nextCursor, 0];
  while (page !== undefined) {
    for (let index = 0; index < page.sessions.length; index += turn) {
      let piece = "";
      for (const [offset, session] of page.sessions.slice(index, index + turn).entries())
        piece += (rows + index + offset === 0 ? "" : separator) + text.row(session);
      yield piece;
      await time.yieldToCalls();
    }
    rows += page.sessions.length;
    cursor = page.nextCursor;
    if (page.atEnd || rows >= maxExportRows || time.now() >= end) break;
    page = await readInTime(cursor, read, time, end);
  }
  yield text.tail(cursor, page?.atEnd ?? false);
}

/** A page, retried while the core is too busy; undefined if it cannot be fetched in time. */
export async function readInTime<S>(
  cursor: string,
  read: ReadPage<S>,
  { now, wait }: Pick<ExportTime, "now" | "wait">,
  end: number,
): Promise<ExportPage<S> | undefined> {
  for (;;) {
    try {
      return await read(cursor);
    } catch (error) {
      const { retryAfterSeconds } = error instanceof Refusal ? error : {};
      if (retryAfterSeconds === undefined || now() + retryAfterSeconds * 1000 >= end) return undefined;
      await wait(retryAfterSeconds * 1000);
    }
  }
}
