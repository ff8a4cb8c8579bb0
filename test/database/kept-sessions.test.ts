// What a process remembers of the sessions that it has just written: of whom, how many and for how long.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { KnownSessions } from "../../src/store/sessions/session-store.ts";
import { someId, someSession } from "../support/builders.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  // No process is at the very beginning of its clock.
  vi.advanceTimersByTime(1_000);
});
afterEach(() => void vi.useRealTimers());

test("a cached session serves one attempt, of its own partner", () => {
  const known = new KnownSessions();
  const session = someSession();
  known.keepNew(session);
  expect(known.take({ partnerId: someId(), id: session.id })).toBeUndefined();
  expect(known.take(session)).toMatchObject({ id: session.id, revision: 0, answers: [], completedAt: null });
  expect(known.take(session)).toBeUndefined();
});

test("a session is cached for 30 seconds", () => {
  const known = new KnownSessions();
  const [one, other] = [someSession(), someSession()];
  known.keepNew(one);
  known.keepNew(other);
  vi.advanceTimersByTime(29_999);
  expect(known.take(one)).toBeDefined();
  vi.advanceTimersByTime(2);
  expect(known.take(other)).toBeUndefined();
});

test("a minute after its last use neither a session nor a timer is left in memory", () => {
  const known = new KnownSessions();
  known.keepNew(someSession());
  vi.advanceTimersByTime(20_000);
  known.keepNew(someSession());
  vi.advanceTimersByTime(30_001);
  expect([known.size, vi.getTimerCount()]).toEqual([0, 0]);
});

test("a thousand sessions are cached at most, those that were written last", () => {
  const known = new KnownSessions();
  const sessions = Array.from({ length: 1_001 }, () => someSession());
  for (const session of sessions) known.keepNew(session);
  expect(known.size).toBe(1_000);
  expect(sessions.filter((session) => known.take(session) === undefined)).toEqual([sessions[0]]);
});
