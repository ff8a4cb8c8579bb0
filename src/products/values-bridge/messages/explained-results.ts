// The explanation of stored results: whether scoring still gives them, and which archetypes fit.
import { isDeepStrictEqual } from "node:util";
import type { Definition } from "../definition/definition.ts";
import { type ArchetypeFit, fitArchetype } from "../report/model/archetype.ts";
import type { ReportQuality } from "../report/report-input.ts";
import type { Answers } from "../scoring/cells.ts";
import type { Scorer } from "../scoring/score.ts";
import type { ArchetypeExplanation, Explanation, Results } from "../scoring/shapes.ts";

export interface ResultsExplanation extends Explanation {
  /**
   * True if scoring the answers again gives exactly the stored results, which never change. False if an earlier release scored
   * differently: then the explanation is of the results that this release would give.
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
