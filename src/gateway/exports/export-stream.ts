// The body of an export: pages are fetched as fast as the reader takes them, and no faster.
import { Refusal } from "../../kernel/errors/refusal.ts";

/** A response that has a line for its cursor ends after this many sessions, or this time. */
export const maxExportRows = 50_000;
export const maxExportMs = 60_000;
/** One without such a line has everything, or breaks off: so it may take longer. */
export const maxWholeMs = 600_000;

export interface ExportText<S> {
  /** Sessions that are written before other calls may run. */
  readonly batchSize: number;
  /** Text before the first row. */
  readonly head: string;
  row(session: S): string;
  /** Text between two rows. */
  readonly separator: string;
  /** Text after the last row, with the cursor. Undefined: there is no place for one, so a response is whole, or breaks off. */
  readonly tail: ((nextCursor: string, atEnd: boolean) => string) | undefined;
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
 * that page: the reader continues from there. Throws if the text has no place for a cursor.
 * @param first the page that was read before the response began
 */
export async function* exportText<S>(
  first: ExportPage<S>,
  read: ReadPage<S>,
  text: ExportText<S>,
  time: ExportTime,
): AsyncGenerator<string> {
  const { batchSize, separator, tail } = text;
  const maxRows = tail === undefined ? Number.POSITIVE_INFINITY : maxExportRows;
  yield text.head;
  let [last, rows] = [first, 0];
  for await (const page of pagesFrom(first, read, time, maxDuration(text))) {
    for (let index = 0; index < page.sessions.length; index += batchSize) {
      let piece = "";
      for (const [offset, session] of page.sessions.slice(index, index + batchSize).entries())
        piece += (rows + index + offset === 0 ? "" : separator) + text.row(session);
      yield piece;
      await time.yieldToCalls();
    }
    rows += page.sessions.length;
    last = page;
    if (rows >= maxRows) break;
  }
  if (tail !== undefined) yield tail(last.nextCursor, last.atEnd);
  else if (!last.atEnd) throw new Refusal("unavailable", "A page of the export cannot be read.");
}

/** The time in which pages are read. */
export function maxDuration({ tail }: Pick<ExportText<never>, "tail">): number {
  return tail === undefined ? maxWholeMs : maxExportMs;
}

/** Pages to the end, or to the last one that can be fetched in time; retried while the core is too busy. */
async function* pagesFrom<S>(
  first: ExportPage<S>,
  read: ReadPage<S>,
  { now, wait }: Pick<ExportTime, "now" | "wait">,
  maxMs: number,
): AsyncGenerator<ExportPage<S>> {
  const end = now() + maxMs;
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
