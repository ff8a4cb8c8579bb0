// Thresholds of reports. docs/reports.md has the reasons.

/** Revision of rules, words and drawings. A test fails on visible changes without a new one. */
export const reportRevision = 3;

/** Least named difference in steps (points of the answer scale). By chance, 0.2 to 1.4 of 19 values reach it. */
export const minNamedSteps = 1.5;

/** Least difference in the summary. By chance, 0.01 to 0.3 of 19 values reach it. */
export const minSummarySteps = 2;

/** Most values that one sentence names. */
export const maxSummaryValues = 3;

/** Most pairs of one kind. */
export const maxPairsPerKind = 3;

/** Least steps at which the direction of an unnamed difference is shown. */
export const minLeaningSteps = 0.75;

/** A most wanted value leads if its worst rank is no worse than this. */
export const worstLeadingRank = 8;

/** Most leading values. Equal values lead together or not at all. */
export const maxLeadingValues = 5;

/** Most values that are wanted most. Equal values that exceed this or the share are omitted together. */
export const maxMostWantedValues = 7;

/** Largest share of the scored values that are wanted most. */
export const maxMostWantedShare = 1 / 2;

/** Most values that a headline names, unless they are equal. */
export const maxHeadlineValues = 3;

/** The most wanted values are above the person's average by more than this many standard errors. */
export const minMostWantedStandardErrors = 1;

/** Most values that are close behind: with more, half of all values would be named. */
export const maxCloseValues = 4;

/** Most statements shown for one difference. */
export const maxStatementsPerGap = 3;

/** Most differences that small steps are offered for. */
export const maxStepOffers = 3;

/** Least steps at which a change is reported. */
export const minChangeSteps = 1.5;

/** Percentile from which a value counts as high among other people, with its interval; low from 100 minus it on. */
export const highPercentile = 75;
