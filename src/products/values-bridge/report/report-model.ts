// The report model: facts and texts in one language, without markup. Every format is made from it, and as JSON it is a
// format of its own. Its shape is that of the messages in report.proto, which say what each member means.
import type * as proto from "../../../gen/assessment/v1/report_pb.ts";
import type { Told } from "../../../json/told.ts";

/** Differences that do not exceed chance are `unsorted`. */
export type ReportGroup = "wantMore" | "liveMore" | "asWanted" | "tooFewAnswers" | "unsorted";

/** `error` and `spread` are thin lines: how far a score could be, and how far the members of a group lie apart. */
export type LegendMark = "wanted" | "today" | "room" | "over" | "error" | "spread" | "missing";

/** Members that are words of a list, by message. */
interface Words {
  readonly "assessment.v1.ReportAssessment": { readonly form: "long" | "short" };
  readonly "assessment.v1.ReportChangeEntry": { readonly life: "ideal" | "current" };
  readonly "assessment.v1.ReportLegendEntry": { readonly mark: LegendMark };
  readonly "assessment.v1.ReportPairKind": { readonly kind: "harmony" | "conflict" };
  readonly "assessment.v1.ReportValue": { readonly group: ReportGroup };
  readonly "assessment.v1.ReportValueGroup": { readonly group: ReportGroup };
}

/** Members that are messages and may be absent. */
interface Absent {
  readonly "assessment.v1.Report": PartAtTimes;
  readonly "assessment.v1.ReportArchetype": "name";
  readonly "assessment.v1.ReportLife": "interval" | "rankRange";
  readonly "assessment.v1.ReportMostWanted": "closeBehind";
  readonly "assessment.v1.ReportMostWantedEntry": "portrait";
  readonly "assessment.v1.ReportSteps": "chosen";
  readonly "assessment.v1.ReportSummary": "archetype";
  readonly "assessment.v1.ReportValue": "gap";
  readonly "assessment.v1.TeamReportValue": "spread";
}

type PartAtTimes = "cover" | "mostWanted" | "pairs" | "questions" | "steps" | "change" | "others" | "support";

/** A message of a report as a model. */
export type ToldReport<M> = Told<M, Words, Absent>;

export type ReportModel = ToldReport<proto.Report>;
export type ReportValue = ToldReport<proto.ReportValue>;
export type ReportLife = ToldReport<proto.ReportLife>;
export type ReportGap = ToldReport<proto.ReportGap>;
export type ReportStatement = ToldReport<proto.ReportStatement>;
export type ReportSummary = ToldReport<proto.ReportSummary>;
export type ReportArchetype = ToldReport<proto.ReportArchetype>;
export type ReportArchetypeMeaning = ToldReport<proto.ReportArchetypeMeaning>;
export type ReportPicture = ToldReport<proto.ReportPicture>;
export type ReportMostWanted = ToldReport<proto.ReportMostWanted>;
export type ReportPortrait = ToldReport<proto.ReportPortrait>;
export type ReportDifferences = ToldReport<proto.ReportDifferences>;
export type ReportPairs = ToldReport<proto.ReportPairs>;
export type ReportSteps = ToldReport<proto.ReportSteps>;
export type ReportStepOffer = ToldReport<proto.ReportStepOffer>;
export type ReportChange = ToldReport<proto.ReportChange>;
export type ReportOthers = ToldReport<proto.ReportOthers>;
export type ReportCover = ToldReport<proto.ReportCover>;
export type ReportSupport = ToldReport<proto.ReportSupport>;
export type ReportList = ToldReport<proto.ReportList>;
