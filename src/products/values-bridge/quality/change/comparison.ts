// Shape of a comparison of two sessions of one person.
import type { Certainty, Grade, Variances } from "../quality.ts";
import type { Difference } from "./versions.ts";

/** What changed from the first session to the second. */
export interface SessionComparison {
  readonly model: "quality-and-error";
  readonly version: 2;
  /** Whether the assessment versions are equal in values, predicates, keys, scale and weights. */
  readonly comparable: boolean;
  /** Why no change is reported: the difference of the versions, or a grade other than good or caution. Null: it is. */
  readonly reason: Difference | "grade" | null;
  /** Grades of the first and of the second session. */
  readonly grades: readonly [Grade, Grade];
  /** Null unless the versions are comparable and both grades are good or caution. */
  readonly statements: StatementChanges | null;
}

/**
 * Changes judged against how differently the statements of one value changed. A mood that moves all of them alike
 * looks like change: "consistent" is not "reliable".
 */
export interface StatementChanges {
  /** Number of changes that were tested, and how many `single` or `joint` ones 5 % of them are. */
  readonly tests: number;
  readonly expectedByChance: number;
  /** Variances of the changes of single statements, and of changes of their differences between the lives. */
  readonly variance: Variances;
  /** In ascending value id. */
  readonly values: readonly ValueChanges[];
}

/** The changes of one value; null if fewer than 2 statements, or a missing score, allow none. */
export interface ValueChanges {
  readonly valueId: number;
  readonly ideal: Change | null;
  readonly current: Change | null;
  readonly gap: Change | null;
}

/** Second minus first, in points of the score or of the gap. Null: too few statements for a variance. */
export interface Change {
  readonly change: number;
  readonly standardError: number | null;
  /** The change in standard errors. */
  readonly index: number | null;
  readonly consistent: Certainty | null;
}
