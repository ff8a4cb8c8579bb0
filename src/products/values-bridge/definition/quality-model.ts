// From a definition and its questions to what quality reads.
import type { QualityModel } from "../quality/model.ts";
import type { LifeContext } from "../scoring/model.ts";
import type { Definition } from "./definition.ts";
import { type Question, scoringModel } from "./questions.ts";

/**
 * What quality reads of a valid definition and its questions.
 * @param questions as `arrangeQuestions` gives them
 * @throws RangeError if they are not those of the definition
 */
export function qualityModel(definition: Definition, questions: readonly Question[]): QualityModel {
  const indexIn = (lifeContext: LifeContext) =>
    new Map(
      questions.flatMap((question, index) =>
        question.valuesBridgeConfig.lifeContext === lifeContext ? [[question.predicate, index] as const] : [],
      ),
    );
  const indices = { ideal: indexIn("ideal"), current: indexIn("current") };
  const indexOf = (lifeContext: LifeContext, predicate: string): number => {
    const index = indices[lifeContext].get(predicate);
    if (index === undefined) throw new RangeError(`no ${lifeContext} question asks "${predicate}"`);
    return index;
  };
  return {
    scoring: scoringModel(definition, questions),
    statements: definition.values.flatMap(({ id: valueId, items }) =>
      items.map(({ predicate }) => ({
        valueId,
        predicate,
        ideal: indexOf("ideal", predicate),
        current: indexOf("current", predicate),
      })),
    ),
  };
}
