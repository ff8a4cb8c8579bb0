// What a product gives the service: the one line between the two. The service carries what a product makes of answers, as
// a type, a message or bytes; only the product looks into it.
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Change as ChangeMessage } from "../gen/assessment/v1/change_pb.ts";
import type { Explanation as ExplanationMessage } from "../gen/assessment/v1/explanation_pb.ts";
import type { GroupNumbersSchema } from "../gen/assessment/v1/group_service_pb.ts";
import type { NormsSchema, PooledReleaseSchema, RetestNormsSchema } from "../gen/assessment/v1/norm_service_pb.ts";
import type { Quality as QualityMessage } from "../gen/assessment/v1/quality_pb.ts";
import type { ReportSchema } from "../gen/assessment/v1/report_pb.ts";
import type { NamedValue, OverallResult, ResultNames, ValuesBridgeResults } from "../gen/assessment/v1/results_pb.ts";
import type { TeamReportSchema } from "../gen/assessment/v1/team_report_pb.ts";
import type { DefinitionFault } from "./values-bridge/definition/check/faults.ts";
import type { CodebookColumn } from "./values-bridge/definition/codebook.ts";
import type { Definition } from "./values-bridge/definition/definition.ts";
import type { Question } from "./values-bridge/definition/questions.ts";
import type { Wording } from "./values-bridge/definition/wordings.ts";
import type { GroupNumbers } from "./values-bridge/groups/group-numbers.ts";
import type { Member } from "./values-bridge/groups/member.ts";
import type { ResultsExplanation } from "./values-bridge/messages/explained-results.ts";
import type { NormSource, PoolSource } from "./values-bridge/messages/messages.ts";
import type { NormNumbers, RetestNumbers } from "./values-bridge/norms/numbers.ts";
import type { PooledNumbers } from "./values-bridge/norms/pool/pooled-numbers.ts";
import type { ChangeNorms, ReliableChanges, ValueReliableChanges } from "./values-bridge/norms/reliable-changes.ts";
import type { Contribution } from "./values-bridge/norms/sums.ts";
import type { Personas } from "./values-bridge/personas/personas.ts";
import type { QualityAssessor } from "./values-bridge/quality/assess.ts";
import type { ComparedSession } from "./values-bridge/quality/change/compare.ts";
import type { SessionComparison } from "./values-bridge/quality/change/comparison.ts";
import type { ArrivalTimes } from "./values-bridge/quality/model.ts";
import type { Quality, ValueStanding } from "./values-bridge/quality/quality.ts";
import type { ReportRenderer } from "./values-bridge/report/rendering.ts";
import type { ReportComparison, ReportInput, ReportPerson } from "./values-bridge/report/report-input.ts";
import type { ReportModel } from "./values-bridge/report/report-model.ts";
import type { TeamReportInput, TeamReportModel } from "./values-bridge/report/team/team-model.ts";
import type { Results, OverallResult as Totals } from "./values-bridge/scoring/results.ts";
import type { Scorer } from "./values-bridge/scoring/score.ts";

export { stateIn } from "./values-bridge/definition/wordings.ts";
export type { NormSource, PoolSource } from "./values-bridge/messages/messages.ts";
export { leastForReliability, leastPeople } from "./values-bridge/norms/numbers.ts";
export { mostReleases } from "./values-bridge/norms/pool/draw.ts";
export type { ChangeNorms, NormAbout } from "./values-bridge/norms/reliable-changes.ts";
export type { TranslationState } from "./values-bridge/quality/model.ts";
export type { NormScope } from "./values-bridge/quality/quality.ts";
export { type PictureName, pictureNames } from "./values-bridge/report/drawing/pictures.ts";
export {
  type Paper,
  papers,
  type RenderedReport,
  type RenderRequest,
  type ReportFormat,
  reportFormats,
} from "./values-bridge/report/rendering.ts";
export type {
  CodebookColumn,
  Definition,
  GroupNumbers,
  Member,
  NormNumbers,
  PooledNumbers,
  Quality,
  Question,
  ReliableChanges,
  ReportComparison,
  ReportInput,
  ReportModel,
  ReportPerson,
  ReportRenderer,
  Results,
  ResultsExplanation,
  RetestNumbers,
  SessionComparison,
  TeamReportModel,
  Totals,
  Wording,
};

/** One entry for each question of a version, in its order; null if unanswered. */
export type Answers = readonly (number | null)[];

/** First sessions of people, or pairs of a first session and a later one of the same person. */
export type NormKind = "sessions" | "retests";

/** A product. There is one: `values-bridge`. */
export interface Product {
  /** Its name in paths; that of the definition which ships with the service. */
  readonly name: string;
  /** The definition that this release ships. */
  readShipped(): Promise<Definition>;
  /** The definition in a file, or what is wrong with it: at most `maxFaults`. @param json what `JSON.parse` made of it */
  parse(json: unknown): Promise<{ readonly definition: Definition } | { readonly faults: readonly DefinitionFault[] }>;
  readonly maxFaults: number;
  /** The definition of the short form of a checked one; undefined if it has none. */
  shortForm(definition: Definition): Definition | undefined;
  /** A version of a checked definition. @param assessmentId begins the ids of its questions */
  open(definition: Definition, assessmentId: number): Instrument;
  /** Results as the store keeps them. */
  readonly results: ResultsCodec;
  readonly messages: ProductMessages;
  /** What renders reports, with a thread of its own that has to be closed. */
  createRenderer(): ReportRenderer;
}

