// The sizes that docs/house.md allows.
import type { Size } from "./count.ts";

/** Each row of its table of sizes. @param page its text */
export function readLimits(page: string): ReadonlyMap<string, Size> {
  const rows = page.matchAll(/^\| `((?:src|test)[^`]*)` \| ([\d,]+) \| ([\d,]+) \|$/gm);
  const number = (text = "") => Number(text.replaceAll(",", ""));
  return new Map(
    [...rows].map(([, name = "", lines, files]) => [name, { lines: number(lines), files: number(files) }]),
  );
}
