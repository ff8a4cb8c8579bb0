// What of the house can be counted: lines and files of src by layer and of test, pages, commands, private interfaces.
import { globSync, readFileSync } from "node:fs";
import { layerOf } from "../architecture/layers.ts";

export interface Size {
  readonly lines: number;
  readonly files: number;
}

/** Files of src that people write. */
const sources = () => globSync("src/**/*.{ts,js}", { exclude: ["src/gen/**"] }).toSorted();

/** Sizes of `src`, of each of its layers as the picture of the house has them, and of `test`. */
export function houseSizes(): ReadonlyMap<string, Size> {
  const files = sources();
  const layers = Map.groupBy(files, drawnLayerOf);
  const names = [...layers.keys()].toSorted();
  return new Map([
    ["src", sizeOf(files)],
    ...names.map((name): [string, Size] => [name, sizeOf(layers.get(name) ?? [])]),
    ["test", sizeOf(globSync("test/**/*.ts"))],
  ]);
}

function drawnLayerOf(file: string): string {
  const name = layerOf(file)?.name ?? file;
  return `src/${name.startsWith("products/") ? "products" : name}`;
}

function sizeOf(files: readonly string[]): Size {
  return { files: files.length, lines: files.reduce((sum, file) => sum + linesOf(file).length - 1, 0) };
}

function linesOf(file: string): readonly string[] {
  return readFileSync(file, "utf8").split("\n");
}

/** What reaches behind the interface of a library or of Node. */
const privateInterfaces = [
  // A cast to a shape that the type does not declare.
  /\bas unknown as \{/,
  /\bas (?!Error\b)\w+ & \{/,
  // Members and listeners of a library's object that are replaced.
  /\bremoveAllListeners\(/,
  /\b(socket|stream|request|response|server)\.\w+ = (async )?\(/,
  /\bdelete http\b/,
  /\bnew Function\b/,
];

/** Lines of src that match one of these, as `file:line`. */
export function privateInterfaceUses(): readonly string[] {
  return sources().flatMap((file) =>
    linesOf(file).flatMap((line, index) =>
      privateInterfaces.some((pattern) => pattern.test(line)) ? [`${file}:${index + 1}`] : [],
    ),
  );
}

export function decisionPages(): number {
  return globSync("docs/decisions/[0-9]*.md").length;
}

/** Scripts of package.json that run tests. */
export function testCommands(): number {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  return Object.keys(scripts).filter((name) => /^test(:|$)/.test(name)).length;
}
