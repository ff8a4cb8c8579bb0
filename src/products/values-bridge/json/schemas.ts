// Shapes of what is the product's own in the responses of the REST interface.
import { Type } from "typebox";
import { ChangeSchema } from "../../../gen/assessment/v1/change_pb.ts";
import { ExplanationSchema } from "../../../gen/assessment/v1/explanation_pb.ts";
import { GetNormsResponseSchema } from "../../../gen/assessment/v1/norm_service_pb.ts";
import { QualitySchema } from "../../../gen/assessment/v1/quality_pb.ts";
import { ReportSchema } from "../../../gen/assessment/v1/report_pb.ts";
import { named, nullable, oneOf } from "../../../transport/http/bodies/json-schema.ts";
import { messageJsonSchema } from "../../../transport/http/bodies/message-json.ts";

const percent = (description: string) => nullable(Type.Number({ minimum: 0, maximum: 100, description }));
const rank = (description: string) => nullable(Type.Integer({ minimum: 1, description }));
const tier = oneOf(["core", "guiding", "situational", "peripheral", "unranked"], {
  description: "Quarter of the scored values; `unranked` without a score.",
});

/** What a question says of the value that it asks for. */
export const ValuesBridgeConfig = Type.Object({
  valueId: Type.Integer(),
  valueName: Type.String({ examples: ["Independence"] }),
  lifeContext: oneOf(["ideal", "current"]),
  inverse: Type.Boolean({ description: "Whether agreement speaks against the value." }),
  omegaWeight: Type.Number({ minimum: 0, maximum: 100 }),
});

export const Totals = Type.Object({
  archetypeId: Type.Integer({ minimum: 1 }),
  totalAuthenticityGapScaled: percent("Importance-weighted mean of the absolute gaps."),
  totalConflictScoreScaled: percent("How evenly opposing values are both wanted."),
  totalHarmonyScoreScaled: percent("How evenly neighbouring values are wanted, be it much or little."),
});

export const ValuesBridgeResults = named(
  "ValuesBridgeResults",
  Type.Object({
    overall: Totals,
    values: Type.Array(
      Type.Object({
        valueId: Type.Integer(),
        idealDisplayRank: rank("Place in the life wanted."),
        idealRankTier: tier,
        currentDisplayRank: rank("Place in the life of today."),
        currentRankTier: tier,
        authenticityGapScaled: nullable(
          Type.Number({
            minimum: -100,
            maximum: 100,
            description: "Ideal minus current in percent of the rating span; positive: lived less than wanted.",
          }),
        ),
      }),
      { description: "Every value, by idealDisplayRank." },
    ),
    pairings: Type.Array(
      Type.Object({
        valuePairingId: Type.Integer({ description: "100 times the smaller value id, plus the greater one." }),
        scaledScore: percent("The weaker of the two priorities."),
      }),
      { description: "Every pairing, by scaledScore descending." },
    ),
  }),
);

export const Explanation = named("Explanation", {
  ...messageJsonSchema(ExplanationSchema, new Set(["totalGap", "gap", "gapBand"])),
  description: "How the results came about: every number on the way to them. docs/results.md names each member.",
});

/** Lists of numbers that come together or not at all: null if there are none. */
export const pairs: ReadonlySet<string> = new Set(["interval", "rankRange", "alphaInterval"]);

const ofValue = ["ideal", "current", "gap"];

export const Quality = named("Quality", {
  ...messageJsonSchema(QualitySchema, new Set([...ofValue, "error", "norms", "totalGap", "stability"]), pairs),
  description: "What the results say about their own trustworthiness. docs/trust.md has every formula.",
});

export const Change = named("Change", {
  ...messageJsonSchema(ChangeSchema, new Set([...ofValue, "statements", "norms"]), pairs),
  description: "What changed from the first session to the second. docs/trust.md has every formula.",
});

export const Norms = named("Norms", {
  ...messageJsonSchema(
    GetNormsResponseSchema,
    new Set([...ofValue, "norms", "retest", "totalGap", "harmony", "conflict"]),
    pairs,
  ),
  description: "How many people answer. docs/trust.md has every formula, and says when numbers are released.",
});

const absentInReports = new Set([
  "picture",
  "mostWanted",
  "pairs",
  "questions",
  "archetype",
  "ReportValue.gap",
  "ReportArchetype.name",
]);

export const Report = named("Report", {
  ...messageJsonSchema(ReportSchema, absentInReports),
  description:
    "The report model: facts and texts in one language. `report.proto` and docs/reports.md name each member.",
});
