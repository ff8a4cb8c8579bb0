// Prepares a model of an assessment version: everything that does not depend on answers.
import type { Cell, Item } from "../scoring/cells.ts";
import { type CompiledModel, compileModel } from "../scoring/evaluate.ts";
import { addUp, at } from "../scoring/exact.ts";
import type { LifeContext } from "../scoring/model.ts";
import type { GradeThresholds, QualityModel, StatementPair } from "./model.ts";
import { minCells, minDf, minDfShortForm } from "./statistics.ts";

/** Indices of how clearly answers separate the values. A grade needs them. */
export const separationIndices = ["opposites", "consistency", "consistencyIdeal", "consistencyCurrent"] as const;
export type SeparationIndex = (typeof separationIndices)[number];

/** The rating scale that all questions share. */
export interface RatingScale {
  readonly min: number;
  readonly max: number;
  /** `max - min`: the most keyed points of one answer. */
  readonly span: number;
}

/** A statement with its items in both lives. */
export interface Statement {
  readonly predicate: string;
  readonly ideal: Item;
  readonly current: Item;
}

/** The questions of one life, which are asked in one block. */
export interface Block {
  readonly lifeContext: LifeContext;
  /** Indices of their answers, in asking order. */
  readonly positions: readonly number[];
}

/** A model prepared for quality. Lists of values are in ascending value id. Only `scoring` has statements of weight 0. */
export interface CompiledQuality {
  readonly scoring: CompiledModel;
  readonly cuts: GradeThresholds;
  readonly scale: RatingScale;
  /** The block asked first, and the other one. */
  readonly blocks: readonly [Block, Block];
  /** Number of their questions. */
  readonly questionCount: number;
  readonly cells: Readonly<Record<LifeContext, readonly (readonly Item[])[]>>;
  /** The statements of each value, in the order of the definition. */
  readonly statements: readonly (readonly Statement[])[];
  /** True if a single life has too few degrees of freedom for a variance. */
  readonly isShort: boolean;
  /** Least number of degrees of freedom for a variance, and for a consistency. */
  readonly minDf: number;
  /** Which of these indices complete answers have. */
  readonly offers: ReadonlySet<SeparationIndex>;
  /** Share of forward minus share of inverse statements, if it is the same in every cell; else null. */
  readonly keyBalance: number | null;
}

/** Prepares a checked model. @throws RangeError if a statement names a question that is not there */
export function compileQualityModel({ scoring: model, statements, cuts }: QualityModel): CompiledQuality {
  const scoring = compileModel(model);
  const cells = {
    ideal: scoring.cells.ideal.map(listCountedItems),
    current: scoring.cells.current.map(listCountedItems),
  };
  const { lifeContext: firstLife, min, max } = at(model.questions, 0);
  const blocks = [
    compileBlock(firstLife, cells),
    compileBlock(firstLife === "ideal" ? "current" : "ideal", cells),
  ] as const;
  const bothLives = [...cells.ideal, ...cells.current];
  const indexCells = { consistency: bothLives, consistencyIdeal: cells.ideal, consistencyCurrent: cells.current };
  const pairs = pairItems(scoring, statements);
  const isShort = countDegreesOfFreedom(pairs) < minDf;
  const minDegrees = isShort ? minDfShortForm : minDf;
  return {
    scoring,
    cuts,
    scale: { min, max, span: max - min },
    blocks,
    questionCount: blocks[0].positions.length + blocks[1].positions.length,
    cells,
    statements: pairs,
    isShort,
    minDf: minDegrees,
    offers: new Set<SeparationIndex>([
      ...(bothLives.filter(hasBothKeys).length >= minCells ? (["opposites"] as const) : []),
      ...separationIndices.filter((index) => index !== "opposites" && canBeConsistent(indexCells[index], minDegrees)),
    ]),
    keyBalance: findSharedKeyBalance(bothLives),
  };
}

/** Degrees of freedom within cells whose items are all answered. */
function countDegreesOfFreedom(cells: readonly (readonly unknown[])[]): number {
  return addUp(cells.map(({ length }) => Math.max(0, length - 1)));
}

function canBeConsistent(cells: readonly (readonly Item[])[], minDegrees: number): boolean {
  return cells.length >= minCells && countDegreesOfFreedom(cells) >= minDegrees;
}

function hasBothKeys(items: readonly Item[]): boolean {
  return new Set(items.map(({ inverse }) => inverse)).size > 1;
}

function listCountedItems({ items }: Cell): readonly Item[] {
  return items.filter((item) => item.weight > 0);
}

function compileBlock(lifeContext: LifeContext, cells: CompiledQuality["cells"]): Block {
  const positions = cells[lifeContext].flat().map((item) => item.position);
  return { lifeContext, positions: positions.sort((a, b) => a - b) };
}

function pairItems({ valueIds, cells }: CompiledModel, statements: readonly StatementPair[]): Statement[][] {
  const items: Item[] = [];
  for (const cell of [...cells.ideal, ...cells.current]) for (const item of cell.items) items[item.position] = item;
  return valueIds.map((valueId) =>
    statements
      .filter((statement) => statement.valueId === valueId)
      .map(({ predicate, ideal, current }) => ({ predicate, ideal: at(items, ideal), current: at(items, current) }))
      .filter(({ ideal }) => ideal.weight > 0),
  );
}

function findSharedKeyBalance(cells: readonly (readonly Item[])[]): number | null {
  const balances = cells.map((items) => {
    const inverse = items.filter((item) => item.inverse).length;
    return (items.length - 2 * inverse) / items.length;
  });
  const first = at(balances, 0);
  return balances.every((balance) => balance === first) ? first : null;
}
