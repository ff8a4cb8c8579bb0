// The instrument that ships with the service.
import { readFile } from "node:fs/promises";
import type { Definition } from "./definition.ts";

/** Its product. */
export const builtInProduct = "values-bridge";

/** Its definition. */
export async function readShippedDefinition(): Promise<Definition> {
  return JSON.parse(await readFile(new URL("./values-bridge.json", import.meta.url), "utf8"));
}
