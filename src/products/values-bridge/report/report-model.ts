// The report model: facts and texts in one language, without markup. Every format is made from it, and as JSON it is a
// format of its own.

import type { WordedText } from "../definition/names.ts";
import type { ChosenStep } from "./report-input.ts";
import type { ReportGroup, ReportValue } from "./report-value.ts";

/** What the name of an archetype stands for. */
export interface ReportArchetypeMeaning {
  readonly archetypeId: number;
  readonly name: WordedText;
  /** Its two conditions as one sentence. */
  readonly text: string;
}

export interface ReportArchetype {
  /** That of the results. */
  readonly archetypeId: number;
  /** One name, or "Between X and Y". Null: the answers allow none, and the summary says so. */
  readonly name: WordedText | null;
  readonly summary: WordedText;
  /** The two or four that the answers lie between, that of the results first. None: there is one name. */
  readonly between: readonly ReportArchetypeMeaning[];
  /** What the name stands for, or why there are two. */
  readonly notes: readonly string[];
}

/** To be shown in this order: title, archetype, sentences, and why there are no more. */
export interface ReportSummary {
  readonly title: string;
  readonly archetype: ReportArchetype | null;
  readonly sentences: readonly string[];
  /** Why values cannot be told apart; null where they can. */
  readonly silence: string | null;
}

/** Words of the circle and of the gaps; the numbers are those of the values. */
export interface ReportPicture {
  readonly title: string;
  readonly introduction: string;
  /** What the picture shows, for those who do not see it. */
  readonly description: string;
  readonly notes: readonly string[];
  readonly legend: readonly { readonly mark: LegendMark; readonly text: string }[];
}

export type LegendMark = "wanted" | "today" | "room" | "over" | "error" | "missing";

/** How a value is wanted and lived, in a few sentences on people: none of them says what this person does. */
export interface ReportPortrait {
  /** What is often so for people who want and live it like this. */
  readonly high: string;
  /** What that can bring with it. */
  readonly cost: string;
  readonly question: string;
}

export interface ReportMostWantedEntry {
  readonly valueId: number;
  /** How it is lived; null where that cannot be told. */
  readonly text: string | null;
  /** Whether it leads: no answer leaves its place open beyond the first few. The others are among the highest. */
  readonly leading: boolean;
  /** Of a leading value; null where nothing is written on it. */
  readonly portrait: ReportPortrait | null;
}

export interface ReportMostWanted {
  readonly title: string;
  readonly note: string;
  /** Leading ones first. */
  readonly entries: readonly ReportMostWantedEntry[];
  /** Values that could stand here as well. Null: there is none. */
  readonly closeBehind: { readonly text: string; readonly valueIds: readonly number[] } | null;
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

/** Small steps for one difference. */
export interface ReportStepOffer {
  readonly valueId: number;
  /** "For more Caring". */
  readonly text: string;
  readonly steps: readonly string[];
}

/** Something to do: one small step. */
export interface ReportSteps {
  readonly title: string;
  readonly note: string;
  /** For the largest named differences. */
  readonly offers: readonly ReportStepOffer[];
  /** What the person chose, and what they chose last time: on reports that people open themselves. */
  readonly chosen: (ChosenStep & { readonly text: string; readonly again: string | null }) | null;
  readonly earlier: string | null;
}

/** What changed since an earlier session. */
export interface ReportChange {
  readonly title: string;
  /** What it is compared with, and what else could have changed it. */
  readonly note: string;
  readonly entries: readonly {
    readonly valueId: number;
    readonly life: "ideal" | "current";
    /** In steps, later minus earlier. */
    readonly steps: number;
    /** Scores of then and now, 0 to 1. */
    readonly before: number;
    readonly now: number;
    readonly text: string;
  }[];
}

/** The weight that the person gives each value among their own, beside that which others give it. */
export interface ReportOthers {
  readonly title: string;
  readonly note: string;
  /** In the order of the circle. */
  readonly entries: readonly {
    readonly valueId: number;
    /** Share of the others who give the value less weight, in percent. */
    readonly place: number;
    readonly halfWidth: number;
    readonly text: string;
  }[];
}

/** For whom and for which day the report is, as asked for. */
export interface ReportCover {
  readonly name: string | null;
  /** In the language of the report. */
  readonly date: string | null;
}

/** Where to turn, in the partner's words. */
export interface ReportSupport {
  readonly title: string;
  readonly text: string;
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
    readonly form: "long" | "short";
    readonly scoringModel: string;
    readonly scoringVersion: number;
  };
  readonly title: WordedText;
  /** Null: neither a name nor a date was asked for. */
  readonly cover: ReportCover | null;
  readonly introduction: string;
  /** The answer scale and the labels of its ends. */
  readonly scale: {
    readonly min: number;
    readonly max: number;
    readonly lowest: WordedText;
    readonly highest: WordedText;
  };
  readonly summary: ReportSummary;
  /** In the order of the circle. */
  readonly values: readonly ReportValue[];
  readonly picture: ReportPicture;
  readonly mostWanted: ReportMostWanted | null;
  readonly differences: ReportDifferences;
  readonly pairs: ReportPairs | null;
  readonly questions: ReportList | null;
  /** Null: no difference is named. */
  readonly steps: ReportSteps | null;
  /** Null: there is no earlier session, or nothing that stands out from chance. */
  readonly change: ReportChange | null;
  /** Null: the partner does not compare, or there is nobody to compare with. */
  readonly others: ReportOthers | null;
  /** Null: the partner wrote nothing. */
  readonly support: ReportSupport | null;
  readonly reading: ReportList;
  /** Who else has the results, and until when: for those who read by a link. Not on PDFs. */
  readonly sharing: readonly string[];
  /** Where the results came from. */
  readonly source: readonly string[];
}
