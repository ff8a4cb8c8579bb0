// Example responses of operations: real ones, recorded by a test.
import { readFileSync } from "node:fs";

/** Bodies as texts, by operation and status. */
export type ResponseExamples = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Reads them. Lists in them are cut, and ids, times and secrets are made up. */
export function readResponseExamples(): ResponseExamples {
  return JSON.parse(readFileSync(new URL("response-examples.json", import.meta.url), "utf8"));
}
