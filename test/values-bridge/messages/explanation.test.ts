// An explanation on its way through messages to JSON: what arrives over REST is what scoring said.
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { ExplanationSchema } from "../../../src/gen/assessment/v1/explanation_pb.ts";
import { createJsonWriter } from "../../../src/json/messages.ts";
import type { ResultsExplanation } from "../../../src/products/values-bridge/messages/explained-results.ts";
import { messages } from "../../../src/products/values-bridge/messages/messages.ts";
import { responseSchema } from "../../../tools/openapi/message-schema.ts";
import { explanationOf, forAll, lives, noFilter, type Session } from "../../support/values-bridge/sessions.ts";

/** What scoring gave, with what a report tells of the archetype. */
function explained(session: Session, explainsResults: boolean): ResultsExplanation {
  const explanation = explanationOf(session);
  const { archetypeId } = explanation.archetype;
  const archetype = { ...explanation.archetype, certain: explainsResults, between: [archetypeId, archetypeId + 1] };
  return { explainsResults, ...explanation, archetype };
}

/** Over the wire and back. */
function received(explanation: ResultsExplanation): Record<string, unknown> {
  const bytes = toBinary(ExplanationSchema, messages.toExplanation(explanation));
  return createJsonWriter(ExplanationSchema)(fromBinary(ExplanationSchema, bytes));
}

test("an explanation arrives byte for byte as scoring gave it, nulls and the order of members included", () => {
  forAll(noFilter, (session) => {
    const explanation = explained(session, true);
    expect(JSON.stringify(received(explanation))).toBe(JSON.stringify(explanation));
  });
});

test("an explanation has the documented shape, whatever is answered", () => {
  const validate = new Ajv2020({ allErrors: true, strict: false }).compile(responseSchema(ExplanationSchema));
  const fits = (explanation: ResultsExplanation) => {
    validate(received(explanation));
    expect(validate.errors ?? []).toEqual([]);
  };
  forAll(noFilter, (session) => fits(explained(session, false)));
  const none = lives(
    () => null,
    () => null,
  );
  fits(explained(none, true));
});

test("the documented shape distinguishes nulls, kinds of numbers and words", () => {
  const validate = new Ajv2020({ strict: false }).compile(responseSchema(ExplanationSchema));
  const apart = lives(
    () => 3,
    () => 4,
  );
  const json = received(explained(apart, true));
  expect(validate(json)).toBe(true);
  const first = (json.values as Record<string, unknown>[])[0];
  const broken = [
    { ...json, harmony: null },
    { ...json, explainsResults: 1 },
    { ...json, archetype: { ...(json.archetype as object), direction: "sideways" } },
    { ...json, archetype: { ...(json.archetype as object), certain: null } },
    { ...json, values: [{ ...first, valueId: null }] },
    { ...json, values: [{ ...first, neighbours: [0.5, 1] }] },
    { ...json, values: [{ ...first, priority: "0.5" }] },
  ];
  expect(broken.map((each) => validate(each))).toEqual(broken.map(() => false));
});
