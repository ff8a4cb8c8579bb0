// The database of a process with its shards, and the work of this process on each.
import { onConnection } from "../database/connection.ts";
import { type DatabaseOptions, openDatabase } from "../database/database.ts";
import { unavailableError } from "../database/database-errors.ts";
import { isDivided, listShards, toShardAddress } from "../database/shards.ts";
import { wholeLog } from "../domain/events/event-cursor.ts";
import { createEventStore } from "../store/events/event-store.ts";
import type { Shard } from "../store/stores.ts";

type Database = ReturnType<typeof openDatabase>;

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
  readonly db: Database;
  readonly #options: DatabaseOptions;
  readonly #shards = new Map<string, OpenShard>();
  #begin: ((shard: OpenShard) => void) | undefined;

  /** @param options of the pool of the whole database */
  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.db = openDatabase(options);
    if (!isDivided(options.address)) this.#add(wholeLog, options, this.db);
  }

  /** In the order of their names. Throws `unavailable` before they are known. */
  readonly list = (): readonly OpenShard[] => {
    if (this.#shards.size > 0) return [...this.#shards.values()];
    throw unavailableError(undefined, "The shards of the database are not known yet.");
  };

  /** Reads which shards there are: starts work on new ones, ends it on those that were split. Throws if it cannot: all stay. */
  async refresh(signal: AbortSignal): Promise<void> {
    const { address } = this.#options;
    if (!isDivided(address)) return;
    const ranges = await onConnection(this.db, signal, listShards);
    // A database with one shard is used as a whole, whatever Vitess calls the shard.
    const names = new Map(ranges.map((range) => [ranges.length === 1 ? wholeLog : range, range]));
    for (const [name, shard] of this.#shards) {
      if (names.has(name)) continue;
      this.#shards.delete(name);
      // The work and its connections have ended with the shard.
      this.#close(shard).catch(() => undefined);
    }
    for (const [name, range] of names) {
      const options = { ...this.#options, address: toShardAddress(address, range), poolSize };
      if (!this.#shards.has(name)) this.#add(name, options, openDatabase(options));
    }
  }

  /** Begins work on every shard, and later on each new one. */
  begin(work: (shard: OpenShard) => void): void {
    this.#begin = work;
    for (const shard of this.#shards.values()) work(shard);
  }

  /** Ends the work. */
  async stop(): Promise<void> {
    this.#begin = undefined;
    await Promise.all([...this.#shards.values()].map(({ resources }) => resources.disposeAsync()));
  }

  /** Ends the work, and closes all connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#shards.values()].map((shard) => this.#close(shard)));
    await this.db.destroy();
  }

  #add(name: string, options: DatabaseOptions, db: Database): void {
    const shard = { name, options, db, events: createEventStore(db), resources: new AsyncDisposableStack() };
    this.#shards.set(name, shard);
    this.#begin?.(shard);
  }

  async #close({ db, resources }: OpenShard): Promise<void> {
    await resources.disposeAsync();
    if (db !== this.db) await db.destroy();
  }
}
