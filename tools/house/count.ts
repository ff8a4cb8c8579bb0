// Lines and files of src, by layer, and of test.
import { globSync, readFileSync } from "node:fs";
import { findLayer } from "../architecture/layers.ts";

export interface Size {
  readonly lines: number;
  readonly files: number;
}

/** Files of src that people write. */
const sources = () => globSync("src/**/*.{ts,js}", { exclude: ["src/gen/**"] }).toSorted();

/** Sizes of `src`, of each of its layers as the picture of the house has them, and of `test`. */
export function houseSizes(): ReadonlyMap<string, Size> {
  const files = sources();
  const layers = Map.groupBy(files, drawnLayer);
  const names = [...layers.keys()].toSorted();
  return new Map([
    ["src", measureFiles(files)],
    ...names.map((name): [string, Size] => [name, measureFiles(layers.get(name) ?? [])]),
    ["test", measureFiles(globSync("test/**/*.ts"))],
  ]);
}

function drawnLayer(file: string): string {
  const name = findLayer(file)?.name ?? file;
  return `src/${name.startsWith("products/") ? "products" : name}`;
}

function measureFiles(files: readonly string[]): Size {
  return { files: files.length, lines: files.reduce((sum, file) => sum + readLines(file).length - 1, 0) };
}

function readLines(file: string): readonly string[] {
  return readFileSync(file, "utf8").split("\n");
}
