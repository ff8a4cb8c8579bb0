// What a report names and what it leaves out, as numbers. docs/reports.md says why.

/** Revision of rules, words and drawings. A test counts it up with whatever people see. */
export const reportRevision = 2;

/** In steps: points of the answer scale. Without any true difference, 0.2 to 1.4 of 19 values reach `named` by chance. */
export const namedSteps = 1.5;

/** Chance takes 0.01 to 0.3 of 19 values here. */
export const summarySteps = 2;

/** Most values that one sentence names. */
export const summaryNames = 3;

/** A pair is named if both priorities are above this; 0.5 is the person's own average. */
export const pairPriority = 0.55;

/** Most pairs of one kind. */
export const pairsOfKind = 3;

/** An archetype that fewer replicates than this share repeat is close to another one. */
export const recurringShare = 3 / 4;

/** Of a first tier with more than this share of the scored values, those tied last are no choice of the person's. */
export const mostWantedShare = 1 / 2;

/** More names than these cannot be read around one circle: places stand there, and with the names in the table. */
export const mostNames = 30;
