// Connections that were given back a moment ago, for the next piece of work: asking the pool for one takes four timers and
// some twenty promises each time.
import type { Knex } from "knex";
import type { Connection } from "mysql2";
import { systemTimers, type Timers } from "../kernel/timers.ts";
import type { StoreObserver } from "./observation.ts";

/** Then they go back to the pool, which finds out whether they are too old. */
const keptMs = 20;

const recent = Symbol("recent connections");
type Opened = Knex & { [recent]?: RecentConnections };

export class RecentConnections {
  readonly #db: Knex;
  readonly #observer: Pick<StoreObserver, "beginWait"> | undefined;
  readonly #timers: Pick<Timers, "after">;
  /** The last one is the next to be lent: a few busy connections do more than many. */
  #kept: Connection[] = [];
  #isReturning = false;

  /** @param observer notified of those who did not have to wait */
  constructor(db: Knex, observer?: Pick<StoreObserver, "beginWait">, timers: Pick<Timers, "after"> = systemTimers) {
    this.#db = db;
    this.#observer = observer;
    this.#timers = timers;
    (db as Opened)[recent] = this;
    // A pool that ends waits for all connections.
    db.client.pool.on("poolDestroyRequest", () => this.#release());
  }

  /** Those of a pool. */
  static of(db: Knex): RecentConnections {
    return (db as Opened)[recent] ?? new RecentConnections(db);
  }

  /** How many there are. */
  get count(): number {
    return this.#kept.length;
  }

  /** Takes one that is fit; undefined if there is none. */
  take(): Connection | undefined {
    for (let last = this.#kept.pop(); last !== undefined; last = this.#kept.pop()) {
      if (this.#db.client.validateConnection(last)) {
        this.#observer?.beginWait()();
        return last;
      }
      void this.#db.client.releaseConnection(last);
    }
    return undefined;
  }

  /** Keeps one for a moment, unless it is unfit or somebody waits for the pool. */
  give(connection: Connection): void {
    const { client } = this.#db;
    const { pool } = client;
    if (pool.destroyed || pool.numPendingAcquires() > 0 || !client.validateConnection(connection)) {
      void client.releaseConnection(connection);
      return;
    }
    this.#kept.push(connection);
    if (this.#isReturning) return;
    this.#isReturning = true;
    this.#timers.after(keptMs, () => {
      this.#isReturning = false;
      this.#release();
    });
  }

  /** All connections that nobody uses, in the pool again. */
  idle(): Connection[] {
    this.#release();
    return this.#db.client.pool.free.map(({ resource }: { readonly resource: Connection }) => resource);
  }

  #release(): void {
    for (const connection of this.#kept.splice(0)) void this.#db.client.releaseConnection(connection);
  }
}
