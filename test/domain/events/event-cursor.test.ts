// Cursors of events: of one log a number, of several one for each.
import { expect, test } from "vitest";
import { isWithin, readCursor, writeCursor } from "../../../src/domain/events/event-cursor.ts";

test.each(["0", "1234", "-80:17,80-:4", "-40:0,40-80:9,80-c0:3,c0-:12"])("%s is read as it was written", (text) => {
  expect(writeCursor(readCursor(text) ?? new Map())).toBe(text);
});

test.each([
  "now",
  "-1",
  "1234567890123456",
  "9007199254740993",
  "-80:9007199254740993",
  "-80:",
  "80:4",
  "-80:1,",
  "-zz:1",
])("%s is refused as a cursor", (text) => {
  expect(readCursor(text)).toBeUndefined();
});

test.each([
  ["-40", "-80", true],
  ["40-80", "-80", true],
  ["40-80", "", true],
  ["80-", "80-", true],
  ["c0-", "80-", true],
  ["80-", "c0-", false],
  ["80-c0", "-80", false],
  ["40-c0", "40-80", false],
  ["80-", "40-c0", false],
])("the range %s lies in %s: %s", (inner, outer, expected) => {
  expect(isWithin(inner, outer)).toBe(expected);
});
