// Builds scoring models like version 1: 19 values on a circle, 76 pairings, quarters as tiers, eight archetypes.

import type {
  ArchetypeRule,
  LifeContext,
  Pairing,
  ScoringModel,
  ScoringQuestion,
} from "../../../src/products/values-bridge/scoring/model.ts";
import type { ScoringConstants } from "../../../src/products/values-bridge/scoring/shapes.ts";

export const valueCount = 19;

/** 1..19 in circular order. */
export const modelValueIds: readonly number[] = Array.from({ length: valueCount }, (_, index) => index + 1);

export const lifeContexts: readonly LifeContext[] = ["ideal", "current"];

export const modelConstants: ScoringConstants = {
  model: "values-bridge-scoring",
  version: 1,
  weightScale: 1000,
  minItems: 2,
  minCoverage: 0.5,
  minBaselineValues: 10,
  minGapValues: 10,
  importanceFloor: 0.5,
  priorityGain: 1.5,
  decimals: 2,
  tiers: [
    { name: "core", share: [1, 4] },
    { name: "guiding", share: [2, 4] },
    { name: "situational", share: [3, 4] },
    { name: "peripheral", share: [4, 4] },
  ],
  unranked: "unranked",
  focusThreshold: 12,
};

const byDistance: ReadonlyMap<number, Pick<Pairing, "kind" | "kappa">> = new Map([
  [1, { kind: "harmony", kappa: 0.9458 }],
  [2, { kind: "harmony", kappa: 0.7891 }],
  [8, { kind: "conflict", kappa: 0.8795 }],
  [9, { kind: "conflict", kappa: 0.9864 }],
]);

/** Every pair of neighbours or opposites on the circle, by ascending id (`100 * a + b`, a < b). */
export const modelPairings: readonly Pairing[] = modelValueIds.flatMap((a) =>
  modelValueIds.slice(a).flatMap((b): Pairing[] => {
    const type = byDistance.get(Math.min(b - a, valueCount - (b - a)));
    return type === undefined ? [] : [{ id: 100 * a + b, values: [a, b], ...type }];
  }),
);

export const modelArchetypes: readonly ArchetypeRule[] = [
  { id: 1, name: "Keystone", gapFrom: 0, gapBelow: 10, direction: "focused" },
  { id: 2, name: "Weaver", gapFrom: 0, gapBelow: 10, direction: "plural" },
  { id: 3, name: "Wayfinder", gapFrom: 10, gapBelow: 17, direction: "focused" },
  { id: 4, name: "Negotiator", gapFrom: 10, gapBelow: 17, direction: "plural" },
  { id: 5, name: "Pathbuilder", gapFrom: 17, gapBelow: 25, direction: "focused" },
  { id: 6, name: "Crossroads", gapFrom: 17, gapBelow: 25, direction: "plural" },
  { id: 7, name: "Far Shore", gapFrom: 25, gapBelow: null, direction: "focused" },
  { id: 8, name: "Mapmaker", gapFrom: 25, gapBelow: null, direction: "plural" },
];

export const unresolvedArchetype = 9;

/** A version 1 model over the given questions. */
export function toScoringModel(questions: readonly ScoringQuestion[]): ScoringModel {
  return {
    questions,
    valueIds: modelValueIds,
    pairings: modelPairings,
    archetypes: modelArchetypes,
    unresolvedArchetypeId: unresolvedArchetype,
    constants: modelConstants,
  };
}

const itemsPerCell = 4;

/** Statements of one life context, and of both. */
export const blockLength = valueCount * itemsPerCell;
export const questionCount = 2 * blockLength;

/** What the questions of a questionnaire may differ in. */
export interface QuestionnaireOptions {
  readonly min?: number;
  readonly max?: number;
  /** Omega weights of the 76 statements, value by value; the same in both contexts. Default: 1 throughout. */
  readonly omegaWeights?: readonly number[];
}

/**
 * 152 questions, ids 1..152: first the ideal context, then the current one; in each the values in order, and of each
 * value three forward statements and an inverse one.
 */
export function questionnaire({ min = 1, max = 7, omegaWeights = [] }: QuestionnaireOptions = {}): ScoringQuestion[] {
  return Array.from({ length: questionCount }, (_, position) => {
    const statement = position % blockLength;
    return {
      id: position + 1,
      valueId: 1 + Math.floor(statement / itemsPerCell),
      lifeContext: position < blockLength ? "ideal" : "current",
      inverse: statement % itemsPerCell === itemsPerCell - 1,
      omegaWeight: omegaWeights[statement] ?? 1,
      min,
      max,
    };
  });
}
