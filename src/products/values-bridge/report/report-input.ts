// What a report is made from.
import type { Definition } from "../definition/definition.ts";
import type { Explanation } from "../scoring/explanation.ts";
import type { Results } from "../scoring/results.ts";

/** One flag of response quality. */
export interface ReportFlag {
  readonly index: "longestRun" | "spread" | "opposites" | "consistency" | "secondBlock" | "speed";
  readonly level: "warn" | "fail";
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
      /** Null: there are too few answers to say how certain it is. */
      readonly gap: null | { readonly certainty: "joint" | "single" | "none" | null };
    }[];
    /** Archetypes of the replicates, and how many of them are the reported one. */
    readonly stability: null | { readonly archetypes: readonly number[]; readonly sameArchetype: number };
  };
}

/** One scored session. */
export interface ReportInput {
  /** Of the version that the session was scored by. */
  readonly definition: Definition;
  /** Null: not known. */
  readonly assessmentVersion: number | null;
  readonly results: Results;
  /** Null, or not an explanation of the results: the report lists stored places and gaps and draws nothing. */
  readonly explanation: (Explanation & { readonly explainsResults: boolean }) | null;
  /** Without it, steps alone decide what is named. */
  readonly quality?: ReportQuality | null;
  /** Null: offline. */
  readonly session: { readonly id: string; readonly completedAt: Date } | null;
  /** BCP 47 tags, the preferred one first. */
  readonly locales: readonly string[];
  /** Only for people on pages of the service: who else has the results, until when, and whether a link led there. */
  readonly sharing?: { readonly partner: string | null; readonly until: Date; readonly isByLink: boolean };
}
