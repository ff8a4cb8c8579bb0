// What is announced of a session follows from its row alone: whatever happens in between, each event comes once, in order.
import fc from "fast-check";
import { expect, test } from "vitest";
import { announcementsOf, type LockedSession, publishedWith } from "../../../src/domain/events/announcements.ts";
import { noEndTimes } from "../../../src/kernel/session-states.ts";
import { at, someId } from "../../support/builders.ts";

function someRow(changes: Partial<LockedSession> = {}): LockedSession {
  return {
    id: someId(),
    partnerId: someId(),
    assessmentId: 1,
    mode: "headless",
    createdAt: at(1),
    startedAt: null,
    ...noEndTimes,
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

test("the events of a session are announced in order, whenever the sequencer looks", () => {
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

test("first answers without a time are dated by the completion, or else by the write", () => {
  const timeOf = (row: Partial<LockedSession>) =>
    announcementsOf(someRow(row)).find(({ type }) => type === "session.started")?.occurredAt;
  expect(timeOf(started)).toEqual(at(2));
  expect(timeOf({ hasAnswers: true, completedAt: at(3) })).toEqual(at(3));
  expect(timeOf({ hasAnswers: true })).toEqual(at(100));
});

test("scoring is dated by the completion that it was part of, or else by its own write", () => {
  const timeOf = (published: number) => announcementsOf(someRow({ ...scored, published })).at(-1);
  const event = { type: "session.scored", occurrence: 1 };
  expect(timeOf(1)).toEqual({ ...event, occurredAt: at(3) });
  // Created, started and completed.
  expect(timeOf(7)).toEqual({ ...event, occurredAt: at(100) });
});

test("everything that ends a session, and its creation, is dated by itself, or else by the write", () => {
  const ended = { cancelledAt: at(5) };
  const timesOf = (row: Partial<LockedSession>) =>
    Object.fromEntries(announcementsOf(someRow(row)).map(({ type, occurredAt }) => [type, occurredAt]));
  expect(timesOf({ ...completed, ...ended })).toEqual({
    "session.created": at(1),
    "session.started": at(2),
    "session.completed": at(3),
    "session.cancelled": at(5),
  });
  expect(timesOf({ startedAt: at(2), hasAnswers: true })).toEqual({
    "session.created": at(1),
    "session.started": at(2),
  });
});

test("announcements of a newer release are kept", () => {
  expect(publishedWith(someRow({ published: 128 }))).toBe(129);
});

test("an event of the outbox comes at the place of its type, and a repeated one at its number, whatever clocks say", () => {
  const expired = (occurrence: number, seconds: number) => {
    return { type: "session.expired", occurrence, occurredAt: at(seconds) } as const;
  };
  const row = someRow({ ...scored, cancelledAt: at(5) });
  const announced = announcementsOf(row, [expired(3, 20), expired(1, 40), expired(2, 30)]);
  expect(announced.map(({ type, occurrence }) => [type, occurrence])).toEqual([
    ["session.created", 1],
    ["session.started", 1],
    ["session.expired", 1],
    ["session.expired", 2],
    ["session.expired", 3],
    ["session.completed", 1],
    ["session.scored", 1],
    ["session.cancelled", 1],
  ]);
  const erased = { type: "session.erased", occurrence: 1, occurredAt: at(0) } as const;
  expect(announcementsOf(row, [erased]).at(-1)).toEqual(erased);
  expect(announcementsOf({ ...row, published: 47 }, [expired(2, 30)])).toEqual([expired(2, 30)]);
});
