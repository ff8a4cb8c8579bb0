// What a process remembers of the sessions that it has just written: of whom, how many and for how long.
import { expect, test } from "vitest";
import { KnownSessions } from "../../../src/store/sessions/session-store.ts";
import { someId, someSession } from "../../support/builders.ts";

/** Known sessions, and a time that only the test lets pass. */
function newSessions() {
  let now = 1_000;
  let due: { readonly at: number; readonly task: () => void }[] = [];
  const after = (ms: number, task: () => void) => {
    due.push({ at: now + ms, task });
    return () => undefined;
  };
  const pass = (ms: number) => {
    now += ms;
    const reached = due.filter(({ at }) => at <= now);
    due = due.filter(({ at }) => at > now);
    for (const { task } of reached) task();
  };
  return { known: new KnownSessions({ now: () => now, after }), pass, waiting: () => due.length };
}

test("a cached session serves one attempt, of its own partner", () => {
  const { known } = newSessions();
  const session = someSession();
  known.keepNew(session);
  expect(known.take({ partnerId: someId(), id: session.id })).toBeUndefined();
  expect(known.take(session)).toMatchObject({ id: session.id, revision: 0, answers: [], completedAt: null });
  expect(known.take(session)).toBeUndefined();
});

test("a session is cached for 30 seconds", () => {
  const { known, pass } = newSessions();
  const [one, other] = [someSession(), someSession()];
  known.keepNew(one);
  known.keepNew(other);
  pass(29_999);
  expect(known.take(one)).toBeDefined();
  pass(2);
  expect(known.take(other)).toBeUndefined();
});

test("a minute after its last use neither a session nor a timer is left in memory", () => {
  const { known, pass, waiting } = newSessions();
  known.keepNew(someSession());
  pass(20_000);
  known.keepNew(someSession());
  pass(10_000);
  pass(30_000);
  expect([known.size, waiting()]).toEqual([0, 0]);
});

test("a thousand sessions are cached at most, those that were written last", () => {
  const { known } = newSessions();
  const sessions = Array.from({ length: 1_001 }, () => someSession());
  for (const session of sessions) known.keepNew(session);
  expect(known.size).toBe(1_000);
  expect(sessions.filter((session) => known.take(session) === undefined)).toEqual([sessions[0]]);
});
