// Pages of lists: a cursor names the last row of the page before it.
import { invalidFieldError } from "../kernel/errors/refusal.ts";

/** The row before a page; undefined: it is the first one. Throws `invalid_request`. @param member with the cursor */
export function parseCursor<T>(cursor: string, parse: (text: string) => T | undefined, member = "after") {
  const row = cursor === "" ? undefined : parse(cursor);
  if (row !== undefined || cursor === "") return row;
  const detail = "A cursor is the `next` of a response, or empty.";
  throw invalidFieldError([member], "invalid_format", detail);
}

/** Rows that one call reads to find those that match. */
const maxScanned = 1_000;

/**
 * The rows of a page, and the cursor of the next one; empty if none follow. Where many rows do not match, a page may have
 * fewer than its size although others follow.
 * @param matches undefined: all rows do
 */
export async function readPage<T>(
  size: number,
  read: (limit: number) => Promise<readonly T[]>,
  toCursor: (last: T) => string,
  matches?: (row: T) => boolean,
): Promise<{ readonly rows: readonly T[]; readonly next: string }> {
  const limit = matches === undefined ? size + 1 : maxScanned;
  const candidates = await read(limit);
  const matchingRows = matches === undefined ? candidates : candidates.filter(matches);
  const rows = matchingRows.slice(0, size);
  const lastRead = candidates.length < limit ? undefined : candidates.at(-1);
  const last = matchingRows.length > size ? rows.at(-1) : lastRead;
  return { rows, next: last === undefined ? "" : toCursor(last) };
}
