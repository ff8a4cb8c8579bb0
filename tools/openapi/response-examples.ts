// Recorded responses of the service, as the examples of the OpenAPI document.
import { readFileSync } from "node:fs";

/** Bodies as texts, by operation and status. */
export type ResponseExamples = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Lists in them are cut, and ids, times and secrets are made up. */
export const responseExamples: ResponseExamples = JSON.parse(
  readFileSync(new URL("response-examples.json", import.meta.url), "utf8"),
);
