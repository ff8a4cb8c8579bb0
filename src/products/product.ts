// The interface between a product and the service. The service passes on what a product computes from answers, as
// a type, a message or bytes; only the product reads it.
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
  /** Renders reports in a thread of its own, which must be closed. */
  createRenderer(): ReportRenderer;
}

/** A version of a product, with everything derived from its definition, computed once. */
export interface Instrument {
  /** The complete definition of the version. */
  readonly definition: Definition;
  /** By position. */
  readonly questions: readonly Question[];
  readonly questionById: ReadonlyMap<number, Question>;
  /** The texts shown to people in every language, the definition's first. */
  readonly wordings: readonly Wording[];
  readonly scorer: Scorer;
  /** How results were computed, and whether scoring still gives the same. */
  explain(answers: Answers, results: Results): ResultsExplanation;
  /** Assesses the quality of results; created on first use. */
  readonly quality: () => QualityAssessor;
  /** What changed between two sessions of one person, which may be of two versions. */
  compare(earlier: ComparedSession, later: ComparedSession): SessionComparison;
  /** The report on one scored session, in the first requested language that is available. */
  report(input: Omit<ReportInput, "definition">): ReportModel;
  /** The report on a closed group, in the first requested language that is available. */
  teamReport(input: Omit<TeamReportInput, "definition">): TeamReportModel;
  /** The columns of a CSV export with their meaning, from left to right. */
  codebook(): CodebookColumn[];
  /** Computes norms; created on first use. */
  readonly norms: () => InstrumentNorms;
  /** Computes the numbers of a group; created on first use. */
  readonly groups: () => InstrumentGroups;
  /** Simulated people who answer it; created on first use. */
  readonly personas: () => Personas;
}

/** Sums over many people's answers, and comparisons of one person with them. All functions are pure. */
export interface InstrumentNorms {
  /** Whether answers are complete and good enough to count. */
  isEligible(answers: Answers, times: ArrivalTimes | null): boolean;
  /** Empty sums, to add people to. */
  newSums(): NormSums;
  /** How a session stands among `n` people of its partner. */
  standings(numbers: NormNumbers, n: number, answers: Answers): ValueStanding[];
  /** The same among the people of all partners. */
  pooledStandings(numbers: PooledNumbers, answers: Answers): ValueStanding[];
  /** Empty counts, for a release. */
  newPool(): NormPool;
  /** The norms of a release. @param histograms as they were drawn */
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
  /** The numbers that may be published about the members; null if they are too few. */
  summarise(members: readonly Member[]): GroupNumbers | null;
}

/** Sums over people's answers. */
export interface NormSums {
  /** Adds a complete session. */
  add(session: Contribution): void;
  /** Adds the first and the second session of a person, both complete. */
  addPair(first: Answers, second: Answers): void;
  /** The norms of 2 or more people or pairs, as JSON. */
  numbersOf(kind: NormKind): Uint8Array;
  /** What the people add to norms of all partners, as JSON. */
  poolCounts(): Uint8Array;
}

/** Counts of the people of all partners that take part. */
export interface NormPool {
  /** Adds the people of one partner. @param counts as `NormSums` gives them */
  add(counts: Uint8Array): void;
  /** Whether a release would be precise enough. Depends on numbers of people alone, so it reveals no answers. */
  isEnough(): boolean;
  /** Histograms with noise, as JSON. Each published draw spends the same amount of the privacy budget again. */
  draw(bytes: (count: number) => Uint8Array): Uint8Array;
}

export interface ResultsCodec {
  encode(results: Results): Uint8Array;
  /** Throws if the bytes are not results. */
  decode(bytes: Uint8Array): Results;
}

/** Converts what a product computes into messages. */
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
