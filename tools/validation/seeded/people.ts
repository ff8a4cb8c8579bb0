// Made-up people whose loadings and angles are known, so that the kit can be held to them.
import { at } from "../../../src/products/values-bridge/scoring/exact.ts";
import type { LifeContext } from "../../../src/products/values-bridge/scoring/model.ts";
import type { Random } from "../../simulate/random.ts";

/**
 * How the people are made. All parts are standard normal and independent of each other. What a person thinks of a value
 * in a life is
 *
 *     sqrt(circle) (x cos(angle) + y sin(angle)) + sqrt(1 - circle) taste
 *
 * with the angles of the theory; x, y and tastes of both lives correlate by `overlap`. The answer to a statement,
 * before it is cut into ratings, is
 *
 *     loading thought + method readiness (inverse statements) + own
 *
 * with unit variance. `lasting` is the part of `own` that the same statement shares over both lives and all sittings.
 */
export interface SeededModel {
  /** Share of a value's variance that is of the circle, 0..1; 0 makes independent values. */
  readonly circle: number;
  readonly overlap: number;
  /** By statement of a value, as the definition has them. */
  readonly loadings: readonly number[];
  /** Loading of inverse statements on readiness to agree with them. */
  readonly method: number;
  /** Share of the variance of `own`, 0..1. */
  readonly lasting: number;
  /** Two indices of values that stand in each other's place on the circle. */
  readonly swapped?: readonly [number, number];
  /** How much more readily people agree in the life of today, whatever a statement says; 0. */
  readonly agreement?: number;
  /** What does not work, put in on purpose. */
  readonly faults?: readonly SeededFault[];
}

/** One statement that does not work, in one life or both, in one language or all. */
export interface SeededFault {
  /** Indices, as in `Place`. */
  readonly value: number;
  readonly statement: number;
  readonly life?: LifeContext;
  readonly language?: string;
  /** In the place of its own loading. */
  readonly loading?: number;
  /** Index of the value that people think of instead. */
  readonly of?: number;
  /** Added before the answer is cut into ratings; up means much of the value. */
  readonly shift?: number;
}

export const clearCircle: SeededModel = {
  circle: 0.5,
  overlap: 0.4,
  loadings: [0.8, 0.7, 0.75, 0.6],
  method: 0.3,
  lasting: 0.3,
};

/** Where answers are cut into the ratings 1 to 7. */
const cuts = [-1.8, -1.2, -0.6, 0, 0.7, 1.5];

/** Where a statement stands. */
export interface Place {
  /** Index of its value on the circle. */
  readonly value: number;
  /** Index among the statements of its value. */
  readonly statement: number;
  readonly life: LifeContext;
  readonly inverse: boolean;
}

/** One person, who can answer more than once. */
export interface SeededPerson {
  /** Ratings in the order of the places. @param language of the statements */
  sit(random: Random, language?: string): number[];
}

/** Draws a person. @param values how many there are on the circle */
export function drawSeeded(random: Random, model: SeededModel, places: readonly Place[], values: number): SeededPerson {
  const { circle, overlap, loadings, method, lasting, swapped: [one, other] = [0, 0] } = model;
  const { agreement = 0, faults = [] } = model;
  const pair = () => {
    const [ideal, own] = [random.normal(1), random.normal(1)];
    return { ideal, current: overlap * ideal + Math.sqrt(1 - overlap ** 2) * own };
  };
  const [x, y] = [pair(), pair()];
  const thoughts = Array.from({ length: values }, (_, index) => {
    const place = index === one ? other : index === other ? one : index;
    const angle = (2 * Math.PI * place) / values;
    const taste = pair();
    const of = (life: LifeContext) =>
      Math.sqrt(circle) * (x[life] * Math.cos(angle) + y[life] * Math.sin(angle)) + Math.sqrt(1 - circle) * taste[life];
    return { ideal: of("ideal"), current: of("current") };
  });
  const readiness = { ideal: random.normal(1), current: random.normal(1) };
  const tastes = Array.from({ length: values }, () => loadings.map(() => random.normal(1)));
  return {
    sit: (again, language) =>
      places.map((place) => {
        const { value, statement, life, inverse } = place;
        const fault = faults.find((each) => isAt(each, place, language));
        const loading = fault?.loading ?? at(loadings, statement);
        const ready = inverse ? method : 0;
        const agrees = life === "current" ? agreement : 0;
        const own = Math.sqrt(lasting) * at(at(tastes, value), statement) + Math.sqrt(1 - lasting) * again.normal(1);
        const keyed =
          (fault?.shift ?? 0) +
          (inverse ? -agrees : agrees) +
          loading * at(thoughts, fault?.of ?? value)[life] +
          ready * readiness[life] +
          Math.sqrt(1 - loading ** 2 - ready ** 2) * own;
        const rating = 1 + cuts.filter((cut) => keyed > cut).length;
        return inverse ? 8 - rating : rating;
      }),
  };
}

function isAt(fault: SeededFault, { value, statement, life }: Place, language: string | undefined): boolean {
  const isThis = (condition: string | undefined, is: string | undefined) => condition === undefined || condition === is;
  return (
    fault.value === value &&
    fault.statement === statement &&
    isThis(fault.life, life) &&
    isThis(fault.language, language)
  );
}
