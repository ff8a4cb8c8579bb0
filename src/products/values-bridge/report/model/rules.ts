// Thresholds: from which size on a report mentions something. docs/reports.md has the reasons.

/** Revision of rules, words and drawings. A test requires a new one with every visible change. */
export const reportRevision = 3;

/** In steps: points of the answer scale. By chance alone, 0.2 to 1.4 of 19 values reach it. */
export const minNamedSteps = 1.5;

/** By chance alone, 0.01 to 0.3 of 19 values reach it. */
export const minSummarySteps = 2;

/** Most values that one sentence names. */
export const maxSummaryValues = 3;

/** Most pairs of one kind. */
export const maxPairsPerKind = 3;

/** Least steps at which the direction of an unnamed difference is shown. */
export const minLeaningSteps = 0.75;

/** A most wanted value leads if its worst rank is no worse than this. */
export const worstLeadingRank = 8;

/** At most this many values lead. Tied values lead together or not at all. */
export const maxLeadingValues = 5;

/** A value is clearly wanted more than the person's average from this number of standard errors on: 95 %. */
export const minHighStandardErrors = 1.96;

/** At most this many values are the most wanted. Ties that exceed it or the share are left out together. */
export const maxMostWantedValues = 7;

/** Most of the scored values that are wanted most. */
export const maxMostWantedShare = 1 / 2;

/** Most values that a headline names, unless they are equal. */
export const maxHeadlineValues = 3;

/** A value is among the most wanted only if it is above the person's average by more than this number of standard errors. */
export const minMostWantedStandardErrors = 1;

/** Most values that are reported as close behind: with more, half of all values would be named. */
export const maxCloseValues = 4;

/** Most statements shown for one difference. */
export const maxStatementsPerGap = 3;

/** Most differences that small steps are offered for. */
export const maxStepOffers = 3;

/** Least steps at which a change is reported. */
export const minChangeSteps = 1.5;

/** Percentile from which a value counts as high among others, its interval included; 100 minus it counts as low. */
export const highPercentile = 75;
