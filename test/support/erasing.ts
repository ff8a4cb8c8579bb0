// Erasing a person by the Store port alone.
import type { SessionStore } from "../../src/store/sessions/session-store.ts";
import { someErasure } from "./builders.ts";

/** Erases the sessions of a person, 100 at most. @returns the number of sessions erased */
export async function erasePerson(sessions: SessionStore, partnerId: string, externalId: string): Promise<number> {
  const { signal } = new AbortController();
  const ids = await sessions.listSessionIds(partnerId, externalId, 100, signal);
  return sessions.eraseSessions(ids, someErasure(partnerId), signal);
}
