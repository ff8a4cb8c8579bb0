// What personas answer, and what comes of it: a line each, for every edition of the instrument that was ever shipped.
// The file is written by hand, once for each edition: whatever differs from it is a defect.

import { readFileSync } from "node:fs";
import type { PublishedAssessment } from "../../../src/domain/assessments/published-assessment.ts";
import { readShippedDefinitions } from "../../../src/products/values-bridge/definition/built-in.ts";
import type { ResultsBody } from "../transports/transports.ts";
import { opened } from "./opened.ts";

export interface GoldenPersona {
  /** Counted from 1, as editions were shipped. */
  readonly edition: number;
  readonly persona: string;
  /** A digit for each question by position, `-` where there is no answer. */
  readonly answers: string;
  /** In the words of the REST interface. */
  readonly results: ResultsBody;
}

/** The lines of the file as they are. */
export function readGoldenLines(): string[] {
  return readFileSync("test/vectors/personas.ndjson", "utf8").trimEnd().split("\n");
}

/** Every persona of every edition. */
export function readGoldenPersonas(): GoldenPersona[] {
  return readGoldenLines().map((line) => JSON.parse(line));
}

/** Every edition, as it is published where nothing was published before. */
export async function shippedEditions(): Promise<PublishedAssessment[]> {
  const { current, earlier } = await readShippedDefinitions();
  const published = { product: "values-bridge", publishedAt: new Date(0) };
  return [...earlier, current].map((definition, index) =>
    opened({ ...published, id: index + 1, version: index + 1, definition }),
  );
}
