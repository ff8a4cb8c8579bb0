// Thresholds for what a report names and omits. docs/reports.md has the reasons.

/** Revision of rules, words and drawings. A test requires a new one with every visible change. */
export const reportRevision = 3;

/** In steps: points of the answer scale. Without any true difference, 0.2 to 1.4 of 19 values reach `named` by chance. */
export const namedSteps = 1.5;

/** Chance takes 0.01 to 0.3 of 19 values here. */
export const summarySteps = 2;

/** Most values that one sentence names. */
export const summaryNames = 3;

/** Most pairs of one kind. */
export const pairsOfKind = 3;

/** Least steps at which the direction of an unnamed difference is shown. */
export const leaningSteps = 0.75;

/** A most wanted value leads if its worst rank is no worse than this. */
export const leadingRank = 8;

/** Only the first places lead, equal ones all or none: with more, none stands out. */
export const leadingNames = 5;

/** A value is clearly wanted more than the person's average from this number of standard errors on: 95 %. */
export const highErrors = 1.96;

/** Most values that are wanted most: more are not a choice. Equal ones beyond this, or beyond the share, are all left out. */
export const mostWantedNames = 7;

/** Most of the scored values that are wanted most. */
export const mostWantedShare = 1 / 2;

/** Most values that a headline names, unless they are equal. */
export const headlineNames = 3;

/** A value is among the most wanted only if it is above the person's average by more than this number of standard errors. */
export const mostWantedErrors = 1;

/** Most values that are reported as close behind: with more, half of all values would be named. */
export const closeNames = 4;

/** Most statements shown for one difference. */
export const statementsOfValue = 3;

/** Most differences that small steps are offered for. */
export const stepOffers = 3;

/** Least steps at which a change is reported. */
export const changeSteps = 1.5;

/** A value has more weight than with most if its place stays above this with all errors, and less if it is as far from the other end. */
export const mostOthers = 75;
