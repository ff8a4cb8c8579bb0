// Lines and files of src, by layer, and of test.
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
