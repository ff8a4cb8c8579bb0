// Flags from the indices of response quality, and the grade from flags.
import { type Block, type CompiledQuality, type SeparationIndex, separationIndices } from "./compile.ts";
import type { Flag, Grade, ResponseIndices } from "./quality.ts";

/**
 * The flags of unrounded indices, in the order of the indices. Thresholds come from the literature and from simulation (see
 * docs/trust.md); they are provisional until there are data of real people.
 */
export function findFlags(indices: ResponseIndices, { cuts, scale, scoring, blocks }: CompiledQuality): Flag[] {
  const { longestRun, spread, opposites, consistency, secondsPerAnswer } = indices;
  // One round of questions has one of each value.
  const round = scoring.valueIds.length;
  const getConsistency = ({ lifeContext }: Block) =>
    lifeContext === "ideal" ? indices.consistencyIdeal : indices.consistencyCurrent;
  const [first, second] = [getConsistency(blocks[0]), getConsistency(blocks[1])];
  const isLow = (value: number | null, threshold: number) => value !== null && isBelow(value, threshold);
  const isSecondLow = first !== null && !isBelow(first, cuts.secondBlock) && isLow(second, cuts.secondBlock);
  return [
    ...createFlags("longestRun", longestRun >= Math.ceil(round / 2), longestRun >= round),
    ...createFlags("spread", isLow(spread, scale.span / 8), isLow(spread, scale.span / 15)),
    ...createFlags("opposites", opposites !== null && isAbove(opposites, cuts.opposites)),
    ...createFlags("consistency", isLow(consistency, cuts.consistency)),
    ...createFlags("secondBlock", isSecondLow),
    ...createFlags("speed", isLow(secondsPerAnswer, 2), isLow(secondsPerAnswer, 1)),
  ];
}

/** `fail` implies `warn`. */
function createFlags(index: Flag["index"], warns: boolean, fails = false): Flag[] {
  if (fails) return [{ index, level: "fail" }];
  return warns ? [{ index, level: "warn" }] : [];
}

/** Indices with one cause: answers that hardly separate the values. Together, their flags count as one warning. */
const separation: ReadonlySet<Flag["index"]> = new Set(["opposites", "consistency", "secondBlock"]);

/**
 * The grade of a session. Without an index of separation that the form offers, answers may be guesses: they are not `good`, and
 * `unknown` without opposites and consistency.
 * @param indices unrounded
 * @param answerCount number of answered questions, without those of weight 0
 */
export function toGrade(
  flags: readonly Flag[],
  indices: Pick<ResponseIndices, SeparationIndex>,
  { cuts: { guess }, offers, questionCount }: Pick<CompiledQuality, "cuts" | "offers" | "questionCount">,
  answerCount: number,
): Grade {
  const { consistency, opposites } = indices;
  if (2 * answerCount < questionCount) return "unknown";
  const causes = new Set(flags.map(({ index }) => (separation.has(index) ? "separation" : index)));
  const isGuess =
    consistency !== null &&
    isBelow(consistency, guess.consistency) &&
    opposites !== null &&
    isAbove(opposites, guess.opposites);
  if (isGuess || causes.size > 1 || flags.some(({ level }) => level === "fail")) return "fail";
  const missing = offers.difference(new Set(separationIndices.filter((index) => indices[index] !== null)));
  if (missing.has("opposites") && missing.has("consistency")) return "unknown";
  return causes.size + missing.size > 0 ? "caution" : "good";
}

/** Tolerance at thresholds: above rounding errors of sums, below the difference between ratios of small whole numbers. */
const slack = 1e-12;

/** True for a number of the size of 1 that is below a threshold. */
function isBelow(value: number, threshold: number): boolean {
  return value < threshold - slack;
}

/** True for a number of the size of 1 that is above a threshold. */
function isAbove(value: number, threshold: number): boolean {
  return value > threshold + slack;
}
