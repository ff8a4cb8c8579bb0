// An explanation beside stored results: whether it is one of them, and what a report tells of their archetype.
import { isDeepStrictEqual } from "node:util";
import type { Definition } from "../definition/definition.ts";
import { type ArchetypeFit, fitArchetype } from "../report/model/archetype.ts";
import type { ReportQuality } from "../report/report-input.ts";
import type { Answers } from "../scoring/cells.ts";
import type { ArchetypeExplanation, Explanation } from "../scoring/explain.ts";
import type { Results, Scorer } from "../scoring/score.ts";

/** An explanation that says whether it is one of the results it comes with. */
export interface ResultsExplanation extends Explanation {
  /**
   * Whether scoring the answers again gives exactly those results. False only where a release stored them that scored
   * otherwise: results never change, so the explanation is of what this release makes of the same answers.
   */
  readonly explainsResults: boolean;
  readonly archetype: ArchetypeExplanation & ArchetypeFit;
}

/** Explains the results of answers. @param quality of these answers */
export function explainResults(
  definition: Definition,
  scorer: Scorer,
  answers: Answers,
  results: Results,
  quality: ReportQuality,
): ResultsExplanation {
  const explainsResults = isDeepStrictEqual(scorer.score(answers), results);
  const explanation = { explainsResults, ...scorer.explain(answers) };
  const fit = fitArchetype({ definition, explanation, quality });
  return { ...explanation, archetype: { ...explanation.archetype, ...fit } };
}
