// Where exports go on: behind what was read, and again from what may still be stored before it.
import { NIL } from "uuid";
import { describe, expect, test } from "vitest";
import { beginningOf, cursorAfter, settledId } from "../../../src/domain/exports/position.ts";
import { formatExportCursor } from "../../../src/kernel/export-cursor.ts";
import { at } from "../../support/builders.ts";

const minute = 60_000;
/** An id of that time, as sessions have it. */
const idAt = (ms: number, end = "1") => {
  const hex = at(ms).getTime().toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${end.padStart(12, "0")}`;
};
const now = at(60 * minute).getTime();
const mark = settledId(now);
const same = (id: string) => ({ settled: id, position: id });

test("an id is settled a minute after its time", () => {
  expect(mark > idAt(59 * minute - 1, "f")).toBe(true);
  expect(mark < idAt(59 * minute, "1")).toBe(true);
});

describe("a page begins", () => {
  test("with the first session without a cursor", () => {
    expect(beginningOf("", now, mark)).toEqual(same(NIL));
  });

  test("where its cursor says, as long as that is not two minutes old", () => {
    const cursor = (settledMs: number) => ({ settled: settledId(now - settledMs), position: idAt(59.5 * minute) });
    const young = cursor(minute);
    expect(beginningOf(formatExportCursor(young), now, mark)).toEqual(young);
    const old = cursor(minute + 1);
    expect(beginningOf(formatExportCursor(old), now, mark)).toEqual(same(old.settled));
  });

  test("no later than what is settled by now, whatever its cursor says", () => {
    const early = { settled: settledId(now + minute), position: idAt(60 * minute) };
    expect(beginningOf(formatExportCursor(early), now, mark)).toEqual({ settled: mark, position: early.position });
    const ahead = formatExportCursor({ settled: idAt(60 * minute + 1), position: idAt(61 * minute) });
    expect(() => beginningOf(ahead, now, mark)).toThrow(
      expect.objectContaining({ violations: [expect.objectContaining({ code: "cursor_ahead" })] }),
    );
    expect(() => beginningOf(formatExportCursor(same(idAt(60 * minute))), now, mark)).not.toThrow();
  });

  test("three minutes before a session that is given, or with the first one if that is of another clock", () => {
    const threeBefore = (ms: number) => same(settledId(at(ms - 2 * minute).getTime()));
    expect(beginningOf(idAt(30 * minute), now, mark)).toEqual(threeBefore(30 * minute));
    expect(beginningOf(idAt(30 * minute, "ab").toUpperCase(), now, mark)).toEqual(threeBefore(30 * minute));
    expect(beginningOf(idAt(60 * minute), now, mark)).toEqual(threeBefore(60 * minute));
    expect(beginningOf(idAt(60 * minute + 1), now, mark)).toEqual(same(NIL));
  });
});

describe("the cursor after a page", () => {
  const begin = same(idAt(10 * minute));

  test("has settled what was read, as far as nothing can come before it any more", () => {
    expect(cursorAfter(begin, idAt(20 * minute), false, mark)).toEqual(same(idAt(20 * minute)));
    const last = idAt(59.5 * minute);
    expect(cursorAfter(begin, last, false, mark)).toEqual({ settled: mark, position: last });
    expect(cursorAfter(begin, last, true, mark)).toEqual(same(mark));
    expect(cursorAfter(begin, begin.position, true, mark)).toEqual(begin);
  });

  test("settles nothing more where the page began behind what is settled", () => {
    const broken = { settled: idAt(10 * minute), position: idAt(20 * minute) };
    expect(cursorAfter(broken, idAt(30 * minute), false, mark)).toEqual({ ...broken, position: idAt(30 * minute) });
    expect(cursorAfter(broken, idAt(30 * minute), true, mark)).toEqual(same(broken.settled));
  });
});
