// values-bridge as a product of the service.
import { once } from "../../kernel/once.ts";
import type { Instrument, InstrumentGroups, InstrumentNorms, Product } from "../product.ts";
import { builtInProduct, readShippedDefinition } from "./definition/built-in.ts";
import { codebookColumns } from "./definition/codebook.ts";
import type { Definition } from "./definition/definition.ts";
import { shortFormOf } from "./definition/forms.ts";
import { maxFaults } from "./definition/limits.ts";
import { arrangeQuestions, qualityModel, scoringModel } from "./definition/questions.ts";
import { wordingsOf } from "./definition/wordings.ts";
import { readMember } from "./groups/member.ts";
import { summariseGroup } from "./groups/summarise.ts";
import { explainResults } from "./messages/explained-results.ts";
import {
  toChangeMessage,
  toExplanationMessage,
  toGroupNumbersMessage,
  toNamedValues,
  toNamesMessage,
  toNormsMessage,
  toPooledMessage,
  toQualityMessage,
  toReportMessage,
  toRetestMessage,
  toTeamReportMessage,
} from "./messages/messages.ts";
import { decodeResults, encodeResults, toOverallMessage, toResultsMessage } from "./messages/results.ts";
import { layoutNorms } from "./norms/layout.ts";
import { normNumbers, retestNumbers } from "./norms/numbers.ts";
import { Pool } from "./norms/pool/draw.ts";
import { histogramsOf } from "./norms/pool/histograms.ts";
import { pooledNumbers } from "./norms/pool/pooled-numbers.ts";
import { reliableChanges } from "./norms/reliable-changes.ts";
import { standingsAmongAll, standingsAmongOwn } from "./norms/standing.ts";
import { countRetest, countSession, isEligible, newRetestSums, newSums } from "./norms/sums.ts";
import { compilePersonas } from "./personas/personas.ts";
import { compileQuality } from "./quality/assess.ts";
import { compareSessions } from "./quality/change/compare.ts";
import type { CompiledQuality } from "./quality/compile.ts";
import { reportModel } from "./report/report.ts";
import { teamReportModel } from "./report/team/team-model.ts";
import { createReportRenderer } from "./report-rendering/renderer.ts";
import { compileScoring } from "./scoring/score.ts";

/** The product. It never changes, so one object serves a process. */
export function createValuesBridge(): Product {
  // Imported and compiled with the first definition, since it blocks the process.
  const parser = once(async () => {
    const { parseDefinition } = await import("./definition/check/check.ts");
    const { compileShapeCheck } = await import("./definition/check/shape.ts");
    const checkShape = compileShapeCheck();
    return (json: unknown) => parseDefinition(json, checkShape);
  });
  return {
    name: builtInProduct,
    readShipped: readShippedDefinition,
    parse: async (json) => (await parser())(json),
    maxFaults,
    shortForm: shortFormOf,
    open: openInstrument,
    results: { encode: encodeResults, decode: decodeResults },
    messages: {
      results: toResultsMessage,
      totals: toOverallMessage,
      names: toNamesMessage,
      explanation: toExplanationMessage,
      quality: toQualityMessage,
      change: toChangeMessage,
      groupNumbers: toGroupNumbersMessage,
      norms: toNormsMessage,
      pooledNorms: toPooledMessage,
      retestNorms: toRetestMessage,
      report: toReportMessage,
      teamReport: toTeamReportMessage,
      namedValues: toNamedValues,
    },
    createRenderer: () => createReportRenderer(),
  };
}

function openInstrument(definition: Definition, assessmentId: number): Instrument {
  const questions = arrangeQuestions(definition, assessmentId);
  const model = scoringModel(definition, questions);
  const quality = once(() => compileQuality(qualityModel(definition, questions)));
  const scorer = compileScoring(model);
  return {
    definition,
    questions,
    questionById: new Map(questions.map((question) => [question.id, question])),
    wordings: wordingsOf(definition, assessmentId),
    scorer,
    explain: (answers, results) => explainResults(scorer, answers, results),
    quality,
    compare: compareSessions,
    report: (input) => reportModel({ ...input, definition }),
    teamReport: (input) => teamReportModel({ ...input, definition }),
    codebook: () => codebookColumns(definition, assessmentId),
    norms: once(() => instrumentNorms(quality().compiled)),
    groups: once(() => instrumentGroups(quality().compiled)),
    personas: once(() => compilePersonas(model, scorer)),
  };
}

function instrumentNorms(compiled: CompiledQuality): InstrumentNorms {
  const layout = layoutNorms(compiled);
  return {
    isEligible: (answers, times) => isEligible(compiled, answers, times),
    newSums() {
      const sums = newSums(layout);
      const retests = newRetestSums(layout);
      return {
        add: (session) => countSession(layout, sums, session),
        addPair: (first, second) => countRetest(layout, retests, [first, second]),
        numbersOf(kind) {
          const numbers = kind === "sessions" ? normNumbers(layout, sums) : retestNumbers(layout, retests);
          return Buffer.from(JSON.stringify(numbers));
        },
        poolCounts() {
          const counts = { people: sums.people, histograms: histogramsOf(layout, sums) };
          return Buffer.from(JSON.stringify(counts));
        },
      };
    },
    standings: (numbers, n, answers) => standingsAmongOwn(layout, numbers, n, answers),
    pooledStandings: (numbers, answers) => standingsAmongAll(layout, numbers, answers),
    newPool() {
      const pool = new Pool(layout);
      return {
        add: (counts) => pool.add(JSON.parse(Buffer.from(counts).toString())),
        isEnough: () => pool.isEnough(),
        draw: (bytes) => Buffer.from(JSON.stringify(pool.draw(bytes))),
      };
    },
    pooledNumbers: (histograms) => pooledNumbers(layout, JSON.parse(Buffer.from(histograms).toString())),
    reliableChanges: (comparison, answers, norms) => reliableChanges(layout, comparison, answers, norms),
  };
}

function instrumentGroups(compiled: CompiledQuality): InstrumentGroups {
  return {
    read: (answers, times) => readMember(compiled, answers, times),
    summarise: (members) => summariseGroup(compiled.scoring.valueIds, compiled.scale.span, members),
  };
}
