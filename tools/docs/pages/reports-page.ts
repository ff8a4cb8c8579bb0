// The parts of docs/reports.md that are written from the code, and its pictures.
import { chooseRating } from "../../../src/cli/demo/demo.ts";
import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";
import { arrangeQuestions, toScoringModel } from "../../../src/products/values-bridge/definition/questions.ts";
import { z95 } from "../../../src/products/values-bridge/quality/statistics.ts";
import {
  highPercentile,
  maxCloseValues,
  maxLeadingValues,
  maxMostWantedShare,
  maxMostWantedValues,
  maxPairsPerKind,
  maxStatementsPerGap,
  maxSummaryValues,
  minChangeSteps,
  minLeaningSteps,
  minMostWantedStandardErrors,
  minNamedSteps,
  minSummarySteps,
  worstLeadingRank,
} from "../../../src/products/values-bridge/report/model/rules.ts";
import { createReportModel } from "../../../src/products/values-bridge/report/report.ts";
import type { ReportModel } from "../../../src/products/values-bridge/report/report-model.ts";
import { pictureNames } from "../../../src/products/values-bridge/report/report-renderer.ts";
import type { TeamReportModel } from "../../../src/products/values-bridge/report/team/team-model.ts";
import {
  createRendering,
  type RenderingTask,
} from "../../../src/products/values-bridge/report-rendering/render-task.ts";
import { compileScoring } from "../../../src/products/values-bridge/scoring/score.ts";
import { createValuesBridge } from "../../../src/products/values-bridge/values-bridge.ts";
import { answersWith, type Points } from "../made-up-answers.ts";
import { table } from "../markdown.ts";

/** Somebody who wants to care for others and lives by rules more than they want, out of 24 points each. */
const somebody: Readonly<Record<number, Points>> = {
  1: [22, 15],
  2: [16, 13],
  3: [15, 14],
  4: [18, 9],
  5: [10, 14],
  6: [12, 16],
  7: [10, 17],
  8: [11, 15],
  9: [10, 18],
  10: [13, 17],
  11: [14, 15],
  12: [11, 19],
  13: [17, 16],
  14: [15, 15],
  15: [22, 15],
  16: [23, 15],
  17: [22, 13],
  18: [21, 12],
  19: [21, 14],
};

/** The pictures of the pages on reports and groups, and of the README, by their files. */
export async function reportPictures(definition: Definition): Promise<[string, string][]> {
  const model = reportOn(definition, answersWith(definition, somebody, [12, 12]));
  const demo = reportOn(definition, arrangeQuestions(definition, 1).map(chooseRating));
  const render = createRendering();
  const branding = { displayName: null, accentColor: null, logoUrl: null };
  const drawTask = async (name: string, task: Pick<RenderingTask, "model" | "picture">): Promise<[string, string]> => {
    const svg = await render({ ...task, branding, format: "svg" });
    return [`docs/pictures/${name}.svg`, Buffer.from(svg).toString()];
  };
  return Promise.all([
    ...pictureNames.map((picture) => drawTask(`report-${picture}`, { model, picture })),
    drawTask("demo-report", { model: demo, picture: "circle" }),
    drawTask("team-report", { model: teamOn(definition) }),
  ]);
}

/** Points that a member of the group of the picture has beside those of `somebody`: alike in some values, not in others. */
function shift(valueId: number, member: number): number {
  const reach = 1 + (valueId % 4);
  return (((valueId * 7 + member * 5) % (2 * reach + 1)) - reach) * 1.5;
}

/** The report on a made-up group, for docs/groups.md. */
function teamOn(definition: Definition): TeamReportModel {
  const { getGroups, createTeamReport } = createValuesBridge().open(definition, 1);
  const within = (points: number) => Math.min(24, Math.max(0, Math.round(points)));
  const members = Array.from({ length: 12 }, (_, member) => {
    const points = Object.entries(somebody).map(([id, [ideal, current]]) => {
      const by = shift(Number(id), member);
      return [id, [within((ideal ?? 0) + by), within((current ?? 0) - by)]] as const;
    });
    return getGroups().readMember(answersWith(definition, Object.fromEntries(points), [12, 12]), null);
  });
  const counts = members.filter((member) => member !== null);
  const numbers = getGroups().summarizeGroup(counts, true);
  const group = { groupId: "", label: "Team North", closedAt: new Date("2026-11-21"), locales: ["en"] };
  return createTeamReport({ ...group, numbers });
}

function reportOn(definition: Definition, answers: readonly (number | null)[]): ReportModel {
  const scorer = compileScoring(toScoringModel(definition, arrangeQuestions(definition, 1)));
  const explanation = { explainsResults: true, ...scorer.explain(answers) };
  return createReportModel({ definition, assessmentVersion: 1, explanation, session: null, locales: ["en"] });
}

/** The parts by name. */
export function reportsParts(): Record<string, string> {
  const rows: readonly (readonly [string, string])[] = [
    ["A difference is named", `from ${minNamedSteps} steps on, if it is \`joint\``],
    ["A difference is in the summary", `from ${minSummarySteps} steps on, from the top of its list`],
    ["A difference is told to be perhaps chance", `from ${minLeaningSteps} steps on, if it is not named`],
    ["One sentence on differences names", `${maxSummaryValues} values at most, the largest ones`],
    [
      "What is wanted most",
      `is what of the first tier is above the person's average by more than ${minMostWantedStandardErrors} standard error, with all that are equal; ${maxMostWantedValues} at most, and no more than ${maxMostWantedShare} of the values`,
    ],
    [
      "One of them leads",
      `if its worst rank in \`rankRange\` is ${worstLeadingRank} or better; the first ${maxLeadingValues} at most; equal ones all or none`,
    ],
    [
      "A paragraph tells of a value as lived",
      `if it is wanted most and the two averages are less than ${minLeaningSteps} steps apart; as missed or as lived more than wanted, if that difference is named; else it tells of neither`,
    ],
    [
      "A value is close behind",
      `if its best rank in \`rankRange\` is within the number of those wanted most; the ${maxCloseValues} highest, without ties across that border`,
    ],
    [
      "A pair is named",
      `if both values are above the person's average by more than ${z95} standard errors; ${maxPairsPerKind} of a kind at most`,
    ],
    ["An archetype has one name", "if neither of the two rules below holds"],
    [
      "Its direction is left open",
      "if the focus is within `seFocus` of its threshold, or one direction has a named pair of opposites",
    ],
    [
      "Its distance is left open",
      "if the total gap is within `seTotalGap` of the next band; if it is not `aboveNoise`, but in the lowest band; in the lowest band, if any difference is named; in the second, if one from the summary on is",
    ],
    ["Four archetypes are told", "if both its direction and its distance are left open"],
    ["Statements behind a named difference", `are those that differ its way, ${maxStatementsPerGap} at most`],
    [
      "A value is told to have more weight than with most",
      `if its place among others stays above ${highPercentile} with the error of the person and that of the norms together; less, if it stays below ${100 - highPercentile}`,
    ],
    ["A change since last time is told", `from ${minChangeSteps} steps on, if it is \`joint\``],
  ];
  return { "report-rules": table(["What", "When"], rows) };
}
