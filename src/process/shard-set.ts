// The database of a process with its shards, and the work of this process on each.

import { Database, type DatabaseOptions } from "../database/database.ts";
import { unavailableError } from "../database/database-errors.ts";
import { isDivided, listShards, toShardAddress } from "../database/shards.ts";
import { wholeLog } from "../domain/events/event-cursor.ts";
import type { ReportDefect } from "../kernel/environment.ts";
import { createEventStore } from "../store/events/event-store.ts";
import type { Shard } from "../store/stores.ts";

/** Connections to one shard for readers of its log. Everything else has the pool of the process. */
const poolSize = 4;

export interface OpenShard extends Shard {
  /** For connections of their own to the shard. */
  readonly options: DatabaseOptions;
  readonly db: Database;
  /** Ends the work on the shard, what began last at first. */
  readonly resources: AsyncDisposableStack;
}

export class ShardSet implements AsyncDisposable {
  /** The whole database. */
  readonly db: OpenShard["db"];
  readonly #options: DatabaseOptions;
  readonly #reportDefect: ReportDefect;
  readonly #shards = new Map<string, OpenShard>();
  #startWork: ((shard: OpenShard) => void) | undefined;
  /** The reason why the shards could not be read the last time. */
  #fault: unknown;

  /** @param options of the pool of the whole database */
  constructor(options: DatabaseOptions, reportDefect: ReportDefect) {
    this.#options = options;
    this.#reportDefect = reportDefect;
    this.db = new Database(options);
    if (!isDivided(options.address)) this.#add(wholeLog, options, this.db);
  }

  /** In the order of their names. Throws `unavailable` before they are known. */
  readonly list = (): readonly OpenShard[] => {
    if (this.#shards.size > 0) return [...this.#shards.values()];
    throw unavailableError(this.#fault, "The shards of the database are not known yet.");
  };

  /** Reads which shards there are: starts work on new ones, ends it on those that were split. Throws if it cannot: all stay. */
  async refresh(signal: AbortSignal): Promise<void> {
    if (!isDivided(this.#options.address)) return;
    const ranges = await this.db.useConnection(signal, listShards).catch((error: unknown) => {
      this.#fault = error;
      throw error;
    });
    // A database with one shard is used as a whole, whatever Vitess calls the shard.
    const names = new Map(ranges.map((range) => [ranges.length === 1 ? wholeLog : range, range]));
    for (const [name, shard] of this.#shards) {
      if (names.has(name)) continue;
      this.#shards.delete(name);
      const closing = shard.resources.disposeAsync().finally(() => shard.db.destroy());
      closing.catch((error: unknown) => this.#reportDefect(error, "closing a shard"));
    }
    for (const [name, range] of names) {
      const options = { ...this.#options, address: toShardAddress(this.#options.address, range), poolSize };
      if (!this.#shards.has(name)) this.#add(name, options, new Database(options));
    }
  }

  /** Calls a function that starts work on a shard: for every shard, and later for each new one. */
  onEachShard(startWork: (shard: OpenShard) => void): void {
    this.#startWork = startWork;
    for (const shard of this.#shards.values()) startWork(shard);
  }

  /** Ends the work. */
  async stop(): Promise<void> {
    this.#startWork = undefined;
    await Promise.all([...this.#shards.values()].map(({ resources }) => resources.disposeAsync()));
  }

  /** Ends the work, and closes all connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.stop();
    } finally {
      const pools = new Set([this.db, ...[...this.#shards.values()].map(({ db }) => db)]);
      await Promise.all([...pools].map((pool) => pool.destroy()));
    }
  }

  #add(name: string, options: DatabaseOptions, db: OpenShard["db"]): void {
    const shard = { name, options, db, events: createEventStore(db), resources: new AsyncDisposableStack() };
    this.#shards.set(name, shard);
    this.#startWork?.(shard);
  }
}
