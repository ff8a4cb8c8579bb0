// The shape of the scoring constants, as JSON Schema.
import { array, number, object } from "../../../../json/json-schema.ts";
import { maxItemsPerValue, maxTiers, maxValues } from "../limits.ts";
import { choice, closed, constant, pairOf, text, wholeNumber } from "./schema-members.ts";

const tier = object(
  {
    name: text("Name", 100, "The name in the results, unique among the tiers."),
    share: pairOf(
      "Share",
      wholeNumber("Part of share", 1, 1000, "Numerator or denominator."),
      "Numerator and denominator of the share of values that reach this tier or a higher one; the last is 1.",
    ),
  },
  { ...closed, title: "Tier", description: "A value belongs to the first tier whose share holds its rank." },
);

/** The shape of the scoring constants. */
export const scoringSchema = object(
  {
    model: choice(["values-bridge-scoring"], { title: "Model", description: "Name of the scoring model." }),
    version: constant(1, { title: "Version", description: "Version of the scoring model." }),
    weightScale: constant(1000, {
      title: "Weight scale",
      description: "Weights are multiplied by this, so that sums are exact.",
    }),
    minItems: wholeNumber(
      "Min items",
      1,
      maxItemsPerValue,
      "A value is scored in a context from this many answered statements on …",
    ),
    minCoverage: number({
      title: "Min coverage",
      description: "… that carry at least this share of the weight there.",
      exclusiveMinimum: 0,
      maximum: 1,
    }),
    minBaselineValues: wholeNumber(
      "Min baseline values",
      1,
      maxValues,
      "Fewer values scored in the ideal context leave pairings without a score.",
    ),
    minGapValues: wholeNumber(
      "Min gap values",
      1,
      maxValues,
      "Fewer values with a gap leave the archetype unresolved.",
    ),
    importanceFloor: number({
      title: "Importance floor",
      description: "What the gap of a value that is not wanted at all counts in the total gap.",
      exclusiveMinimum: 0,
      maximum: 100,
    }),
    priorityGain: number({
      title: "Priority gain",
      description: "How fast the priority of a value grows with its distance from the person's average.",
      exclusiveMinimum: 0,
      maximum: 100,
    }),
    decimals: constant(2, { title: "Decimals", description: "Decimals of every reported number." }),
    tiers: array(tier, {
      title: "Tiers",
      description: "From the strongest to the weakest, with ascending shares.",
      minItems: 1,
      maxItems: maxTiers,
    }),
    unranked: text("Unranked", 100, "Tier name of a value without a score; not the name of a tier."),
    focusThreshold: number({
      title: "Focus threshold",
      description: "Smallest difference of harmony and conflict that counts as one direction.",
      minimum: -100,
      maximum: 100,
    }),
  },
  { ...closed, title: "Scoring", description: "The constants of the scoring model." },
);
