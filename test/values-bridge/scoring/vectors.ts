// The normative worked cases, read from test/vectors.
import { readFileSync } from "node:fs";
import type { ScoringQuestion } from "../../../src/products/values-bridge/scoring/model.ts";
import type { Results } from "../../../src/products/values-bridge/scoring/shapes.ts";
import type { Session } from "../../support/values-bridge/sessions.ts";

interface VectorFile {
  readonly cases: readonly {
    readonly name: string;
    readonly questions: readonly ScoringQuestion[];
    readonly answers: readonly { readonly questionId: number; readonly value: number }[];
    readonly expected: Results;
  }[];
}

export interface Vector {
  readonly name: string;
  readonly session: Session;
  readonly expected: Results;
}

export function readVectors(): Vector[] {
  const text = readFileSync(new URL("../../vectors/scoring-v1.json", import.meta.url), "utf8");
  const file = JSON.parse(text) as VectorFile;
  return file.cases.map(({ name, questions, answers, expected }) => {
    const byQuestion = new Map(answers.map(({ questionId, value }) => [questionId, value]));
    return { name, expected, session: { questions, answers: questions.map(({ id }) => byQuestion.get(id) ?? null) } };
  });
}
