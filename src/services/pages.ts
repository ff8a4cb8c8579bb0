// Pages of lists: a cursor is the id of the last row of the page before it.
import { invalidRequest } from "../kernel/errors/refusal.ts";
import { parseUuid } from "../kernel/ids.ts";

/** The id that a page begins after; undefined: it is the first one. Throws `invalid_request`. @param member that has the cursor */
export function parseCursor(member: "after" | "pageToken", cursor: string): string | undefined {
  const id = parseUuid(cursor);
  if (id !== undefined || cursor === "") return id;
  const detail = "A cursor is the `next` of a response, or empty.";
  throw invalidRequest([{ path: [member], code: "invalid_format", detail }]);
}

/** The rows of a page, of which one more was read; and the last of them if others follow. */
export function toPage<T>(
  rows: readonly T[],
  size: number,
): { readonly rows: readonly T[]; readonly last: T | undefined } {
  return { rows: rows.slice(0, size), last: rows.length > size ? rows[size - 1] : undefined };
}
