// A cache of open sessions that only this process has written. Their next write skips the read: it names the cached
// revision, and stores nothing if the stored revision is another.
import { LRUCache } from "lru-cache";
import type { NewSession, SessionName, StoredSession } from "../../domain/sessions/session.ts";
import { noEndTimes } from "../../kernel/session-states.ts";
import type { Timers } from "../../kernel/timers.ts";

const maxAgeMs = 30_000;
/** Some 2 kB each. */
const maxSessions = 1_000;

export class KnownSessions {
  readonly #sessions: LRUCache<string, StoredSession>;
  readonly #timers: Timers;
  #isSweeping = false;

  constructor(timers: Timers) {
    this.#timers = timers;
    this.#sessions = new LRUCache({ max: maxSessions, ttl: maxAgeMs, perf: timers, ttlResolution: 0 });
  }

  /** Size of the cache. */
  get size(): number {
    return this.#sessions.size;
  }

  /** Keeps a session as it is stored now. */
  keep(session: StoredSession): void {
    this.#sessions.set(keyOf(session), session);
    if (!this.#isSweeping) this.#sweepLater();
  }

  /** Adds a session that was just inserted. */
  keepNew(session: NewSession): void {
    this.keep({
      ...session,
      ...noEndTimes,
      answersDeletedAt: null,
      resultsDeletedAt: null,
      revision: 0,
      answers: [],
      arrivals: null,
      shownLanguage: null,
    });
  }

  /** Takes the session out of the cache, for one attempt; undefined if it is not cached. */
  take(name: SessionName): StoredSession | undefined {
    const key = keyOf(name);
    const session = this.#sessions.get(key);
    this.#sessions.delete(key);
    return session;
  }

  /** Unused entries are removed too: answers of people stay in memory for a minute at most. */
  #sweepLater(): void {
    this.#isSweeping = true;
    this.#timers.after(maxAgeMs, () => {
      this.#isSweeping = false;
      this.#sessions.purgeStale();
      if (this.#sessions.size > 0) this.#sweepLater();
    });
  }
}

function keyOf({ partnerId, id }: SessionName): string {
  return `${partnerId}/${id}`;
}
