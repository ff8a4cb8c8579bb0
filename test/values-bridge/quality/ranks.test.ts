// The scores and ranks of quality are those of the results.
import { expect, test } from "vitest";
import { compileQuality, type QualityAssessor } from "../../../src/products/values-bridge/quality/assess.ts";
import { estimateError } from "../../../src/products/values-bridge/quality/error.ts";
import type { SessionError } from "../../../src/products/values-bridge/quality/quality.ts";
import { readSession } from "../../../src/products/values-bridge/quality/read-answers.ts";
import { lifeContexts } from "../../support/values-bridge/scoring-model.ts";
import { explanationOf, forAll, noFilter, type Session, scoresIn } from "../../support/values-bridge/sessions.ts";
import { modelOf } from "./models.ts";

function assessorOf({ questions }: Session): QualityAssessor {
  return compileQuality(modelOf(questions));
}

/** The error of a session whatever its grade. Unrounded. */
function errorOf(session: Session): SessionError {
  const { compiled } = assessorOf(session);
  return estimateError(compiled, readSession(compiled, session.answers));
}

test("the shared rank and the display rank of a value lie in its rank range", () => {
  forAll(noFilter, (session) => {
    const explanation = explanationOf(session);
    for (const value of errorOf(session).values) {
      for (const life of lifeContexts) {
        const rank = explanation.values.find(({ valueId }) => valueId === value.valueId)?.[life];
        const range = value[life]?.rankRange ?? null;
        if (range === null) continue;
        expect(rank?.sharedRank).toBeGreaterThanOrEqual(range[0]);
        expect(rank?.sharedRank).toBeLessThanOrEqual(range[1]);
        expect(rank?.displayRank).toBeGreaterThanOrEqual(range[0]);
        expect(rank?.displayRank).toBeLessThanOrEqual(range[1]);
      }
    }
  });
});

test("scores are those of the results, with the ties between them", () => {
  forAll(noFilter, (session) => {
    const explanation = explanationOf(session);
    const { values, totalGap } = errorOf(session);
    for (const life of lifeContexts) {
      const scores = scoresIn(explanation, life);
      for (const { valueId, [life]: error } of values) {
        const score = scores.get(valueId) ?? null;
        expect(error?.score ?? null).toBe(score === null ? null : 100 * score);
        const ties = [...scores].filter(([other, rival]) => other !== valueId && score !== null && rival === score);
        expect(error?.tiedWith ?? []).toEqual(ties.map(([other]) => other));
      }
    }
    if (totalGap !== null) expect(totalGap.total).toBe(explanation.totalGap?.reported);
  });
});
