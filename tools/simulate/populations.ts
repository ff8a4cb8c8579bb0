// Kinds of people, as the generating model describes them.

/**
 * The generating model, in points of the 1..7 scale. What a person thinks of a value in one life is
 *
 *     level + popularity of the value + direction on the circle + own taste for the value
 *
 * and the answer to one statement is that plus attraction of the statement + own taste for the statement + slip, turned
 * round for an inverse statement, plus readiness to agree; rounded to a whole number and held to 1..7. All parts are
 * normal and independent. Both lives share level, popularity, attraction, taste for the statement and readiness to agree;
 * directions and tastes for values correlate between the lives by `overlap`; slips are new in every answer.
 */
export interface Population {
  readonly name: string;
  /** Mean of a person's level, and its standard deviation between people. */
  readonly level: number;
  readonly levelSd: number;
  /** How much lower the lived life is than the wanted one. */
  readonly lag: number;
  /** Standard deviation of values that all people share. */
  readonly popularity: number;
  /** Standard deviation of the two coordinates of a person's direction on the circle of values. */
  readonly direction: number;
  /** Standard deviation of a person's taste for a value. */
  readonly taste: number;
  /** Correlation of the two lives in direction and taste. */
  readonly overlap: number;
  /** Standard deviation of a statement's attraction, the same for all people. */
  readonly attraction: number;
  /** Standard deviation of a person's taste for a single statement. */
  readonly statementTaste: number;
  /** Standard deviation of a slip. */
  readonly slip: number;
  /** Standard deviation of readiness to agree. */
  readonly agreement: number;
}

/** Made so that statements correlate .4 within a cell and the two lives .3 between people, as the instrument expects. */
const typical: Population = {
  name: "typical",
  level: 4.8,
  levelSd: 0.4,
  lag: 0.3,
  popularity: 0.6,
  direction: 0.5,
  taste: 0.5,
  overlap: 0.1,
  attraction: 0.4,
  statementTaste: 0.5,
  slip: 0.8,
  agreement: 0.25,
};

/** The populations that every figure is simulated for. */
export const populations: readonly Population[] = [
  typical,
  { ...typical, name: "clear", direction: 0.7, taste: 0.6, overlap: 0.5 },
  { ...typical, name: "even", direction: 0.4, taste: 0.4, popularity: 0.3 },
  { ...typical, name: "agreeing", agreement: 0.6 },
  { ...typical, name: "hasty", slip: 1.1 },
];
