// What a session's state follows from, and what becomes of it by each action.
import { expect, test } from "vitest";
import {
  computeState,
  requireAllowed,
  type SessionAction,
  type SessionState,
  sessionStates,
} from "../../../src/domain/sessions/session.ts";
import { at } from "../../support/builders.ts";
import { outcomeOf } from "../../support/models.ts";

const now = at(0).getTime();

const open = { completedAt: null, cancelledAt: null, expiresAt: null };

test.each<[string, Parameters<typeof computeState>[0], SessionState]>([
  ["without an end", open, "in_progress"],
  ["a moment before its end", { ...open, expiresAt: at(1) }, "in_progress"],
  ["at its end", { ...open, expiresAt: at(0) }, "expired"],
  ["that was cancelled before its end", { ...open, cancelledAt: at(-1), expiresAt: at(0) }, "cancelled"],
  [
    "that was completed, whatever came before",
    { completedAt: at(0), cancelledAt: at(-2), expiresAt: at(-1) },
    "completed",
  ],
])("a session %s has its state", (_, session, state) => {
  expect(computeState(session, now)).toBe(state);
});

test.each<[SessionAction, readonly string[]]>([
  ["answer", ["ok", "session_completed", "session_cancelled", "session_expired"]],
  ["complete", ["ok", "session_completed", "session_cancelled", "session_expired"]],
  ["cancel", ["ok", "session_completed", "ok", "ok"]],
  ["reopen", ["ok", "session_completed", "session_cancelled", "ok"]],
  ["link", ["ok", "session_completed", "session_cancelled", "session_expired"]],
])("the action %s is allowed, or refused, in each state of a session", async (action, expected) => {
  const outcomes = sessionStates.map((state) => outcomeOf(async () => requireAllowed(state, action)));
  expect(await Promise.all(outcomes)).toEqual(expected);
});
