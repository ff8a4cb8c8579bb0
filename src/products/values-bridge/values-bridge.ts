// values-bridge as a product of the service.

import { once } from "../../kernel/once.ts";
import { builtInProduct, readShippedDefinition } from "./definition/built-in.ts";
import { listCodebookColumns } from "./definition/codebook.ts";
import type { Definition } from "./definition/definition.ts";
import { toShortForm } from "./definition/forms.ts";
import { arrangeQuestions, type Question, toQualityModel, toScoringModel } from "./definition/questions.ts";
import { toWordings } from "./definition/wordings.ts";
import { type Member, readMember } from "./groups/member.ts";
import { summarizeGroup } from "./groups/summarize.ts";
import { explainResults } from "./messages/explained-results.ts";
import { messages } from "./messages/messages.ts";
import { decodeResults, encodeResults } from "./messages/results.ts";
import { createNormLayout } from "./norms/layout.ts";
import { computeNormNumbers, computeRetestNumbers } from "./norms/numbers.ts";
import { NormPool } from "./norms/pool/draw.ts";
import { countHistograms } from "./norms/pool/histograms.ts";
import { computePooledNumbers } from "./norms/pool/pooled-numbers.ts";
import { type ChangeNorms, judgeChanges } from "./norms/reliable-changes.ts";
import { computeStandings, type MeasureNorms } from "./norms/standing.ts";
import { isEligible, NormSums } from "./norms/sums.ts";
import { compilePersonas } from "./personas/personas.ts";
import { compileQuality } from "./quality/assess.ts";
import { compareSessions } from "./quality/change.ts";
import type { CompiledQuality } from "./quality/compile.ts";
import type { ArrivalTimes } from "./quality/model.ts";
import type { Quality, SessionComparison, SessionError } from "./quality/quality.ts";
import { drawBareCircle } from "./report/drawing/bare-circle.ts";
import { writePosterText } from "./report/headline.ts";
import { createReportModel } from "./report/report.ts";
import type { ReportInput } from "./report/report-input.ts";
import { createStepCalendar } from "./report/step-calendar.ts";
import { createTeamReportModel, type TeamReportInput } from "./report/team/team-model.ts";
import { createReportRenderer } from "./report-rendering/renderer.ts";
import { createRenderingThread } from "./report-rendering/thread.ts";
import type { Answers } from "./scoring/cells.ts";
import { compileScoring } from "./scoring/score.ts";
import type { Results } from "./scoring/shapes.ts";

/** First sessions of people, or pairs of a first session and a later one of the same person. */
export type NormKind = "sessions" | "retests";

/** The product. It never changes, so one object serves a process. */
export function createValuesBridge() {
  // With the first definition: importing and compiling it blocks the process.
  const check = once(async () => (await import("./definition/check.ts")).compileDefinitionCheck());
  return {
    /** In paths and definitions. */
    name: builtInProduct,
    /** The definition that this release ships. */
    readShipped: readShippedDefinition,
    /** The definition in a file, or its faults. @param json the parsed file */
    parse: async (json: unknown) => (await check())(json),
    /** The short form of a checked definition; undefined if it has none. */
    toShortForm,
    /** The number of questions of a checked definition. */
    countQuestions: (definition: Definition) => arrangeQuestions(definition, 0).length,
    /** A version of a checked definition. @param assessmentId begins the ids of its questions */
    open: openInstrument,
    /** Results as the store keeps them. `decode` throws if the bytes are no results. */
    results: { encode: encodeResults, decode: decodeResults },
    messages,
    /** A calendar file with the day of the small step; undefined if none was chosen. */
    createStepCalendar,
    /** The circle of a report without names, as SVG; undefined if no value is scored. */
    drawBareCircle,
    /** The texts of the picture that the person may share; null if there is none. */
    writePosterText,
    /** Renders reports in a thread of its own, which must be closed. */
    createRenderer: () => createReportRenderer(createRenderingThread()),
  };
}

