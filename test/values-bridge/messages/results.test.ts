// Results as a message, as JSON and as the bytes that the store keeps: nothing is lost, whatever was answered.
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { ValuesBridgeResultsSchema } from "../../../src/gen/assessment/v1/results_pb.ts";
import { createJsonWriter } from "../../../src/json/messages.ts";
import {
  decodeResults,
  encodeResults,
  toResultsMessage,
} from "../../../src/products/values-bridge/messages/results.ts";
import { responseSchema } from "../../../tools/openapi/message-schema.ts";
import { forAll, noFilter, scoreOf } from "../../support/values-bridge/sessions.ts";

test("results are read as they were stored", () => {
  forAll(noFilter, (session) => {
    const results = scoreOf(session);
    expect(decodeResults(encodeResults(results))).toEqual(results);
  });
});

test("results are the same as JSON, null for what has no score", () => {
  forAll(noFilter, (session) => {
    const results = scoreOf(session);
    expect(JSON.stringify(createJsonWriter(ValuesBridgeResultsSchema)(toResultsMessage(results)))).toBe(
      JSON.stringify(results),
    );
  });
});

test("results have the documented shape, whatever an assessment calls its tiers", () => {
  const validate = new Ajv2020({ strict: false }).compile(responseSchema(ValuesBridgeResultsSchema));
  forAll(noFilter, (session) => {
    const results = scoreOf(session);
    const values = results.values.map((value) => ({ ...value, idealRankTier: "heart", currentRankTier: "edge" }));
    validate(createJsonWriter(ValuesBridgeResultsSchema)(toResultsMessage({ ...results, values })));
    expect(validate.errors ?? []).toEqual([]);
  });
});

test("bytes that are not results are refused", () => {
  expect(() => decodeResults(Buffer.alloc(0))).toThrow("these bytes are no results");
  expect(() => decodeResults(Buffer.from("[[1]]"))).toThrow();
});
