// When norms are computed, and when new numbers may replace the published ones.
import { expect, test } from "vitest";
import { findLatestRunTime, mayPublish } from "../../../src/services/norms/run.ts";

const dayMs = 24 * 60 * 60 * 1000;
const night = new Date(Date.UTC(2027, 2, 4, 1));

test.each([
  ["2027-03-04T00:59:59.999Z", 1, "2027-03-03T01:00:00.000Z"],
  ["2027-03-04T01:00:00.000Z", 1, "2027-03-04T01:00:00.000Z"],
  ["2027-03-04T23:59:00.000Z", 1, "2027-03-04T01:00:00.000Z"],
  ["2027-03-04T00:00:00.000Z", 0, "2027-03-04T00:00:00.000Z"],
  ["2027-01-01T22:59:00.000Z", 23, "2026-12-31T23:00:00.000Z"],
])("the last run of norms before %s that starts at %i o'clock began at %s", (now, hour, begun) => {
  expect(findLatestRunTime(new Date(now), hour).toISOString()).toBe(begun);
});

const may = (last: number, people: number, added: number, afterMs = dayMs) =>
  mayPublish({ computedAt: night, people: last }, { people, added }, new Date(night.getTime() + afterMs));

test.each([
  // published, people now, of them new
  [30, 34, 4, false],
  [30, 35, 5, true],
  [30, 26, 0, false],
  [30, 25, 0, true],
  // As many have come as have gone.
  [30, 30, 4, false],
  [30, 30, 5, true],
  // One is gone: whoever knows those who were added could compute the answers of the one.
  [120, 123, 4, false],
  [120, 219, 100, false],
  [120, 119, 4, true],
  [500, 505, 5, true],
  [501, 506, 5, false],
  [1_000, 1_009, 9, false],
  [1_000, 991, 0, false],
  [1_000, 1_000, 5, true],
  [1_000, 1_003, 7, false],
])("norms of %i people are published again with %i people, %i of them new: %s", (last, people, added, isPublished) => {
  expect(may(last, people, added)).toBe(isPublished);
});

test("norms are published again a day later at the soonest", () => {
  expect([may(30, 60, 30, dayMs - 1), may(30, 60, 30, dayMs)]).toEqual([false, true]);
});