/** A version of the product, with everything derived from its definition. */
function openInstrument(definition: Definition, assessmentId: number) {
  const questions = arrangeQuestions(definition, assessmentId);
  const model = toScoringModel(definition, questions);
  const getQuality = once(() => compileQuality(toQualityModel(definition, questions)));
  const scorer = compileScoring(model);
  return {
    /** The complete definition of the version. */
    definition,
    /** By position. */
    questions: questions as readonly Question[],
    questionById: new Map(questions.map((question) => [question.id, question])) as ReadonlyMap<number, Question>,
    /** The texts shown to people in every language, the definition's first. */
    wordings: toWordings(definition, assessmentId),
    scorer,
    /** The computation of results, whether scoring still gives the same, and which archetypes fit. */
    explain: (answers: Answers, results: Results, answersQuality: Quality) =>
      explainResults(definition, scorer, answers, results, answersQuality),
    /** Assesses the quality of results; created on first use. */
    getQuality,
    /** Changes between two sessions of one person, which may have different versions. */
    compare: compareSessions,
    /** The report on one scored session, in the first requested language that is available. */
    createReport: (input: Omit<ReportInput, "definition">) => createReportModel({ ...input, definition }),
    /** The report on a closed group, in the first requested language that is available. */
    createTeamReport: (input: Omit<TeamReportInput, "definition">) => createTeamReportModel({ ...input, definition }),
    /** The columns of a CSV export with their meaning, from left to right. */
    listCodebookColumns: () => listCodebookColumns(definition, assessmentId),
    /** Computes norms; created on first use. */
    getNorms: once(() => createNorms(getQuality().compiled)),
    /** Computes the numbers of a group; created on first use. */
    getGroups: once(() => createGroups(getQuality().compiled)),
    /** Simulated people who answer it; created on first use. */
    getPersonas: once(() => compilePersonas(model, scorer)),
  };
}

/** Sums over many people's answers, and comparisons of one person with them. All functions are pure. */
function createNorms(compiled: CompiledQuality) {
  const layout = createNormLayout(compiled);
  return {
    /** True for answers that are complete and good enough to count. */
    isEligible: (answers: Answers, times: ArrivalTimes | null) => isEligible(compiled, answers, times),
    /** Empty sums, to add people to. */
    createSums: () => new NormSums(layout),
    /** The norms of 2 or more people or pairs, as JSON. */
    computeNumbers(sums: NormSums, kind: NormKind): Uint8Array {
      const numbers = kind === "sessions" ? computeNormNumbers(sums) : computeRetestNumbers(sums);
      return Buffer.from(JSON.stringify(numbers));
    },
    /** The counts of people for norms of all partners, as JSON. */
    encodeCounts(sums: NormSums): Uint8Array {
      return Buffer.from(JSON.stringify({ people: sums.people, histograms: countHistograms(sums) }));
    },
    /** The standing of a session among people of its partner, or of all partners. */
    computeStandings: (norms: MeasureNorms, answers: Answers, { values }: Pick<SessionError, "values">) =>
      computeStandings(layout, norms, answers, values),
    /** Empty counts of the people of all partners that take part, for a release. */
    createPool() {
      const pool = new NormPool(layout);
      return {
        /** Adds the people of one partner. @param counts those of `encodeCounts` */
        add: (counts: Uint8Array) => pool.add(JSON.parse(Buffer.from(counts).toString())),
        /** True if a release would be precise enough. Depends only on numbers of people, so it reveals no answers. */
        hasEnoughPeople: () => pool.hasEnoughPeople(),
        /** Histograms with noise, as JSON. Each published draw spends the same amount of the privacy budget again. */
        draw: (bytes: (count: number) => Uint8Array): Uint8Array => Buffer.from(JSON.stringify(pool.draw(bytes))),
      };
    },
    /** The norms of a release. @param histograms as they were drawn */
    computePooledNumbers: (histograms: Uint8Array) =>
      computePooledNumbers(layout, JSON.parse(Buffer.from(histograms).toString())),
    /** The changes of a comparison, judged; null if it has none. */
    judgeChanges: (comparison: SessionComparison, answers: readonly [Answers, Answers], norms: ChangeNorms) =>
      judgeChanges(layout, comparison, answers, norms),
  };
}

/** Numbers of groups. All functions are pure. */
function createGroups(compiled: CompiledQuality) {
  return {
    /** A member from a completed session; null if the answers are too few or not good enough. */
    readMember: (answers: Answers, times: ArrivalTimes | null) => readMember(compiled, answers, times),
    /** The numbers of some members. @param hasSpread whether standard deviations may be published */
    summarizeGroup: (members: readonly Member[], hasSpread: boolean) => summarizeGroup(compiled, members, hasSpread),
  };
}
