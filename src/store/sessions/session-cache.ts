// A cache of open sessions that only this process has written. Their next write skips the read: it names the cached revision,
// and stores nothing if the stored revision is another.
import { LRUCache } from "lru-cache";
import type { SessionKey, StoredSession } from "../../domain/sessions/session.ts";

const maxAgeMs = 30_000;
/** Some 2 kB each. */
const maxSessions = 1_000;

/** Sessions as they were last written. */
export class SessionCache {
  // Unused ones are removed too: answers of people do not stay in memory.
  readonly #sessions = new LRUCache<string, StoredSession>({
    max: maxSessions,
    ttl: maxAgeMs,
    ttlAutopurge: true,
    perf: { now: () => performance.now() },
    ttlResolution: 0,
  });

  /** Number of cached sessions. */
  get size(): number {
    return this.#sessions.size;
  }

  /** Adds a session as it is stored now. */
  set(session: StoredSession): void {
    this.#sessions.set(formatKey(session), session);
  }

  /** Removes the session, for one attempt to write it; undefined if it is not cached. */
  remove(sessionKey: SessionKey): StoredSession | undefined {
    const key = formatKey(sessionKey);
    const session = this.#sessions.get(key);
    this.#sessions.delete(key);
    return session;
  }
}

function formatKey({ partnerId, id }: SessionKey): string {
  return `${partnerId}/${id}`;
}
