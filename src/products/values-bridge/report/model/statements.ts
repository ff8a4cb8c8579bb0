// The statements behind the differences that a report names.
import { arrangeQuestions } from "../../definition/questions.ts";
import type { ItemExplanation, ValueExplanation } from "../../scoring/shapes.ts";
import type { ReportStatement } from "../report-model.ts";
import { maxStatementsPerGap } from "./rules.ts";
import type { ReportWriter } from "./writer.ts";

/** The statements behind named differences, by value id: rated in both lives, different in the same way, the largest first. */
export function writeStatements(writer: ReportWriter): ReadonlyMap<number, readonly ReportStatement[]> {
  const { facts, translated } = writer;
  const namedGaps = new Map(facts.values.flatMap(({ valueId, gap }) => (gap?.named ? [[valueId, gap.steps]] : [])));
  if (namedGaps.size === 0) return new Map();
  // Ids of questions contain their positions.
  const predicates = arrangeQuestions(translated, 0).map(({ predicate }) => predicate);
  const findPredicate = ({ questionId }: ItemExplanation) => predicates[(questionId - 1) % 1000] ?? "";
  return new Map(
    facts.explanation.values.flatMap((value) => {
      const steps = namedGaps.get(value.valueId);
      return steps === undefined ? [] : [[value.valueId, writeRated(writer, value, Math.sign(steps), findPredicate)]];
    }),
  );
}

/** @param way 1 for a value that is wanted more than lived, else -1 */
function writeRated(
  { texts, say, toWorded, translated }: ReportWriter,
  { ideal, current }: ValueExplanation,
  way: number,
  findPredicate: (item: ItemExplanation) => string,
): ReportStatement[] {
  const itemsToday = new Map(current.items.map((item) => [findPredicate(item), item]));
  const statements = ideal.items.flatMap((item) => {
    const predicate = findPredicate(item);
    const { answer: today = null, keyed: keyedToday = null } = itemsToday.get(predicate) ?? {};
    const difference = way * ((item.keyed ?? 0) - (keyedToday ?? 0));
    if (item.answer === null || today === null || item.weight === 0 || difference <= 0) return [];
    const standing = say(texts.averages, { ideal: item.answer, current: today });
    // In questionnaires, statements follow the words of a frame.
    const text = toWorded(`${predicate.charAt(0).toLocaleUpperCase(translated.language)}${predicate.slice(1)}`);
    const shownStanding = item.inverse ? `${standing} ${texts.inverse}` : standing;
    return [{ difference, statement: { text, wanted: item.answer, today, standing: shownStanding } }];
  });
  return statements
    .sort((one, other) => other.difference - one.difference)
    .slice(0, maxStatementsPerGap)
    .map(({ statement }) => statement);
}
