// Writes the sizes and figures of docs/house.md: npm run docs. A size that has fallen is lowered; none is raised, and
// --list names the uses of private interfaces.
import { readFileSync, writeFileSync } from "node:fs";
import { fillPlaces, partsOf, table } from "../docs/markdown.ts";
import { decisionPages, houseSizes, privateInterfaceUses, testCommands } from "./count.ts";
import { readLimits } from "./limits.ts";

const page = "docs/house.md";
const text = readFileSync(page, "utf8");
const places = { ...partsOf(text), size: sizeTable(), figures: figureTable() };
writeFileSync(page, fillPlaces(text, places));
if (process.argv.includes("--list")) console.log(privateInterfaceUses().join("\n"));

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

function figureTable(): string {
  const paths = JSON.parse(readFileSync("tools/house/request-paths.json", "utf8")) as Record<string, number>;
  return table(
    ["Counted", "Now"],
    [
      ["pages of decisions", decisionPages()],
      ["test commands", testCommands()],
      ["uses of private interfaces of libraries and of Node", privateInterfaceUses().length],
      ...Object.entries(paths).map(([path, files]) => [`files of \`src\` that run: ${path}`, files]),
    ],
  );
}
