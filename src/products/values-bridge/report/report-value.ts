// What a report says of one value.
import type { WordedText } from "../definition/names.ts";

/** From one number to another. */
export interface ReportInterval {
  readonly low: number;
  readonly high: number;
}

/** A value in one of the two lives. */
export interface ReportLife {
  /** 0 to 1, unrounded. Null: not scored. */
  readonly score: number | null;
  /** The same on the answer scale, unrounded. */
  readonly average: number | null;
  /** Where the score could lie with other statements on the value, 95 %; 0 to 1. Null: not known. */
  readonly interval: ReportInterval | null;
  readonly displayRank: number | null;
  /** Best and worst place that the answers leave open. Null: not known. */
  readonly rankRange: { readonly best: number; readonly worst: number } | null;
  /** Name of the tier in the definition. */
  readonly tier: string;
}

/** The difference of the two lives. */
export interface ReportGap {
  /** -100 to 100, unrounded; positive: lived less than wanted. */
  readonly points: number;
  /** The same in points of the answer scale. */
  readonly steps: number;
  /** Whether the report names it as a difference. */
  readonly named: boolean;
  /** Whether it is large enough for the summary. */
  readonly inSummary: boolean;
}

/** `unsorted`: differences cannot be told from chance. */
export type ReportGroup = "wantMore" | "liveMore" | "asWanted" | "tooFewAnswers" | "unsorted";

/** A statement behind a named difference. */
export interface ReportStatement {
  readonly text: WordedText;
  /** Ratings as they were given, on the answer scale. */
  readonly wanted: number;
  readonly today: number;
  /** Both in words: "wanted 7, today 3", and if it says the opposite of its value, "(counts the other way)". */
  readonly standing: string;
}

export interface ReportValue {
  readonly valueId: number;
  readonly name: WordedText;
  readonly goal: WordedText;
  readonly ideal: ReportLife;
  readonly current: ReportLife;
  /** Null unless the value is scored in both lives. */
  readonly gap: ReportGap | null;
  readonly group: ReportGroup;
  /** "wanted 6.5, today 4.3". */
  readonly standing: string;
  /** "1.5 steps more wanted"; with "could be chance" where it is not named, null where there is nothing to say. */
  readonly difference: string | null;
  /** The statements that a named difference comes from, three at most, the largest first. */
  readonly statements: readonly ReportStatement[];
  /** Whether it is among what the person wants most. */
  readonly mostWanted: boolean;
}
