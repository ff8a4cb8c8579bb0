// The database of a process with its shards, and the work of this process on each.
import { onConnection } from "../database/connection.ts";
import { type DatabaseAddress, type DatabaseOptions, openDatabase } from "../database/database.ts";
import { unavailable } from "../database/database-errors.ts";
import { isDivided, listShards, shardAt } from "../database/shards.ts";
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
  /** End the work on the shard, the last one first. */
  readonly resources: AsyncDisposableStack;
}

export class ShardSet implements AsyncDisposable {
  /** The whole database. */
  readonly db: Database;
  readonly #options: DatabaseOptions;
  readonly #shards = new Map<string, OpenShard>();
  #work: ((shard: OpenShard) => void) | undefined;
  #trouble: unknown;

  /** @param options of the pool of the whole database */
  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.db = openDatabase(options);
    if (!isDivided(options.address)) this.#add(wholeLog, options, this.db);
  }

  /** In the order of their names. Throws `unavailable` before they are known. */
  readonly all = (): readonly OpenShard[] => {
    if (this.#shards.size > 0) return [...this.#shards.values()];
    throw unavailable(this.#trouble, "The shards of the database are not known yet.");
  };

  /**
   * Asks which shards there are: starts work on new ones, ends it on those that were split. If they cannot be listed the known
   * ones stay, and `check` throws the error.
   */
  async refresh(signal: AbortSignal): Promise<void> {
    const { address } = this.#options;
    if (!isDivided(address)) return;
    try {
      this.#follow(address, await onConnection(this.db, signal, listShards));
      this.#trouble = undefined;
    } catch (error) {
      this.#trouble = error;
    }
  }

  /** Throws the error of the last refresh: of listing the shards, or of leaving one. */
  check(): void {
    if (this.#trouble !== undefined) throw this.#trouble;
  }

  /** Begins work on every shard, and later on each new one. */
  begin(work: (shard: OpenShard) => void): void {
    this.#work = work;
    for (const shard of this.#shards.values()) work(shard);
  }

  /** Ends the work. */
  async stop(): Promise<void> {
    this.#work = undefined;
    await Promise.all([...this.#shards.values()].map(({ resources }) => resources.disposeAsync()));
  }

  /** Ends the work, and closes all connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#shards.values()].map((shard) => this.#leave(shard)));
    await this.db.destroy();
  }

  #follow(address: DatabaseAddress, ranges: readonly string[]): void {
    // A database with one shard is used as a whole, whatever Vitess calls the shard.
    const addresses = new Map(ranges.map((range) => [ranges.length === 1 ? wholeLog : range, shardAt(address, range)]));
    for (const [name, shard] of this.#shards) {
      if (addresses.has(name)) continue;
      this.#shards.delete(name);
      this.#leave(shard).catch((trouble: unknown) => {
        this.#trouble = trouble;
      });
    }
    for (const [name, at] of addresses) {
      const options = { ...this.#options, address: at, poolSize };
      if (!this.#shards.has(name)) this.#add(name, options, openDatabase(options));
    }
  }

  #add(name: string, options: DatabaseOptions, db: Database): void {
    const shard = { name, options, db, events: createEventStore(db), resources: new AsyncDisposableStack() };
    this.#shards.set(name, shard);
    this.#work?.(shard);
  }

  async #leave({ db, resources }: OpenShard): Promise<void> {
    await resources.disposeAsync();
    if (db !== this.db) await db.destroy();
  }
}
