// Whether two assessment versions ask the same, so that answers to them can be compared.

import { at } from "../../scoring/exact.ts";
import type { Item } from "../../scoring/formulas/cells.ts";
import type { CompiledQuality, Statement } from "../compile.ts";

/** One statement as it stands in each of two versions. */
export interface MatchedStatement {
  readonly first: Statement;
  readonly second: Statement;
}

/** In what two versions differ, so that answers to them cannot be compared; keys are those of statements, or weights. */
export type Difference = "scale" | "values" | "wording" | "keys";

/**
 * The statements of each value, in ascending value id, as they stand in both versions; or else the first difference in
 * scale, values, predicates, keys or weights. Statements of weight 0, and the order of asking, are left aside.
 */
export function matchStatements(first: CompiledQuality, second: CompiledQuality): MatchedStatement[][] | Difference {
  if (first.scale.min !== second.scale.min || first.scale.max !== second.scale.max) return "scale";
  const valueIds = first.scoring.valueIds;
  const hasSameValues =
    valueIds.length === second.scoring.valueIds.length &&
    valueIds.every((valueId, index) => valueId === second.scoring.valueIds[index]);
  if (!hasSameValues) return "values";
  const matched = first.statements.map((ofValue, index) => matchValue(ofValue, at(second.statements, index)));
  for (const difference of ["wording", "keys"] as const) if (matched.includes(difference)) return difference;
  return matched.filter((ofValue) => typeof ofValue !== "string");
}

function matchValue(first: readonly Statement[], second: readonly Statement[]): MatchedStatement[] | Difference {
  if (first.length !== second.length) return "wording";
  const byPredicate = new Map(second.map((statement) => [statement.predicate, statement]));
  const matched: MatchedStatement[] = [];
  for (const statement of first) {
    const other = byPredicate.get(statement.predicate);
    if (other === undefined) return "wording";
    if (!isAlike(statement.ideal, other.ideal) || !isAlike(statement.current, other.current)) return "keys";
    matched.push({ first: statement, second: other });
  }
  return matched;
}

function isAlike(item: Item, other: Item): boolean {
  return item.inverse === other.inverse && item.weight === other.weight;
}
