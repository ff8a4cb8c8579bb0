// What personas answer to the instrument that ships, and what comes of it: a line each. Whatever differs is a defect.
import { readFileSync } from "node:fs";
import type { PublishedAssessment } from "../../../src/domain/assessments/published-assessment.ts";
import { readShippedDefinition } from "../../../src/products/values-bridge/definition/built-in.ts";
import { openStored } from "./opened.ts";

/** The lines of the file as they are. */
export function readGoldenLines(): string[] {
  return readFileSync("test/vectors/personas.ndjson", "utf8").trimEnd().split("\n");
}

/** The instrument, as it is published where nothing was published before. */
export async function shippedInstrument(): Promise<PublishedAssessment> {
  const definition = await readShippedDefinition();
  return openStored({ product: "values-bridge", publishedAt: new Date(0), id: 1, version: 1, definition });
}
