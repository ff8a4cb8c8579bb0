// The report model: facts and texts in one language, without markup. It is the source of every format, and as JSON itself one.
// report.proto describes each member.
import type * as proto from "../../../gen/assessment/v1/report_pb.ts";
import type { ShapeOf } from "../../../json/messages.ts";

/** Differences that do not exceed chance are `unsorted`. */
export type ReportGroup = "wantMore" | "liveMore" | "asWanted" | "tooFewAnswers" | "unsorted";

/** `error` and `spread` are thin lines: the error of a score, and the spread of a group's members. */
export type LegendMark = "wanted" | "today" | "room" | "over" | "error" | "spread" | "missing";

/** Members that are words of a list, by message. */
interface Words {
  readonly "assessment.v1.ReportAssessment": { readonly form: "long" | "short" };
  readonly "assessment.v1.ReportChangeEntry": { readonly life: "ideal" | "current" };
  readonly "assessment.v1.ReportHighlight": { readonly group: "wantMore" | "liveMore" };
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
export type ReportShape<M> = ShapeOf<M, Words, Absent>;

export type ReportModel = ReportShape<proto.Report>;
export type ReportValue = ReportShape<proto.ReportValue>;
export type ReportLife = ReportShape<proto.ReportLife>;
export type ReportGap = ReportShape<proto.ReportGap>;
export type ReportStatement = ReportShape<proto.ReportStatement>;
export type ReportSummary = ReportShape<proto.ReportSummary>;
export type ReportArchetype = ReportShape<proto.ReportArchetype>;
export type ReportArchetypeMeaning = ReportShape<proto.ReportArchetypeMeaning>;
export type ReportPicture = ReportShape<proto.ReportPicture>;
export type ReportMostWanted = ReportShape<proto.ReportMostWanted>;
export type ReportPortrait = ReportShape<proto.ReportPortrait>;
export type ReportDifferences = ReportShape<proto.ReportDifferences>;
export type ReportPairs = ReportShape<proto.ReportPairs>;
export type ReportSteps = ReportShape<proto.ReportSteps>;
export type ReportStepOffer = ReportShape<proto.ReportStepOffer>;
export type ReportChange = ReportShape<proto.ReportChange>;
export type ReportOthers = ReportShape<proto.ReportOthers>;
export type ReportCover = ReportShape<proto.ReportCover>;
export type ReportSupport = ReportShape<proto.ReportSupport>;
export type ReportList = ReportShape<proto.ReportList>;
