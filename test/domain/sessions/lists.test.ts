// What a list of sessions tells of their progress, and whose its cursors are.
import { describe, expect, test } from "vitest";
import { answerProgressOf, type ProgressSource, progressOf } from "../../../src/domain/sessions/progress.ts";
import { AnswerProgress } from "../../../src/gen/assessment/v1/session_service_pb.ts";
import { listCursor, readListCursor } from "../../../src/services/sessions/session-lists.ts";
import { at, someArrivals, someAssessment, someId } from "../../support/builders.ts";
import { opened } from "../../support/values-bridge/opened.ts";

const assessment = opened(someAssessment());
const all = assessment.questions.length;

describe("the progress of a session", () => {
  const fresh: ProgressSource = {
    answers: [],
    answersDeletedAt: null,
    arrivals: null,
    createdAt: at(0),
    completedAt: null,
    cancelledAt: null,
  };
  const answers = (count: number) => Array.from({ length: all }, (_, index) => (index < count ? 3 : null));

  test.each([
    [0, AnswerProgress.NOT_STARTED],
    [1, AnswerProgress.PARTLY_ANSWERED],
    [all - 1, AnswerProgress.PARTLY_ANSWERED],
    [all, AnswerProgress.ALL_ANSWERED],
  ])("is told by its answers: %i are %s", (count, words) => {
    const progress = progressOf({ ...fresh, answers: answers(count) }, assessment);
    expect(progress).toMatchObject({ answered: count, total: all });
    expect(answerProgressOf(progress)).toBe(words);
  });

  test("is not known once the answers are deleted", () => {
    const progress = progressOf({ ...fresh, answersDeletedAt: at(9) }, assessment);
    expect(progress.answered).toBeNull();
    expect(answerProgressOf(progress)).toBe(AnswerProgress.UNSPECIFIED);
  });

  const arrivals = { ...someArrivals(at(1)), lastAnswerAt: at(2) };
  test.each<[string, Partial<ProgressSource>, Date]>([
    ["it was created", {}, at(0)],
    ["an answer came last", { answers: answers(1), arrivals }, at(2)],
    ["it was completed", { answers: answers(all), arrivals, completedAt: at(3) }, at(3)],
    ["it was cancelled", { answers: answers(1), arrivals, cancelledAt: at(4) }, at(4)],
  ])("was last when %s", (_, changes, expected) => {
    expect(progressOf({ ...fresh, ...changes }, assessment).lastActivityAt).toEqual(expected);
  });
});

test("a cursor is of its list, and of no other", () => {
  const id = someId();
  const cursor = listCursor(id, "groups 1");
  expect(readListCursor(cursor, "groups 1")).toBe(id);
  for (const [wrong, asked] of [
    [cursor, "groups 2"],
    [cursor.slice(0, -1), "groups 1"],
    [`${cursor}x`, "groups 1"],
    ["", "groups 1"],
  ] as const) {
    expect(() => readListCursor(wrong, asked)).toThrow(expect.objectContaining({ code: "invalid_request" }));
  }
});
