// Missing answers, and changes of place on the circle of values (properties 19 to 22).
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lifeContexts, modelPairings, valueCount } from "../../../support/values-bridge/scoring-model.ts";
import {
  anyContext,
  anyValueId,
  completeSession,
  explanationOf,
  forAll,
  isIn,
  pairingIn,
  patience,
  type Session,
  scoreOf,
  scoresIn,
  untiedValues,
  valueIn,
  withAnswers,
  withQuestions,
} from "../../../support/values-bridge/sessions.ts";

const rank = { ideal: "idealDisplayRank", current: "currentDisplayRank" } as const;

/** Gives every value's statements to the value that `image` names, and compares what does not depend on ties. */
function expectMoved(session: Session, image: (valueId: number) => number): void {
  const moved = withQuestions(session, (question) => ({ ...question, valueId: image(question.valueId) }));
  const [before, after, explanation] = [scoreOf(session), scoreOf(moved), explanationOf(session)];
  for (const value of before.values) {
    expect(valueIn(after, image(value.valueId)).authenticityGapScaled).toBe(value.authenticityGapScaled);
  }
  for (const context of lifeContexts) {
    for (const valueId of untiedValues(explanation, context)) {
      expect(valueIn(after, image(valueId))[rank[context]]).toBe(valueIn(before, valueId)[rank[context]]);
    }
  }
}

/** The same for a movement that keeps distances on the circle, and with them pairings and totals. */
function expectMovedAlong(session: Session, image: (valueId: number) => number): void {
  expectMoved(session, image);
  const moved = withQuestions(session, (question) => ({ ...question, valueId: image(question.valueId) }));
  const [before, after] = [scoreOf(session), scoreOf(moved)];
  expectClose(after.overall.totalAuthenticityGapScaled, before.overall.totalAuthenticityGapScaled);
  expectClose(after.overall.totalHarmonyScoreScaled, before.overall.totalHarmonyScoreScaled);
  expectClose(after.overall.totalConflictScoreScaled, before.overall.totalConflictScoreScaled);
  for (const { id, values } of modelPairings) {
    const [a, b] = values.map(image).sort((x, y) => x - y);
    expectClose(pairingIn(after, 100 * (a ?? 0) + (b ?? 0)).scaledScore, pairingIn(before, id).scaledScore);
  }
}

/** Sums may run in another order and so differ in the last reported decimal. */
function expectClose(actual: number | null, expected: number | null): void {
  if (actual === null || expected === null) throw new TypeError("a complete session has every number");
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(0.01 + 1e-9);
}

describe("taking answers of one value away until it has no score", patience, () => {
  const cases = fc.tuple(completeSession, anyValueId, anyContext, fc.integer({ min: 0, max: 4 }));

  /** Leaves one answer of the cell, or none for 4. */
  function withoutAnswers([session, valueId, context, keep]: [Session, number, "ideal" | "current", number]): Session {
    return withAnswers(session, (question) =>
      isIn(question, valueId, context) && question.id % 4 !== keep ? null : undefined,
    );
  }

  test("leaves exactly its own numbers null, and in the ideal context its 8 pairings (property 19)", () => {
    forAll(cases, ([session, valueId, context, keep]) => {
      const [before, after] = [scoreOf(session), scoreOf(withoutAnswers([session, valueId, context, keep]))];
      const own = valueIn(before, valueId);
      expect(valueIn(after, valueId)).toStrictEqual(
        context === "ideal"
          ? { ...own, idealDisplayRank: null, idealRankTier: "unranked", authenticityGapScaled: null }
          : { ...own, currentDisplayRank: null, currentRankTier: "unranked", authenticityGapScaled: null },
      );
      const lost = after.pairings.filter((pairing) => pairing.scaledScore === null);
      const touched = modelPairings.filter((pairing) => context === "ideal" && pairing.values.includes(valueId));
      expect(lost.map((pairing) => pairing.valuePairingId)).toEqual(touched.map((pairing) => pairing.id));
      expect(touched).toHaveLength(context === "ideal" ? 8 : 0);
      if (context === "current") expect(after.pairings).toStrictEqual(before.pairings);
    });
  });

  test("leaves the gaps of the other values and their order without ties (property 19)", () => {
    forAll(cases, ([session, valueId, context, keep]) => {
      const fewer = withoutAnswers([session, valueId, context, keep]);
      const [before, after] = [scoreOf(session), scoreOf(fewer)];
      for (const value of before.values.filter((candidate) => candidate.valueId !== valueId)) {
        expect(valueIn(after, value.valueId).authenticityGapScaled).toBe(value.authenticityGapScaled);
      }
      const untied = untiedValues(explanationOf(session), context).filter((id) => id !== valueId);
      const orderIn = (results: typeof before): number[] =>
        untied.toSorted(
          (a, b) => (valueIn(results, a)[rank[context]] ?? 0) - (valueIn(results, b)[rank[context]] ?? 0),
        );
      expect(orderIn(after)).toEqual(orderIn(before));
    });
  });
});

describe("moving values on the circle", patience, () => {
  test("by rotation moves gaps and ranks with them and keeps the totals (property 20)", () => {
    forAll(fc.tuple(completeSession, fc.integer({ min: 1, max: valueCount - 1 })), ([session, steps]) => {
      expectMovedAlong(session, (valueId) => ((valueId - 1 + steps) % valueCount) + 1);
    });
  });

  test("by swapping two swaps their gaps and ranks (property 21)", () => {
    forAll(fc.tuple(completeSession, anyValueId, anyValueId), ([session, a, b]) => {
      expectMoved(
        session,
        (valueId) =>
          new Map([
            [a, b],
            [b, a],
          ]).get(valueId) ?? valueId,
      );
    });
  });

  test("by mirroring moves gaps and ranks with them and keeps the totals (property 22)", () => {
    forAll(completeSession, (session) => expectMovedAlong(session, (valueId) => valueCount + 1 - valueId));
  });

  test("gives every value the score that its statements had", () => {
    forAll(fc.tuple(completeSession, anyContext), ([session, context]) => {
      const mirrored = withQuestions(session, (question) => ({ ...question, valueId: 20 - question.valueId }));
      const [before, after] = [scoresIn(explanationOf(session), context), scoresIn(explanationOf(mirrored), context)];
      for (const [valueId, score] of before) expect(after.get(20 - valueId)).toBe(score);
    });
  });
});
