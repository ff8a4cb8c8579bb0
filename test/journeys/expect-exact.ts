// Results as they follow from what the interface says of the questions, and from nothing else.
import { expect } from "vitest";
import { withoutNulls } from "../e2e/cases/case.ts";
import type { AssessmentBody, ResultsBody } from "../support/transports/transports.ts";
import { exactResults } from "../support/values-bridge/exact-results.ts";

/** Expects what rational arithmetic makes of the answers and of what the interface says of the questions. */
export function expectExact(
  results: ResultsBody | null | undefined,
  { questions }: AssessmentBody,
  ratings: readonly (number | null)[],
): void {
  const scored = questions.map(({ id, likertConfig, valuesBridgeConfig }) => {
    if (likertConfig === null || valuesBridgeConfig === null) throw new Error(`question ${id} cannot be scored`);
    const lifeContext = valuesBridgeConfig.lifeContext as "ideal" | "current";
    return { id, ...likertConfig, ...valuesBridgeConfig, lifeContext };
  });
  const answers = questions.map(({ position }) => ratings[position - 1] ?? null);
  expect(withoutNulls(results)).toEqual(withoutNulls(exactResults({ questions: scored, answers })));
}
