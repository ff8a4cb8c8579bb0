// What a report is made from.
import type { Definition } from "../definition/definition.ts";
import type { Explanation } from "../scoring/explain.ts";
import type { Results } from "../scoring/score.ts";

/** One flag of response quality. */
export interface ReportFlag {
  readonly index: "longestRun" | "spread" | "opposites" | "consistency" | "secondBlock" | "speed";
  readonly level: "warn" | "fail";
}

/** How far other statements could have moved a score, in points of 0 to 100. */
export interface ReportScoreError {
  /** The score minus the mean of that life. Null: fewer than 10 scores. */
  readonly centred: number | null;
  readonly standardError: number | null;
  /** 95 %, within 0 to 100. */
  readonly interval: readonly [number, number] | null;
  /** Best and worst rank that the scores leave open; 1 is the best. */
  readonly rankRange: readonly [number, number] | null;
}

/** What a report reads of the quality of the answers. */
export interface ReportQuality {
  readonly response: {
    readonly grade: "good" | "caution" | "fail" | "unknown";
    /** What was unusual in the answers, in the order of the indices. */
    readonly flags: readonly ReportFlag[];
    /** The most equal ratings in a row, 0 or more. */
    readonly longestRun: number;
    /** Null: it is not known when the answers arrived. */
    readonly secondsPerAnswer: number | null;
  };
  /** Null: the answers allow no estimate of their own error. */
  readonly error: null | {
    readonly values: readonly {
      readonly valueId: number;
      /** Null: the value has no score in that life. */
      readonly ideal: ReportScoreError | null;
      readonly current: ReportScoreError | null;
      /** Null: there are too few answers to say how certain it is. */
      readonly gap: null | { readonly certainty: "joint" | "single" | "none" | null };
    }[];
    /** The total to expect if no gap were real, in points, and whether the total is clearly above it. */
    readonly totalGap: null | { readonly noise: number; readonly aboveNoise: boolean };
    /** Errors of the total gap and of harmony minus conflict, in points. Null: not known. */
    readonly stability: null | { readonly seTotalGap: number | null; readonly seFocus: number | null };
  };
  /** Null or absent: the report compares with nobody. */
  readonly norms?: null | {
    readonly scope: "partner" | "pooled";
    /** Number of people. */
    readonly n: number;
    readonly provisional: boolean;
    /** BCP 47 tag of the statements; `und`: not known, so that they may be of several. */
    readonly language: string;
    readonly values: readonly {
      readonly valueId: number;
      /** Percentile rank, 1 to 99, and half of the width of its 95 % interval. Null: a statement is not answered. */
      readonly ideal: null | { readonly percentile: number; readonly halfWidth: number };
    }[];
  };
}

/** A score of one life, second minus first, in points. */
interface ReportScoreChange {
  readonly change: number;
  readonly consistent: "joint" | "single" | "none" | null;
}

/** What changed since an earlier session of the same person. */
export interface ReportComparison {
  /** When the earlier session was completed. */
  readonly since: Date;
  /** Null: the versions or the quality of the answers allow no comparison. */
  readonly statements: null | {
    readonly values: readonly {
      readonly valueId: number;
      readonly ideal: ReportScoreChange | null;
      readonly current: ReportScoreChange | null;
    }[];
  };
}

/** What a report knows about its reader. */
export interface ReportPerson {
  /** IANA name of the time zone of days. Undefined: not known, so days are in UTC, and say so. */
  readonly timeZone?: string | undefined;
  /** Undefined: none. */
  readonly name?: string | undefined;
  /** `YYYY-MM-DD`. Undefined: none. */
  readonly date?: string | undefined;
}

/** One small step that a person chose. */
export interface ChosenStep {
  readonly step: string;
  /** `YYYY-MM-DD`. Null: no day. */
  readonly lookAgainOn: string | null;
}

/** One scored session. */
export interface ReportInput {
  /** Of the version that the session was scored by. */
  readonly definition: Definition;
  /** Null: not known. */
  readonly assessmentVersion: number | null;
  /** Absent: not known, as that of a whole definition. */
  readonly form?: "long" | "short";
  readonly results: Results;
  readonly explanation: Explanation & { readonly explainsResults: boolean };
  /** Without it, steps alone decide what is named. */
  readonly quality?: ReportQuality | null;
  /** Null: offline. */
  readonly session: { readonly id: string; readonly completedAt: Date } | null;
  /** BCP 47 tag of the language of the statements. Undefined or null: not known, so that of the report. */
  readonly shownLanguage?: string | null;
  /** BCP 47 tags, the preferred one first. */
  readonly locales: readonly string[];
  readonly person?: ReportPerson;
  /** Null: there is no earlier session. */
  readonly comparison?: ReportComparison | null;
  /** The partner's text on whom to contact if the report is distressing. Null: none. */
  readonly support?: string | null;
  /** Only for people on pages of the service: what they chose to do after this session, and after the one before. */
  readonly steps?: { readonly chosen: ChosenStep | null; readonly earlier: string | null };
  /** Only for people on pages of the service: who else has the results, until when, and whether a link led there. */
  readonly sharing?: { readonly partner: string | null; readonly until: Date; readonly isByLink: boolean };
}
