// What a session's state follows from, and what becomes of it by each action.
import { describe, expect, test } from "vitest";
import {
  computeState,
  nextState,
  type SessionAction,
  type SessionState,
  sessionStates,
  takesAnswers,
} from "../../../src/domain/sessions/session-states.ts";
import { Refusal } from "../../../src/kernel/errors/refusal.ts";
import { at } from "../../support/builders.ts";

const now = at(0).getTime();

describe("states of sessions", () => {
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

  // Where each action leads, or the refusal that it meets.
  test.each<[SessionAction, readonly string[]]>([
    ["answer", ["in_progress", "session_completed", "session_cancelled", "session_expired"]],
    ["complete", ["completed", "session_completed", "session_cancelled", "session_expired"]],
    ["cancel", ["cancelled", "session_completed", "cancelled", "cancelled"]],
    ["reopen", ["in_progress", "session_completed", "session_cancelled", "in_progress"]],
    ["link", ["in_progress", "session_completed", "session_cancelled", "session_expired"]],
  ])("the action %s leads to its state, or is refused, in each state of a session", (action, expected) => {
    const outcome = (state: SessionState) => {
      try {
        return nextState(state, action);
      } catch (error) {
        if (error instanceof Refusal) return error.code;
        throw error;
      }
    };
    expect(sessionStates.map(outcome)).toEqual(expected);
    if (action === "answer") expect(sessionStates.map(takesAnswers)).toEqual([true, false, false, false]);
  });
});
