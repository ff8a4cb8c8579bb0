// Answers in a row: what is read is what was written, whatever the scale.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ratings } from "../../../src/store/sessions/session-columns.ts";

const sheets = fc
  .tuple(fc.integer({ min: 0, max: 253 }), fc.integer({ min: 0, max: 253 }))
  .map(([one, other]) => ({ min: Math.min(one, other), max: Math.max(one, other) }))
  .chain((scale) => fc.array(fc.option(fc.integer(scale)), { maxLength: 999, size: "max" }));

describe("bytes of answers", () => {
  test("answers are read as they were written, a byte each", () => {
    fc.assert(fc.property(sheets, (sheet) => void expect(ratings.read(ratings.write(sheet))).toEqual(sheet)));
  });

  test("no answers are no bytes, which a statement can distinguish from others", () => {
    expect(ratings.write([])).toHaveLength(0);
    expect(ratings.read(Buffer.alloc(0))).toEqual([]);
  });
});
