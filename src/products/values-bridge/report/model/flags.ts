// Notes on how the statements were answered: for each flag a sentence that is true for every person with it.
import type { ReportFlag } from "../report-input.ts";
import type { ReportTexts } from "../words/language.ts";
import type { ReportContext } from "./context.ts";

type FlagText = keyof ReportTexts & `flag${string}`;

const flagTexts: Readonly<Record<ReportFlag["index"], Readonly<Record<ReportFlag["level"], FlagText>>>> = {
  longestRun: { warn: "flagLongestRun", fail: "flagLongestRun" },
  spread: { warn: "flagSpread", fail: "flagSpread" },
  opposites: { warn: "flagOpposites", fail: "flagOpposites" },
  consistency: { warn: "flagConsistency", fail: "flagConsistency" },
  secondBlock: { warn: "flagSecondBlock", fail: "flagSecondBlock" },
  speed: { warn: "flagSpeed", fail: "flagSpeedFail" },
};

/** The sentences of the flags that the answers have, in the order of the flags. None without quality. */
export function flagSentences({ facts: { quality }, language: { texts, say, decimal } }: ReportContext): string[] {
  if (quality === null) return [];
  const { flags, longestRun, secondsPerAnswer } = quality.response;
  const filled = { count: longestRun, seconds: decimal(secondsPerAnswer ?? 0) };
  return flags.map(({ index, level }) => say(texts[flagTexts[index][level]], filled));
}
