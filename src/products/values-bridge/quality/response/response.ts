// Response quality: whether the answers of one session can be taken at their word.
import type { CompiledQuality } from "../compile.ts";
import type { ArrivalTimes } from "../model.ts";
import type { Grade, ResponseIndices, ResponseQuality } from "../quality.ts";
import type { ReadSession } from "../session.ts";
import { agreementOf } from "./agreement.ts";
import { consistencyOf } from "./consistency.ts";
import { flagsOf, gradeOf } from "./grade.ts";
import { oppositesOf } from "./opposites.ts";
import { longestRun, shareOf, spreadOf } from "./patterns.ts";
import { secondsPerAnswerOf } from "./speed.ts";

/** Judges the answers of a session. Unrounded. */
export function judgeResponse(
  compiled: CompiledQuality,
  { answers, sheet, scoredCells }: ReadSession,
  times: ArrivalTimes | null,
): ResponseQuality {
  const { scale, blocks, asked } = compiled;
  const { cells, ratings } = sheet;
  const byLife = { ideal: consistencyOf(scoredCells.ideal), current: consistencyOf(scoredCells.current) };
  const indices: ResponseIndices = {
    longestRun: Math.max(...sheet.blocks.map(longestRun)),
    spread: spreadOf(ratings),
    opposites: oppositesOf([...cells.ideal, ...cells.current]),
    consistency: consistencyOf([...scoredCells.ideal, ...scoredCells.current]),
    consistencyIdeal: byLife.ideal,
    consistencyCurrent: byLife.current,
    secondsPerAnswer: secondsPerAnswerOf(times, answers.filter((answer) => answer !== null).length),
    ...agreementOf(sheet, scale, compiled.keyBalance),
    extremes: shareOf([scale.min, scale.max], ratings),
    midpoint: shareOf([(scale.min + scale.max) / 2], ratings),
  };
  const flags = flagsOf(indices, {
    scale,
    values: compiled.scoring.valueIds.length,
    consistencyByBlock: [byLife[blocks[0].lifeContext], byLife[blocks[1].lifeContext]],
  });
  return { grade: gradeOf(flags, indices.consistency, ratings.length, asked), flags, ...indices };
}

/** Whether answers of this grade have an error of their own: a constant answer would look perfectly precise. */
export function isUsable(grade: Grade): boolean {
  return grade === "good" || grade === "caution";
}
