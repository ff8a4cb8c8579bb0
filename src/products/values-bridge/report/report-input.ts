// The input of a report.
import type { Definition } from "../definition/definition.ts";
import type {
  Change,
  GapError,
  ResponseQuality,
  ScoreError,
  SessionNorms,
  Stability,
  Standing,
  TotalGapError,
} from "../quality/quality.ts";
import type { ValueMeasures } from "../scoring/model.ts";
import type { Explanation } from "../scoring/shapes.ts";

/** The error of a score. */
export type ReportScoreError = Pick<ScoreError, "centred" | "standardError" | "interval" | "rankRange">;

/** The quality of the answers, as far as reports use it. */
export interface ReportQuality {
  readonly response: Pick<ResponseQuality, "grade" | "flags" | "longestRun" | "secondsPerAnswer">;
  /** Null: the error cannot be estimated. */
  readonly error: null | {
    readonly values: readonly ValueMeasures<ReportScoreError | null, Pick<GapError, "certainty"> | null>[];
    readonly totalGap: Pick<TotalGapError, "noise" | "aboveNoise"> | null;
    readonly stability: Pick<Stability, "seTotalGap" | "seFocus"> | null;
  };
  /** Null or absent: the report compares with nobody. */
  readonly norms?:
    | (Pick<SessionNorms, "scope" | "n" | "provisional" | "language"> & {
        readonly values: readonly Pick<
          ValueMeasures<Pick<Standing, "percentile" | "percentileRange"> | null>,
          "valueId" | "ideal"
        >[];
      })
    | null;
}

type ReportScoreChange = Pick<Change, "change" | "consistent">;

/** Changes since an earlier session of the same person. */
export interface ReportComparison {
  /** When the earlier session was completed. */
  readonly since: Date;
  /** Null: the versions or the quality of the answers allow no comparison. */
  readonly statements: null | {
    readonly values: readonly Omit<ValueMeasures<ReportScoreChange | null>, "gap">[];
  };
}

/** The reader of a report. */
export interface ReportPerson {
  /** IANA name of the time zone of days. Undefined: days are in UTC, and say so. */
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
  /** Absent: not known. */
  readonly form?: "long" | "short";
  readonly explanation: Explanation & { readonly explainsResults: boolean };
  /** Without it, only the size of differences decides what is named. */
  readonly quality?: ReportQuality | null;
  /** Null: offline. */
  readonly session: { readonly id: string; readonly completedAt: Date } | null;
  /** BCP 47 tag of the language of the statements. Undefined or null: that of the report. */
  readonly shownLanguage?: string | null;
  /** BCP 47 tags, the preferred one first. */
  readonly locales: readonly string[];
  readonly person?: ReportPerson;
  /** Null: there is no earlier session. */
  readonly comparison?: ReportComparison | null;
  /** The partner's text about help for distressed readers. Null: none. */
  readonly support?: string | null;
  /** The steps that the person chose after this session, and after the one before. Only on pages of the service. */
  readonly steps?: { readonly chosen: ChosenStep | null; readonly earlier: string | null };
  /** Who else has the results, until when, and whether the reader came by a link. Only on pages of the service. */
  readonly sharing?: { readonly partner: string | null; readonly until: Date; readonly isByLink: boolean };
}
