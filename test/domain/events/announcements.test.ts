// What is announced of a session follows from its row alone: whatever happens in between, each event comes once, in order.
import fc from "fast-check";
import { expect, test } from "vitest";
import { announcementsOf, type CapturedSession, publishedWith } from "../../../src/domain/events/announcements.ts";
import { bitsOf, isEventType, typesOf } from "../../../src/domain/events/event-types.ts";
import { eventTypes } from "../../../src/kernel/event-types.ts";
import { at, someId } from "../../support/builders.ts";

function someRow(changes: Partial<CapturedSession> = {}): CapturedSession {
  return {
    id: someId(),
    partnerId: someId(),
    assessmentId: 1,
    mode: "headless",
    createdAt: at(1),
    startedAt: null,
    completedAt: null,
    cancelledAt: null,
    expiredAt: null,
    hasAnswers: false,
    isScored: false,
    published: 0,
    unpublishedSince: at(100),
    ...changes,
  };
}

const started = { startedAt: at(2), hasAnswers: true };
const completed = { ...started, completedAt: at(3) };
const scored = { ...completed, isScored: true };

test("a session's way is announced in order, at whatever moments the sequencer looks", () => {
  const ways = fc.constantFrom(
    [{}, started, completed, scored],
    [{}, completed, scored],
    [{}, started, scored],
    [{}, scored],
  );
  fc.assert(
    fc.property(ways, fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), (way, looks) => {
      let published = 0;
      const announced: string[] = [];
      const last = way.length - 1;
      way.forEach((state, index) => {
        if (!looks[index] && index !== last) return;
        const row = someRow({ ...state, published });
        announced.push(...announcementsOf(row).map(({ type }) => type));
        published = publishedWith(row);
      });
      expect(announced).toEqual(["session.created", "session.started", "session.completed", "session.scored"]);
      expect(announcementsOf(someRow({ ...scored, published }))).toEqual([]);
    }),
  );
});

test("the first answers of an older release are dated by the completion, or else by the write", () => {
  const timeOf = (row: Partial<CapturedSession>) =>
    announcementsOf(someRow(row)).find(({ type }) => type === "session.started")?.occurredAt;
  expect(timeOf(started)).toEqual(at(2));
  expect(timeOf({ hasAnswers: true, completedAt: at(3) })).toEqual(at(3));
  expect(timeOf({ hasAnswers: true })).toEqual(at(100));
});

test("scoring is dated by the completion that it was part of, or else by its own write", () => {
  const timeOf = (published: readonly (typeof eventTypes)[number][]) =>
    announcementsOf(someRow({ ...scored, published: bitsOf(published) })).at(-1);
  expect(timeOf(["session.created"])).toEqual({ type: "session.scored", occurredAt: at(3) });
  expect(timeOf(["session.created", "session.started", "session.completed"])).toEqual({
    type: "session.scored",
    occurredAt: at(100),
  });
});

test("what a newer release has announced is not forgotten", () => {
  expect(publishedWith(someRow({ published: 128 }))).toBe(129);
});

test("a set of types is a number and back, and bits of no type are skipped", () => {
  fc.assert(
    fc.property(fc.subarray([...eventTypes]), (types) => {
      expect(typesOf(bitsOf(types) | 0x4000)).toEqual(types);
    }),
  );
  expect(isEventType("session.created")).toBe(true);
  for (const text of ["session.test", "webhook.test", "", "toString"]) expect(isEventType(text)).toBe(false);
});
