// Erasing a person by the Store port alone.
import type { SessionStore } from "../../src/domain/ports/sessions.ts";
import { noNorms, someErasure } from "./builders.ts";

/** Erases the sessions of a person, 100 at most. @returns the number of sessions erased */
export async function erasePerson(sessions: SessionStore, partnerId: string, externalId: string): Promise<number> {
  const { signal } = new AbortController();
  const keys = await sessions.listSessionKeys(partnerId, externalId, null, 100, signal);
  const ids = keys.map(({ id }) => id);
  return sessions.eraseSessions(ids, someErasure(partnerId), noNorms, signal);
}
