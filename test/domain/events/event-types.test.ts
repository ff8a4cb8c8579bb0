// The table of event types: what follows from it is unambiguous, and what was stored once is read the same for ever.
import fc from "fast-check";
import { expect, test } from "vitest";
import { computeEventId, parseEventId } from "../../../src/domain/events/event.ts";
import {
  describeEventType,
  eventTypes,
  isEventType,
  parseEventCode,
  toEventCode,
} from "../../../src/domain/events/event-types.ts";

const type = fc.constantFrom(...eventTypes);
const occurrence = fc.integer({ min: 1, max: 999_999_999 });

test("codes are those stored in databases; each type has one, from 1 to 255", () => {
  expect(Object.fromEntries(eventTypes.map((each) => [each, toEventCode(each)]))).toMatchObject({
    "session.created": 1,
    "session.started": 2,
    "session.completed": 4,
    "session.scored": 8,
    "session.erased": 16,
    "session.cancelled": 32,
    "session.expired": 64,
    "intention.set": 3,
    "intention.due": 5,
    "group.closed": 128,
  });
  const codes = eventTypes.map(toEventCode);
  expect(new Set(codes).size).toBe(codes.length);
  for (const code of codes) expect(Number.isInteger(code) && code >= 1 && code <= 255).toBe(true);
  for (const each of eventTypes) expect(parseEventCode(toEventCode(each))).toBe(each);
  expect(() => parseEventCode(0)).toThrow();
});

test("a type has two words in lower case, and says when it comes", () => {
  for (const each of eventTypes) {
    expect(each).toMatch(/^[a-z]+\.[a-z]+(_[a-z]+)*$/);
    expect(describeEventType(each)).not.toBe("");
    expect(isEventType(each)).toBe(true);
  }
  for (const text of ["session.test", "webhook.test", "", "toString"]) expect(isEventType(text)).toBe(false);
});

test("an id consists of resource, type and occurrence, and names nothing else", () => {
  fc.assert(
    fc.property(fc.uuid(), type, occurrence, (resourceId, each, count) => {
      const name = { resourceId, type: each, occurrence: count };
      expect(parseEventId(computeEventId(name))).toEqual(name);
    }),
  );
});

test("ids are those that receivers have stored; only events that repeat have a number", () => {
  const resourceId = "019b2f7c-41d2-7a3e-9c0d-5f1a2b3c4d5e";
  const id = (count: number) => computeEventId({ resourceId, type: "session.expired", occurrence: count });
  expect([id(1), id(2), id(10)]).toEqual([
    "evt_019b2f7c41d27a3e9c0d5f1a2b3c4d5e_expired",
    "evt_019b2f7c41d27a3e9c0d5f1a2b3c4d5e_expired_2",
    "evt_019b2f7c41d27a3e9c0d5f1a2b3c4d5e_expired_10",
  ]);
  const ids = [...eventTypes].map((each) => computeEventId({ resourceId, type: each, occurrence: 1 }));
  expect(new Set(ids).size).toBe(ids.length);
});

test.each([
  "_expired_1",
  "_expired_0",
  "_expired_02",
  "_expired_",
  "_expired_2_2",
  "_Expired",
  "_expired_1000000000",
  "_reset",
  "",
])("an id that ends in %j is refused", (end) => {
  expect(parseEventId(`evt_019b2f7c41d27a3e9c0d5f1a2b3c4d5e${end}`)).toBeUndefined();
});
