// Whether two assessment versions ask the same, so that answers to them can be compared.
import type { Item } from "../../scoring/formulas/cells.ts";
import { at } from "../../scoring/lists.ts";
import type { CompiledQuality, Statement } from "../compile.ts";

/** One statement as it stands in each of two versions. */
export interface MatchedStatement {
  readonly first: Statement;
  readonly second: Statement;
}

/**
 * The statements of each value, in ascending value id, as they stand in both versions. Null unless the versions are
 * equal in values, predicates, keys, scale and weights; statements of weight 0, and the order of asking, are left aside.
 */
export function matchStatements(first: CompiledQuality, second: CompiledQuality): MatchedStatement[][] | null {
  if (first.scale.min !== second.scale.min || first.scale.max !== second.scale.max) return null;
  const valueIds = first.scoring.valueIds;
  const hasSameValues =
    valueIds.length === second.scoring.valueIds.length &&
    valueIds.every((valueId, index) => valueId === second.scoring.valueIds[index]);
  if (!hasSameValues) return null;
  const matched = first.statements.map((ofValue, index) => matchValue(ofValue, at(second.statements, index)));
  return matched.some((ofValue) => ofValue === null) ? null : matched.filter((ofValue) => ofValue !== null);
}

function matchValue(first: readonly Statement[], second: readonly Statement[]): MatchedStatement[] | null {
  if (first.length !== second.length) return null;
  const byPredicate = new Map(second.map((statement) => [statement.predicate, statement]));
  const matched: MatchedStatement[] = [];
  for (const statement of first) {
    const other = byPredicate.get(statement.predicate);
    if (other === undefined || !isAlike(statement.ideal, other.ideal) || !isAlike(statement.current, other.current)) {
      return null;
    }
    matched.push({ first: statement, second: other });
  }
  return matched;
}

function isAlike(item: Item, other: Item): boolean {
  return item.inverse === other.inverse && item.weight === other.weight;
}
