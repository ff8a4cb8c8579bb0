// The report model: facts and texts in one language, without markup. Every format is made from it, and as JSON it is a
// format of its own. Its shape is that of the messages in report.proto, which say what each member means.
import type * as proto from "../../../gen/assessment/v1/report_pb.ts";

/** Differences that cannot be told from chance are `unsorted`. */
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

/** Members that are messages and may be absent; generated types do not tell them from those that are always there. */
interface Optional {
  readonly "assessment.v1.Report": OptionalPart;
  readonly "assessment.v1.ReportArchetype": "name";
  readonly "assessment.v1.ReportLife": "interval" | "rankRange";
  readonly "assessment.v1.ReportMostWanted": "closeBehind";
  readonly "assessment.v1.ReportMostWantedEntry": "portrait";
  readonly "assessment.v1.ReportSteps": "chosen";
  readonly "assessment.v1.ReportSummary": "archetype";
  readonly "assessment.v1.ReportValue": "gap";
  readonly "assessment.v1.TeamReportValue": "spread";
}

type OptionalPart = "cover" | "mostWanted" | "pairs" | "questions" | "steps" | "change" | "others" | "support";

type WordsOf<Name> = Name extends keyof Words ? Words[Name] : object;
type OptionalOf<Name> = Name extends keyof Optional ? Optional[Name] : never;

/** A message as a model has it: what is absent is null. */
export type Told<M> = M extends { readonly $typeName: infer Name }
  ? {
      readonly [K in Exclude<keyof M, "$typeName" | "$unknown">]-?: K extends keyof WordsOf<Name>
        ? WordsOf<Name>[K]
        : ToldMember<M[K], K extends OptionalOf<Name> ? null : never>;
    }
  : M;

type ToldMember<T, Absent> = [T] extends [readonly (infer Item)[]]
  ? readonly Told<Item>[]
  : Told<NonNullable<T>> | Absent | (undefined extends T ? (NonNullable<T> extends object ? never : null) : never);

export type ReportModel = Told<proto.Report>;
export type ReportValue = Told<proto.ReportValue>;
export type ReportLife = Told<proto.ReportLife>;
export type ReportGap = Told<proto.ReportGap>;
export type ReportStatement = Told<proto.ReportStatement>;
export type ReportSummary = Told<proto.ReportSummary>;
export type ReportArchetype = Told<proto.ReportArchetype>;
export type ReportArchetypeMeaning = Told<proto.ReportArchetypeMeaning>;
export type ReportPicture = Told<proto.ReportPicture>;
export type ReportMostWanted = Told<proto.ReportMostWanted>;
export type ReportPortrait = Told<proto.ReportPortrait>;
export type ReportDifferences = Told<proto.ReportDifferences>;
export type ReportPairs = Told<proto.ReportPairs>;
export type ReportSteps = Told<proto.ReportSteps>;
export type ReportStepOffer = Told<proto.ReportStepOffer>;
export type ReportChange = Told<proto.ReportChange>;
export type ReportOthers = Told<proto.ReportOthers>;
export type ReportCover = Told<proto.ReportCover>;
export type ReportSupport = Told<proto.ReportSupport>;
export type ReportList = Told<proto.ReportList>;
