// Version 1 of the scoring model in exact rational arithmetic: integers over common denominators, no floating point.

import type { LifeContext, ScoringQuestion } from "../../../src/products/values-bridge/scoring/model.ts";
import type { Explanation, Results } from "../../../src/products/values-bridge/scoring/shapes.ts";
import { lifeContexts, modelConstants, modelValueIds, valueCount } from "./scoring-model.ts";
import type { Session } from "./sessions.ts";

interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}

interface ExactRank {
  readonly rank: number | null;
  readonly tier: string;
}

/** Kappa in ten-thousandths by circular distance; 1 and 2 are harmony, 8 and 9 conflict. */
const kappaOf: ReadonlyMap<number, bigint> = new Map([
  [1, 9458n],
  [2, 7891n],
  [8, 8795n],
  [9, 9864n],
]);

const { weightScale } = modelConstants;
const tierNames = ["core", "guiding", "situational", "peripheral"];

/** Results of a session with version 1 questions and integer ranges. */
export function exactResults({ questions, answers }: Session): Results {
  const ideal = modelValueIds.map((id) => cellScore(questions, answers, id, "ideal"));
  const current = modelValueIds.map((id) => cellScore(questions, answers, id, "current"));
  const common = [...ideal, ...current].reduce(
    (lcm, score) => (score === null ? lcm : leastMultiple(lcm, score.d)),
    1n,
  );
  const commonIdeal = ideal.map((score) => (score === null ? null : score.n * (common / score.d)));
  const lived = current.map((score) => (score === null ? null : score.n * (common / score.d)));

  const wantedRanks = exactRanks(commonIdeal, common);
  const livedRanks = exactRanks(lived, common);
  const gaps = commonIdeal.map((score, i) => {
    const other = lived[i] ?? null;
    return score === null || other === null ? null : score - other;
  });
  const values = modelValueIds.map((valueId, i) => ({
    valueId,
    idealDisplayRank: wantedRanks[i]?.rank ?? null,
    idealRankTier: wantedRanks[i]?.tier ?? "unranked",
    currentDisplayRank: livedRanks[i]?.rank ?? null,
    currentRankTier: livedRanks[i]?.tier ?? "unranked",
    authenticityGapScaled: toNumber(percent(gaps[i] ?? null, common)),
  }));
  const place = (rank: number | null): number => rank ?? 1000;
  values.sort(
    (a, b) =>
      place(a.idealDisplayRank) - place(b.idealDisplayRank) ||
      place(a.currentDisplayRank) - place(b.currentDisplayRank) ||
      a.valueId - b.valueId,
  );

  // T: weights (1/2 + s) and gaps over 2 * common and common
  let weights = 0n;
  let weighted = 0n;
  gaps.forEach((gap, i) => {
    if (gap === null) return;
    const weight = common + 2n * (commonIdeal[i] ?? 0n);
    weights += weight;
    weighted += weight * (gap < 0n ? -gap : gap);
  });
  const total = weights === 0n ? null : percent(weighted, weights * common);

  const { priorities, unit } = exactPriorities(commonIdeal, common);
  const pairs = [...kappaOf].flatMap(([distance, kappa]) =>
    modelValueIds.map((start) => {
      const end = ((start - 1 + distance) % valueCount) + 1;
      const [a, b] = start < end ? [start, end] : [end, start];
      const [p, q] = [priorities[a - 1] ?? null, priorities[b - 1] ?? null];
      if (p === null || q === null) return { id: 100 * a + b, distance, kappa, min: null, sum: 0n };
      return { id: 100 * a + b, distance, kappa, min: p < q ? p : q, sum: p + q };
    }),
  );
  const harmony = pairTotal(pairs.filter(({ distance }) => distance <= 2));
  const conflict = pairTotal(pairs.filter(({ distance }) => distance >= 8));
  const nano = 1_000_000_000n;
  const ordered = pairs
    .map((pair) => ({
      ...pair,
      key: pair.min === null ? -1n : halfUp(100n * pair.min * nano, unit),
      tie: halfUp(pair.sum * nano, 2n * unit),
    }))
    .sort((a, b) => descending(a.key, b.key) || descending(a.tie, b.tie) || a.id - b.id);

  return {
    overall: {
      archetypeId: exactArchetype(total, harmony, conflict, gaps.filter((gap) => gap !== null).length),
      totalAuthenticityGapScaled: toNumber(total),
      totalConflictScoreScaled: toNumber(conflict),
      totalHarmonyScoreScaled: toNumber(harmony),
    },
    values,
    pairings: ordered.map(({ id, min }) => ({ valuePairingId: id, scaledScore: toNumber(percent(min, unit)) })),
  };
}

/** The statements and answers that an explanation has, which is all that a reader of it needs. */
export function explainedSession({ values }: Pick<Explanation, "values">): Session {
  const items = values.flatMap((value) =>
    lifeContexts.flatMap((lifeContext) =>
      value[lifeContext].items.map(({ questionId: id, weight, answer, inverse, min, max }) => ({
        question: { id, valueId: value.valueId, lifeContext, inverse, omegaWeight: weight / weightScale, min, max },
        answer,
      })),
    ),
  );
  return { questions: items.map(({ question }) => question), answers: items.map(({ answer }) => answer) };
}

