// What a report names and what it leaves out, as numbers. docs/reports.md says why.

/** Revision of rules, words and drawings. A test counts it up with whatever people see. */
export const reportRevision = 3;

/** In steps: points of the answer scale. Without any true difference, 0.2 to 1.4 of 19 values reach `named` by chance. */
export const namedSteps = 1.5;

/** Chance takes 0.01 to 0.3 of 19 values here. */
export const summarySteps = 2;

/** Most values that one sentence names. */
export const summaryNames = 3;

/** Most pairs of one kind. */
export const pairsOfKind = 3;

/** Steps from which on the direction of a difference is told that is not named. */
export const leaningSteps = 0.75;

/** A most wanted value leads if its worst rank is no worse than this. */
export const leadingRank = 8;

/** Only the first places lead: with more, none stands out. */
export const leadingNames = 5;

/** A value is clearly wanted more than the person's average from this number of standard errors on: 95 %. */
export const highErrors = 1.96;

/** Most values that are told to be high: more are no choice. */
export const highNames = 6;

/** A value is among the most wanted only if it is above the person's average by more than this number of standard errors. */
export const mostWantedErrors = 1;

/** Most values that are told to be close behind: with more, half of all values would be named. */
export const closeNames = 4;

/** Most statements that are told behind one difference. */
export const statementsOfValue = 3;

/** Most differences that small steps are offered for. */
export const stepOffers = 3;

/** A change is told from this number of steps on. */
export const changeSteps = 1.5;

/** Of a first tier with more than this share of the scored values, those tied last are no choice of the person's. */
export const mostWantedShare = 1 / 2;

/** More names than these cannot be read around one circle: places stand there, and with the names in the table. */
export const mostNames = 30;
