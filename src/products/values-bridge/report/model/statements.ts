// The statements behind the differences that a report names.
import { arrangeQuestions } from "../../definition/questions.ts";
import type { ItemExplanation, ValueExplanation } from "../../scoring/explain.ts";
import type { ReportStatement } from "../report-model.ts";
import type { ReportContext } from "./facts.ts";
import { maxStatementsPerGap } from "./rules.ts";

interface RatedStatement {
  readonly predicate: string;
  readonly inverse: boolean;
  readonly wanted: number;
  readonly today: number;
  /** Keyed points in the life wanted minus those today, in steps. */
  readonly difference: number;
}

/** The statements behind named differences, by value id: rated in both lives, different in the same way, the largest first. */
export function findStatements(context: ReportContext): ReadonlyMap<number, readonly ReportStatement[]> {
  const { input, facts } = context;
  const gapSigns = new Map(
    facts.values.flatMap(({ valueId, gap }) => (gap?.named ? [[valueId, Math.sign(gap.steps)] as const] : [])),
  );
  if (gapSigns.size === 0) return new Map();
  // Ids of questions contain their positions.
  const predicates = arrangeQuestions(input.definition, 0).map(({ predicate }) => predicate);
  const predicateAt = ({ questionId }: ItemExplanation) => predicates[(questionId - 1) % 1000] ?? "";
  return new Map(
    facts.explanation.values.flatMap((value) => {
      const way = gapSigns.get(value.valueId);
      if (way === undefined) return [];
      const statements = findRated(value, predicateAt)
        .filter(({ difference }) => way * difference > 0)
        .sort((one, other) => way * (other.difference - one.difference));
      return [
        [
          value.valueId,
          statements.slice(0, maxStatementsPerGap).map((each) => toStatement(each, value.valueId, context)),
        ],
      ];
    }),
  );
}

/** Statements that are rated in both lives. */
function findRated(
  { ideal, current }: ValueExplanation,
  findPredicate: (item: ItemExplanation) => string,
): RatedStatement[] {
  const today = new Map(current.items.map((item) => [findPredicate(item), item]));
  return ideal.items.flatMap((item): RatedStatement[] => {
    const predicate = findPredicate(item);
    const other = today.get(predicate);
    const isRated = other !== undefined && item.answer !== null && other.answer !== null;
    if (!isRated || item.weight === 0) return [];
    const difference = (item.keyed ?? 0) - (other.keyed ?? 0);
    return [{ predicate, inverse: item.inverse, wanted: item.answer ?? 0, today: other.answer ?? 0, difference }];
  });
}

function toStatement(
  { predicate, inverse, wanted: idealAnswer, today }: RatedStatement,
  valueId: number,
  { words, language }: ReportContext,
) {
  const { texts, say } = language;
  const standing = say(texts.averages, { ideal: idealAnswer, current: today });
  const { text, language: tag } = words.translatedPredicate(valueId, predicate);
  return {
    // In questionnaires, statements follow the words of a frame.
    text: { text: `${text.charAt(0).toLocaleUpperCase(tag)}${text.slice(1)}`, language: tag },
    wanted: idealAnswer,
    today,
    standing: inverse ? `${standing} ${texts.inverse}` : standing,
  };
}
