// The instrument that ships with the service.
import { readFile } from "node:fs/promises";
import type { Definition } from "./definition.ts";

/** Its product. */
export const builtInProduct = "values-bridge";

/** What earlier releases shipped, the oldest first. A file stays as it is for good: by its content it is recognised. */
const earlierFiles = ["values-bridge-1.json", "values-bridge-2.json"];

/** Its definition as JSON text. */
export function readBuiltInDefinition(): Promise<string> {
  return readShipped("values-bridge.json");
}

/** Its definition, and those that earlier releases shipped in its place. */
export async function readShippedDefinitions(): Promise<{ current: Definition; earlier: Definition[] }> {
  const read = async (name: string): Promise<Definition> => JSON.parse(await readShipped(name));
  return { current: await read("values-bridge.json"), earlier: await Promise.all(earlierFiles.map(read)) };
}

function readShipped(name: string): Promise<string> {
  return readFile(new URL(`./${name}`, import.meta.url), "utf8");
}
