// Sessions that a process has just written: for whom they are cached, how many, and for how long.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { toStoredSession } from "../../../src/store/sessions/session-columns.ts";
import { SessionCache } from "../../../src/store/sessions/session-store.ts";
import { someSession } from "../../support/builders.ts";

const newSession = () => toStoredSession(someSession());

let cache: SessionCache;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  // No process is at the very beginning of its clock.
  vi.advanceTimersByTime(1_000);
  cache = new SessionCache();
});
afterEach(() => void vi.useRealTimers());

test("a session is cached for 30 seconds", () => {
  const [one, other] = [newSession(), newSession()];
  for (const session of [one, other]) cache.set(session);
  vi.advanceTimersByTime(29_999);
  expect(cache.remove(one)).toBeDefined();
  vi.advanceTimersByTime(2);
  expect(cache.remove(other)).toBeUndefined();
});

test("a minute after its last use neither a session nor a timer is left in memory", () => {
  cache.set(newSession());
  vi.advanceTimersByTime(20_000);
  cache.set(newSession());
  vi.advanceTimersByTime(30_001);
  expect([cache.size, vi.getTimerCount()]).toEqual([0, 0]);
});

test("a thousand sessions are cached at most, those that were written last", () => {
  const sessions = Array.from({ length: 1_001 }, newSession);
  for (const session of sessions) cache.set(session);
  expect(cache.size).toBe(1_000);
  expect(sessions.filter((session) => cache.remove(session) === undefined)).toEqual([sessions[0]]);
});
