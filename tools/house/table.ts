// Writes the sizes of docs/house.md: npm run docs. A size that has fallen is lowered; none is raised.
import { readFileSync, writeFileSync } from "node:fs";
import { fillPlaces, readParts, table } from "../docs/markdown.ts";
import { houseSizes } from "./count.ts";
import { readLimits } from "./limits.ts";

const page = "docs/house.md";
const text = readFileSync(page, "utf8");
writeFileSync(page, fillPlaces(text, { ...readParts(text), size: sizeTable() }));

/** A layer that is new has its size; one that is gone has no row any more. */
function sizeTable(): string {
  const limits = readLimits(text);
  const rows = [...houseSizes()].map(([name, { lines, files }]) => {
    const limit = limits.get(name);
    return [`\`${name}\``, lowered(lines, 100, limit?.lines), lowered(files, 5, limit?.files)];
  });
  return table(["", "Lines, at most", "Files, at most"], rows);
}

/** A size rounded up to the next whole step, so that branches beside each other do not stop one another by a line. */
function lowered(size: number, step: number, limit = Number.POSITIVE_INFINITY): string {
  return Math.min(step * Math.ceil(size / step), limit).toLocaleString("en");
}