function cellScore(
  questions: readonly ScoringQuestion[],
  answers: Session["answers"],
  valueId: number,
  context: LifeContext,
): Fraction | null {
  const items = questions.flatMap((question, i) => {
    if (question.valueId !== valueId || question.lifeContext !== context) return [];
    const weight = BigInt(Math.round(question.omegaWeight * weightScale));
    return weight === 0n ? [] : [{ question, weight, answer: answers[i] ?? null }];
  });
  let [count, answeredWeight, weight, n, d] = [0, 0n, 0n, 0n, 0n];
  for (const item of items) {
    weight += item.weight;
    if (item.answer === null) continue;
    const { inverse, min, max } = item.question;
    count += 1;
    answeredWeight += item.weight;
    n += item.weight * BigInt(inverse ? max - item.answer : item.answer - min);
    d += item.weight * BigInt(max - min);
  }
  const enough = count >= 1 && count >= Math.min(2, items.length) && 2n * answeredWeight >= weight;
  return enough ? { n, d } : null;
}

/** Ranks of scores that are integers over `common`. */
function exactRanks(scores: readonly (bigint | null)[], common: bigint): ExactRank[] {
  const rankedScores = scores
    .map((score, i) => {
      const beside = [scores.at(i - 1), scores[(i + 1) % scores.length]].filter((s) => typeof s === "bigint");
      const sum = beside.reduce((total, s) => total + s, 0n);
      const neighbours = beside.length === 0 ? -1n : halfUp(sum * 1_000_000_000n, BigInt(beside.length) * common);
      return { i, score, neighbours };
    })
    .filter((entry): entry is typeof entry & { score: bigint } => entry.score !== null)
    .sort((a, b) => descending(a.score, b.score) || descending(a.neighbours, b.neighbours) || a.i - b.i);
  return scores.map((score, i) => {
    if (score === null) return { rank: null, tier: "unranked" };
    const shared = 1 + rankedScores.filter((entry) => entry.score > score).length;
    const quarter = [1, 2, 3, 4].findIndex((k) => shared <= Math.ceil((k * rankedScores.length) / 4));
    return { rank: 1 + rankedScores.findIndex((entry) => entry.i === i), tier: tierNames[quarter] ?? "none" };
  });
}

/** Priorities as integers over `unit`: p = 1/2 + 3/2 * (s - base), clamped. */
function exactPriorities(
  scores: readonly (bigint | null)[],
  common: bigint,
): { priorities: (bigint | null)[]; unit: bigint } {
  const scored = scores.filter((score) => score !== null);
  if (scored.length < 10) return { priorities: scores.map(() => null), unit: 1n };
  const n = BigInt(scored.length);
  const sum = scored.reduce((total, score) => total + score, 0n);
  const unit = 2n * n * common;
  const priorities = scores.map((score) => {
    if (score === null) return null;
    const p = n * common + 3n * (n * score - sum);
    if (p < 0n) return 0n;
    return p > unit ? unit : p;
  });
  return { priorities, unit };
}

/** 100 * sum kappa min / sum kappa mean in hundredths. */
function pairTotal(pairs: readonly { kappa: bigint; min: bigint | null; sum: bigint }[]): bigint | null {
  const scored = pairs.filter(({ min }) => min !== null);
  if (scored.length === 0) return null;
  const minima = scored.reduce((total, { kappa, min }) => total + kappa * (min ?? 0n), 0n);
  const sums = scored.reduce((total, { kappa, sum }) => total + kappa * sum, 0n);
  return sums === 0n ? 0n : percent(2n * minima, sums);
}

/** All in hundredths. */
function exactArchetype(total: bigint | null, harmony: bigint | null, conflict: bigint | null, gaps: number): number {
  if (total === null || harmony === null || conflict === null || gaps < 10) return 9;
  const bands = [1000n, 1700n, 2500n].filter((edge) => total >= edge).length;
  return 1 + 2 * bands + (harmony - conflict < 1200n ? 1 : 0);
}

/** 100 * n / d in hundredths by the model's rule: floor(|x| * 100 + 1/2 + 1e-6), with the sign of x. */
function percent(n: bigint | null, d: bigint): bigint | null {
  if (n === null) return null;
  const size = (20_000_000_000n * (n < 0n ? -n : n) + 1_000_002n * d) / (2_000_000n * d);
  return n < 0n ? -size : size;
}

function halfUp(n: bigint, d: bigint): bigint {
  return (2n * n + d) / (2n * d);
}

function descending(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a > b ? -1 : 1;
}

function leastMultiple(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return (a / x) * b;
}

function toNumber(hundredths: bigint | null): number | null {
  return hundredths === null ? null : Number(hundredths) / 100;
}
