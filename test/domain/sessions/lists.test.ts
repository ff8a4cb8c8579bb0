// When something last happened to a session, as lists tell it.
import { expect, test } from "vitest";
import { type ProgressSource, progressOf } from "../../../src/domain/sessions/progress.ts";
import { at, someArrivals, someAssessment } from "../../support/builders.ts";
import { opened } from "../../support/values-bridge/opened.ts";

const fresh = { answers: [], answersDeletedAt: null, arrivals: null, createdAt: at(0), completedAt: null };
const arrivals = { ...someArrivals(at(1)), lastAnswerAt: at(2) };

test.each<[string, Partial<ProgressSource>, Date]>([
  ["created", {}, at(0)],
  ["answered", { answers: [3], arrivals }, at(2)],
  ["completed", { answers: [3], arrivals, completedAt: at(3) }, at(3)],
  ["cancelled", { answers: [3], arrivals, cancelledAt: at(4) }, at(4)],
])("the last thing that happened to a session is that it was %s", (_, changes, expected) => {
  const progress = progressOf({ ...fresh, cancelledAt: null, ...changes }, opened(someAssessment()));
  expect(progress.lastActivityAt).toEqual(expected);
});
