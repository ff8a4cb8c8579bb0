// Answers in a row: what is read is what was written, in both forms, whatever the scale.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answersToBytes, bytesToAnswers, packAnswers } from "../../../src/store/sessions/answer-bytes.ts";

const sheets = fc
  .tuple(fc.integer({ min: 0, max: 253 }), fc.integer({ min: 0, max: 253 }))
  .map(([one, other]) => ({ min: Math.min(one, other), max: Math.max(one, other) }))
  .chain((scale) => fc.array(fc.option(fc.integer(scale)), { maxLength: 999, size: "max" }));

describe("answers", () => {
  test("are read as they were written, a byte each", () => {
    fc.assert(fc.property(sheets, (sheet) => void expect(bytesToAnswers(answersToBytes(sheet))).toEqual(sheet)));
  });

  test("are read as they were packed, as many as there were", () => {
    fc.assert(fc.property(sheets, (sheet) => void expect(bytesToAnswers(packAnswers(sheet))).toEqual(sheet)));
  });

  test("to 152 questions with seven ratings are packed into 60 bytes, whether some are left out or not", () => {
    const sheet = Array.from({ length: 152 }, (_, index) => 1 + (index % 7));
    expect(packAnswers(sheet)).toHaveLength(60);
    expect(packAnswers(sheet.map((rating, index) => (index % 5 === 0 ? null : rating)))).toHaveLength(60);
  });

  test("are packed only if that is shorter", () => {
    // Four bits each, and three bytes before them.
    const [six, seven] = [6, 7].map((length) => Array.from({ length }, (_, index) => 1 + index * 2)) as [
      number[],
      number[],
    ];
    expect(packAnswers(six)).toEqual(answersToBytes(six));
    expect(packAnswers([1, 2])).toEqual(answersToBytes([1, 2]));
    expect(packAnswers([...seven, 15])).toHaveLength(7);
  });

  test("are packed into these bytes, which are kept for years", () => {
    const sheet = Array.from({ length: 16 }, (_, index) => (index % 5 === 4 ? null : 1 + (index % 7)));
    expect(packAnswers(sheet).toString("hex")).toBe("ff030129c1b9425dc2");
  });

  test("that none were given are no bytes, which a statement tells from others", () => {
    expect(answersToBytes([])).toHaveLength(0);
    expect(bytesToAnswers(Buffer.alloc(0))).toEqual([]);
  });
});
