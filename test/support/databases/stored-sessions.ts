// Sessions that are stored, and erased, by the store alone.
import { expect } from "vitest";
import type { Completion, NewSession } from "../../../src/domain/sessions/session.ts";
import type { SessionStore } from "../../../src/store/sessions/session-store.ts";
import type { Stores } from "../../../src/store/stores.ts";
import { at, someErasure, someRecording, someSession } from "../builders.ts";
import { signal } from "../deadline.ts";

type SessionStores = Pick<Stores, "sessions">;

/** Stores a session as it is created. */
export async function storeSession({ sessions }: SessionStores, changes: Partial<NewSession> = {}) {
  const session = someSession(changes);
  expect(await sessions.insertSession(session, signal)).toBe("inserted");
  return session;
}

/** Stores a completed session: of one answer and without results, unless the completion is another one. */
export async function storeCompleted(
  stores: SessionStores,
  changes: Partial<NewSession> = {},
  completion: Partial<Completion> = {},
) {
  const session = await storeSession(stores, changes);
  const whole = { ...someRecording([1]), completedAt: at(5), results: null, ...completion };
  expect(await stores.sessions.saveCompletion(session, 0, whole, signal)).toBe(true);
  return session;
}

/** Erases the sessions of a person, 100 at most. @returns the number of sessions erased */
export async function erasePerson(sessions: SessionStore, partnerId: string, externalId: string): Promise<number> {
  const ids = await sessions.listSessionIds(partnerId, externalId, 100, signal);
  return sessions.eraseSessions(ids, someErasure(partnerId), signal);
}
