// The report model: facts and texts in one language, without markup. Every format is made from it, and as JSON it is a
// format of its own.

/** A text with its language, where that may be another one than the report's. */
export interface Worded {
  readonly text: string;
  /** BCP 47 tag. */
  readonly language: string;
}

/** A value in one of the two lives. */
export interface ReportLife {
  /** 0 to 1, unrounded. Null: not scored, or the results are older than the scoring at hand. */
  readonly score: number | null;
  /** The same on the answer scale, unrounded. */
  readonly average: number | null;
  readonly displayRank: number | null;
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

/** `unsorted`: differences cannot be told from chance, or the results are stored ones without their scores. */
export type ReportGroup = "wantMore" | "liveMore" | "asWanted" | "tooFewAnswers" | "unsorted";

export interface ReportValue {
  readonly valueId: number;
  readonly name: Worded;
  readonly goal: Worded;
  readonly ideal: ReportLife;
  readonly current: ReportLife;
  /** Null unless the value is scored in both lives. */
  readonly gap: ReportGap | null;
  readonly group: ReportGroup;
  /** "wanted 6.5, today 4.3"; of stored results, their places. */
  readonly standing: string;
  /** "2 steps less"; null where nothing is named. */
  readonly difference: string | null;
  /** Whether it is among what the person wants most. */
  readonly mostWanted: boolean;
}

export interface ReportArchetype {
  readonly archetypeId: number;
  /** Null: the answers allow none, and the summary says so. */
  readonly name: Worded | null;
  readonly summary: Worded;
  /** What the name stands for, and whether another one is close. */
  readonly notes: readonly string[];
}

export interface ReportSummary {
  readonly title: string;
  readonly sentences: readonly string[];
  /** Why there is no more to say; null where there is. */
  readonly silence: string | null;
  readonly archetype: ReportArchetype | null;
}

/** Words of the circle and of the gaps; the numbers are those of the values. */
export interface ReportPicture {
  readonly title: string;
  readonly introduction: string;
  /** What the picture shows, for those who do not see it. */
  readonly description: string;
  readonly notes: readonly string[];
  /** For a circle that has numbers in place of names. */
  readonly rankNote: string;
  readonly legend: readonly { readonly mark: LegendMark; readonly text: string }[];
}

export type LegendMark = "wanted" | "today" | "room" | "over" | "missing";

export interface ReportMostWanted {
  readonly title: string;
  readonly note: string;
  readonly entries: readonly { readonly valueId: number; readonly text: string | null }[];
}

export interface ReportDifferences {
  readonly title: string;
  readonly note: string;
  readonly columns: { readonly value: string; readonly picture: string; readonly difference: string };
  /** Groups that have values; the values in the order of the report. */
  readonly groups: readonly {
    readonly group: ReportGroup;
    readonly title: string;
    readonly valueIds: readonly number[];
  }[];
}

export interface ReportPairs {
  readonly title: string;
  readonly note: string;
  readonly kinds: readonly {
    readonly kind: "harmony" | "conflict";
    readonly note: string;
    readonly pairs: readonly { readonly valuePairingId: number; readonly text: string }[];
  }[];
}

/** A list of sentences under a title. */
export interface ReportList {
  readonly title: string;
  readonly entries: readonly string[];
}

export interface ReportModel {
  /** Of rules, words and drawings: the same facts give the same report within one revision. */
  readonly revision: number;
  /** BCP 47 tag of all texts that name no other. */
  readonly language: string;
  readonly sessionId: string | null;
  /** ISO 8601 in UTC. */
  readonly completedAt: string | null;
  readonly assessment: {
    readonly product: string;
    readonly version: number | null;
    readonly scoringModel: string;
    readonly scoringVersion: number;
  };
  readonly title: Worded;
  readonly introduction: string;
  /** The answer scale and the labels of its ends. */
  readonly scale: { readonly min: number; readonly max: number; readonly lowest: Worded; readonly highest: Worded };
  readonly summary: ReportSummary;
  /** In the order of the circle. */
  readonly values: readonly ReportValue[];
  /** Null: the results are stored ones without their scores, which allow no picture. */
  readonly picture: ReportPicture | null;
  readonly mostWanted: ReportMostWanted | null;
  readonly differences: ReportDifferences;
  readonly pairs: ReportPairs | null;
  readonly questions: ReportList | null;
  readonly reading: ReportList;
  /** Who else has the results, and until when: for those who read by a link. Not on PDFs. */
  readonly sharing: readonly string[];
  /** Where the results came from. */
  readonly source: readonly string[];
}
