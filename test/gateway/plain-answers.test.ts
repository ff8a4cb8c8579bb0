// Answers that are read without parsing them: always what their JSON says, and nothing that the schema would refuse.
import fc from "fast-check";
import { expect, test } from "vitest";
import { readPlainAnswers } from "../../src/gateway/sessions/plain-answers.ts";
import { firstViolation } from "../../src/gateway/shared/body-validators.ts";
import {
  CompleteSessionRequestSchema,
  RecordAnswersRequestSchema,
} from "../../src/gen/assessment/v1/session_service_pb.ts";
import { objectRule } from "../../src/kernel/json/members.ts";
import { fromJson } from "../../src/kernel/json/message-from-json.ts";

const requests = [RecordAnswersRequestSchema, CompleteSessionRequestSchema].map((schema) => ({
  isValid: firstViolation().compile({ $ref: `${objectRule(schema).name}#` }),
  fromJson: fromJson(schema),
}));

const answer = (questionId: unknown, value: unknown, type: unknown = "likert") => ({
  questionId,
  response: { type, value },
});
const plain = { answers: [answer(0, 0), answer(1001, 7), answer(999_999_999, 999_999_999)] };

/** Holds what is read of a body to its JSON. @returns whether it was read */
function readsTruly(body: Uint8Array): boolean {
  const read = readPlainAnswers(body);
  if (read === undefined) return false;
  const json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  for (const request of requests) {
    expect(request.isValid(json)).toBe(true);
    expect(read).toEqual(request.fromJson(json));
  }
  return true;
}

test.each([
  ["without space", JSON.stringify(plain)],
  ["with space wherever it may be", `\r\n\t ${JSON.stringify(plain, null, " \t").replaceAll(":", " : ")} \n`],
  ["as Python writes it", JSON.stringify(plain).replaceAll(",", ", ").replaceAll(":", ": ")],
  ["in another order", '{"answers":[{"response":{"value":5,"type":"likert"},"questionId":1001}]}'],
  ["as many as there may be", JSON.stringify({ answers: Array(1_000).fill(answer(1, 2)) })],
])("answers %s are read in one pass, as their JSON says", (_name, text) => {
  expect(readsTruly(Buffer.from(text))).toBe(true);
});

const one = JSON.stringify({ answers: [answer(1001, 5)] });
test.each([
  ["no answers", '{"answers":[]}'],
  ["too many answers", JSON.stringify({ answers: Array(1_001).fill(answer(1, 2)) })],
  ["another member", one.replace("]}", '],"requireAnswered":true}')],
  ["a member that nobody knows", one.replace("1001", '1001,"x":1')],
  ["an id that is there twice", one.replace("1001", '1001,"questionId":1002')],
  ["an id with a leading zero, and another one", one.replace("1001", '01,"questionId":1002')],
  ["a value with a leading zero, and another one", one.replace("5", '05,"value":6')],
  ["a response that is there twice", one.replace("1001", '1001,"response":{"type":"likert","value":3}')],
  ["no id", '{"answers":[{"response":{"type":"likert","value":5}}]}'],
  ["no response", '{"answers":[{"questionId":1001}]}'],
  ["no type", '{"answers":[{"questionId":1001,"response":{"value":5}}]}'],
  ["no value", '{"answers":[{"questionId":1001,"response":{"type":"likert"}}]}'],
  ["another type, and then the right one", one.replace('"likert"', '"slider","type":"likert"')],
  ["an id below zero", one.replace("1001", "-1001")],
  ["an id of ten digits", one.replace("1001", "1000000001")],
  ["a value with a fraction", one.replace("5", "5.5")],
  ["a value with an exponent", one.replace("5", "5e0")],
  ["a name that is escaped", one.replace('"value"', '"v\\u0061lue"')],
  ["a name that is longer", one.replace('"value"', '"value2"')],
  ["a comma at the end of its answers", one.replace("]", ",]")],
  ["a comma at the end of an answer", one.replace("}}", "},}")],
  ["something behind it", `${one}1`],
  ["a space that JSON does not know", one.replace(":", ":\u00a0")],
  ["a byte order mark", `\ufeff${one}`],
  ["its end missing", one.slice(0, -1)],
  ["an answer that is a list", one.replace('{"questionId":1001,', '[{"questionId":1001,')],
])("a body with %s is left to the parser", (_name, text) => {
  expect(readsTruly(Buffer.from(text))).toBe(false);
});

test("a body with any byte changed, left out or put in is read as its JSON says, or left to the parser", () => {
  const bytes = Buffer.from(JSON.stringify({ answers: [answer(10, 5), answer(1001, 0)] }));
  const change = fc.record({
    at: fc.nat({ max: bytes.length }),
    left: fc.constantFrom(0, 1, 2, 12),
    put: fc.constantFrom("", " ", "0", "1", "9", "-", ".", "e", '"', ",", ":", "{", "}", "[", "]", "\\", "\n", "é"),
  });
  let read = 0;
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 2 }), (changes) => {
      const changed = changes.reduce<Buffer>(
        (body, { at, left, put }) => Buffer.concat([body.subarray(0, at), Buffer.from(put), body.subarray(at + left)]),
        bytes,
      );
      if (readsTruly(changed)) read += 1;
    }),
    { numRuns: 5_000 },
  );
  expect(read).toBeGreaterThan(0);
});
