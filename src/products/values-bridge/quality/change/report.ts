// Changes as readers see them: comparisons are done, so numbers are rounded.
import { reportVariances, toFour, toTwo } from "../report.ts";
import type { Change, StatementChanges } from "./comparison.ts";

/** The changes with every number rounded. */
export function toReportedChanges({ tests, expectedByChance, variance, values }: StatementChanges): StatementChanges {
  return {
    tests,
    expectedByChance: toTwo(expectedByChance),
    variance: reportVariances(variance),
    values: values.map(({ valueId, ideal, current, gap }) => ({
      valueId,
      ideal: ideal && reportChange(ideal),
      current: current && reportChange(current),
      gap: gap && reportChange(gap),
    })),
  };
}

function reportChange({ change, standardError, index, consistent }: Change): Change {
  return { change: toTwo(change), standardError: toTwo(standardError), index: toFour(index), consistent };
}
