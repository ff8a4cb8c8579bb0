// A cache of open sessions that only this process has written. Their next write need not read them first: it names their
// revision, and stores nothing if they have another by then.
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

  /** Takes the session out of the cache, for one try; undefined if it is not cached. */
  take(name: SessionName): StoredSession | undefined {
    const key = keyOf(name);
    const session = this.#sessions.get(key);
    this.#sessions.delete(key);
    return session;
  }

  /** What nobody asks for goes as well: answers of people stay no longer than a minute. */
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