/** A version of a product, with all that is derived from its definition once. */
export interface Instrument {
  /** All that the version was made from. */
  readonly definition: Definition;
  /** By position. */
  readonly questions: readonly Question[];
  readonly questionById: ReadonlyMap<number, Question>;
  /** What people read, in every language; that of the definition first. */
  readonly wordings: readonly Wording[];
  readonly scorer: Scorer;
  /** How results came about, and whether scoring gives them still. */
  explain(answers: Answers, results: Results): ResultsExplanation;
  /** Says what results are worth; made when it is first asked for. */
  readonly quality: () => QualityAssessor;
  /** What changed between two sessions of one person, which may be of two versions. */
  compare(earlier: ComparedSession, later: ComparedSession): SessionComparison;
  /** The report on one scored session, in the first of the languages asked for that there is. */
  report(input: Omit<ReportInput, "definition">): ReportModel;
  /** The report on a closed group, in the first of the languages asked for that there is. */
  teamReport(input: Omit<TeamReportInput, "definition">): TeamReportModel;
  /** What the columns of an export as CSV mean, from left to right. */
  codebook(): CodebookColumn[];
  /** What norms of it are made from; made when it is first asked for. */
  readonly norms: () => InstrumentNorms;
  /** What numbers of a group are made from; made when it is first asked for. */
  readonly groups: () => InstrumentGroups;
  /** Made-up people who answer it; made when they are first asked for. */
  readonly personas: () => Personas;
}

/** What many people's answers add up to, and what that says of one person. All of it is pure. */
export interface InstrumentNorms {
  /** Whether answers are complete and good enough to count. */
  isEligible(answers: Answers, times: ArrivalTimes | null): boolean;
  /** Nobody's answers, to add people to. */
  newSums(): NormSums;
  /** How a session stands among `n` people of its partner. */
  standings(numbers: NormNumbers, n: number, answers: Answers): ValueStanding[];
  /** The same among the people of all partners. */
  pooledStandings(numbers: PooledNumbers, answers: Answers): ValueStanding[];
  /** Nobody's counts, for a release. */
  newPool(): NormPool;
  /** What a release says. @param histograms as it was drawn */
  pooledNumbers(histograms: Uint8Array): PooledNumbers;
  /** The changes of a comparison, judged; null if it has none. */
  reliableChanges(
    comparison: SessionComparison,
    answers: readonly [Answers, Answers],
    norms: ChangeNorms,
  ): ValueReliableChanges[] | null;
}

/** What the members of a group have in common. All of it is pure. */
export interface InstrumentGroups {
  /** A completed session as that of a member; null if its answers are not good enough, or too few, to count. */
  read(answers: Answers, times: ArrivalTimes | null): Member | null;
  /** What may be told of the members; null if they are too few. */
  summarise(members: readonly Member[]): GroupNumbers | null;
}

/** What people's answers add up to. */
export interface NormSums {
  /** Adds a complete session. */
  add(session: Contribution): void;
  /** Adds the first and the second session of a person, both complete. */
  addPair(first: Answers, second: Answers): void;
  /** What 2 people, or pairs, and more say, as JSON. */
  numbersOf(kind: NormKind): Uint8Array;
  /** What the people add to norms of all partners, as JSON. */
  poolCounts(): Uint8Array;
}

/** Counts of the people of all partners that take part. */
export interface NormPool {
  /** Adds the people of one partner. @param counts as `NormSums` gives them */
  add(counts: Uint8Array): void;
  /** Whether a release would say enough. It depends on numbers of people alone, and so says nothing of what they are. */
  isEnough(): boolean;
  /** Histograms with noise, as JSON. Each further draw that is shown spends as much again of what protects people. */
  draw(bytes: (count: number) => Uint8Array): Uint8Array;
}

export interface ResultsCodec {
  encode(results: Results): Uint8Array;
  /** Throws for bytes that are no results. */
  decode(bytes: Uint8Array): Results;
}

/** What a product makes, as messages. */
export interface ProductMessages {
  results(results: Results): ValuesBridgeResults;
  totals(totals: Totals): OverallResult;
  names(results: Results, wording: Wording): ResultNames;
  explanation(explanation: ResultsExplanation): ExplanationMessage;
  quality(quality: Quality): QualityMessage;
  /** @param reliable the changes judged by norms; null without norms */
  change(comparison: SessionComparison, reliable: ReliableChanges | null): ChangeMessage;
  norms(source: NormSource, numbers: NormNumbers): MessageInitShape<typeof NormsSchema>;
  groupNumbers(numbers: GroupNumbers): MessageInitShape<typeof GroupNumbersSchema>;
  pooledNorms(source: PoolSource, numbers: PooledNumbers): MessageInitShape<typeof PooledReleaseSchema>;
  retestNorms(source: NormSource, numbers: RetestNumbers): MessageInitShape<typeof RetestNormsSchema>;
  report(model: ReportModel): MessageInitShape<typeof ReportSchema>;
  teamReport(model: TeamReportModel): MessageInitShape<typeof TeamReportSchema>;
  namedValues(wording: Wording): NamedValue[];
}
