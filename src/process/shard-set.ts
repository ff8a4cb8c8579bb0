// The known shards of a database, and the work of this process on each.
import { onConnection } from "../database/connection.ts";
import { type DatabaseAddress, type DatabaseOptions, openDatabase } from "../database/database.ts";
import { isDivided, listShards, shardAt } from "../database/shards.ts";
import { wholeLog } from "../domain/events/event-cursor.ts";
import { Refusal } from "../kernel/errors/refusal.ts";
import { createEventStore } from "../store/events/event-store.ts";
import type { Shard } from "../store/stores.ts";
import { createDeliveryStore } from "../store/webhooks/delivery-store.ts";

type Database = ReturnType<typeof openDatabase>;

/** Connections to one shard for its jobs. Requests have the pool of the process. */
const poolSize = 4;

export interface OpenShard extends Shard {
  readonly address: DatabaseAddress;
  readonly db: Database;
}

/** Begins work on a shard. @param resources end it, the last one first */
export type ShardWork = (shard: OpenShard, resources: AsyncDisposableStack) => void;

interface ShardEntry {
  readonly shard: OpenShard;
  /** End the work. */
  readonly resources: AsyncDisposableStack;
}

export class ShardSet implements AsyncDisposable {
  readonly #db: Database;
  readonly #options: Omit<DatabaseOptions, "poolSize">;
  readonly #entries = new Map<string, ShardEntry>();
  #work: ShardWork | undefined;
  #trouble: unknown;

  /** @param db the whole database, at the address in `options` */
  constructor(db: Database, options: Omit<DatabaseOptions, "poolSize">) {
    this.#db = db;
    this.#options = options;
    if (!isDivided(options.address)) this.#add(wholeLog, options.address, db);
  }

  /** In the order of their names. Throws `unavailable` before they are known. */
  readonly all = (): readonly OpenShard[] => {
    if (this.#entries.size > 0) return [...this.#entries.values()].map(({ shard }) => shard);
    throw new Refusal("unavailable", "The shards of the database are not known yet.", { retryAfterSeconds: 1 });
  };

  /**
   * Asks which shards there are: starts work on new ones, ends it on those that were split. Throws if the shards cannot be
   * listed and none is known yet; otherwise the known ones stay, and `check` throws the error.
   */
  async refresh(signal: AbortSignal): Promise<void> {
    const { address } = this.#options;
    if (!isDivided(address)) return;
    try {
      this.#follow(address, await onConnection(this.#db, signal, listShards));
      this.#trouble = undefined;
    } catch (error) {
      if (this.#entries.size === 0) throw error;
      this.#trouble = error;
    }
  }

  /** Throws the error of the last refresh: of listing the shards, or of leaving one. */
  readonly check = (): void => {
    if (this.#trouble !== undefined) throw this.#trouble;
  };

  /** Begins work on every shard, and later on each new one. */
  begin(work: ShardWork): void {
    this.#work = work;
    for (const { shard, resources } of this.#entries.values()) work(shard, resources);
  }

  /** Ends the work. */
  async stop(): Promise<void> {
    this.#work = undefined;
    await Promise.all([...this.#entries.values()].map(({ resources }) => resources.disposeAsync()));
  }

  /** Ends the work, and closes the connections to shards. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#entries.values()].map((entry) => this.#leave(entry)));
  }

  #follow(address: DatabaseAddress, ranges: readonly string[]): void {
    // A database with one shard is used as a whole, whatever Vitess calls the shard.
    const shards = new Map(ranges.map((range) => [ranges.length === 1 ? wholeLog : range, shardAt(address, range)]));
    for (const [name, entry] of this.#entries) {
      if (shards.has(name)) continue;
      this.#entries.delete(name);
      this.#leave(entry).catch((trouble: unknown) => {
        this.#trouble = trouble;
      });
    }
    for (const [name, at] of shards) {
      if (!this.#entries.has(name)) this.#add(name, at, openDatabase({ ...this.#options, address: at, poolSize }));
    }
  }

  #add(name: string, address: DatabaseAddress, db: Database): void {
    const shard = { name, address, db, events: createEventStore(db), deliveries: createDeliveryStore(db) };
    const resources = new AsyncDisposableStack();
    this.#entries.set(name, { shard, resources });
    this.#work?.(shard, resources);
  }

  async #leave({ shard, resources }: ShardEntry): Promise<void> {
    await resources.disposeAsync();
    if (shard.db !== this.#db) await shard.db.destroy();
  }
}
