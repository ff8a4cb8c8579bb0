// Shapes of an assessment version and its questions.
import { Type } from "typebox";
import { ValuesBridgeConfig } from "../../products/values-bridge/json/schemas.ts";
import { named, nullable, oneOf, ref } from "../../transport/http/bodies/json-schema.ts";
import { product } from "../shared/members.ts";

export const Question = named(
  "Question",
  Type.Object({
    id: Type.Integer({ description: "Names the question in an answer; unique over all versions.", examples: [1001] }),
    prompt: Type.String({ examples: ["In the life I want, I arrange my days in the way that suits me."] }),
    type: oneOf(["likert"], { description: "Kind of the question; more may come." }),
    group: Type.String({ description: "Block of questions that belong together.", examples: ["ideal"] }),
    position: Type.Integer({ minimum: 1 }),
    required: Type.Boolean({ description: "Whether the hosted pages insist on an answer; the interface does not." }),
    likertConfig: nullable(Type.Object({ min: Type.Integer(), max: Type.Integer() })),
    choices: Type.Array(Type.Object({ id: Type.Integer(), label: Type.String() }), {
      description: "The ratings with their labels; the id is the value of the response.",
    }),
    valuesBridgeConfig: nullable(ValuesBridgeConfig),
  }),
);

export const AssessmentSchema = named(
  "AssessmentSchema",
  Type.Object({
    product,
    assessmentId: Type.Integer({ minimum: 1 }),
    version: Type.Integer({ minimum: 1 }),
    questions: Type.Array(ref(Question)),
  }),
);
