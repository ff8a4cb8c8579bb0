// The known shards of a database, and the work of this process on each.
import { type DatabaseAddress, type DatabaseOptions, openDatabase } from "../database/database.ts";
import { isDivided, listShards, shardAt } from "../database/shards.ts";
import { wholeLog } from "../domain/events/event-cursor.ts";
import { Refusal } from "../kernel/errors/refusal.ts";
import { createAssessmentStore } from "../store/assessments/assessment-store.ts";
import { createShardStores, type Shard } from "../store/stores.ts";

type Database = ReturnType<typeof openDatabase>;

/** Connections to one shard for its jobs. Requests have the pool of the process. */
const poolSize = 4;

/** A shard with the stores of its jobs. */
export interface OpenShard extends Shard {
  readonly address: DatabaseAddress;
  readonly db: Database;
}

/** The work on a shard. */
export interface ShardWork extends AsyncDisposable {
  /** Begins nothing new, and lets running work end within the time. */
  stop(timeoutMs: number): Promise<void>;
  /** Removes its metrics. */
  forget(): void;
}

interface ShardEntry {
  readonly shard: OpenShard;
  work: ShardWork | undefined;
}

export class ShardSet implements AsyncDisposable {
  readonly #db: Database;
  readonly #options: Omit<DatabaseOptions, "poolSize">;
  readonly #entries = new Map<string, ShardEntry>();
  #begin: ((shard: OpenShard) => ShardWork) | undefined;
  #trouble: unknown;

  /** @param db the whole database, at the address in `options` */
  constructor(db: Database, options: Omit<DatabaseOptions, "poolSize">) {
    this.#db = db;
    this.#options = options;
    if (!isDivided(options.address)) this.#add(wholeLog, options.address, db);
  }

  /** The databases of a sharded one; none if it is not sharded. */
  readonly databases = (): readonly Database[] =>
    isDivided(this.#options.address) ? this.all().map(({ db }) => db) : [];

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
      this.#follow(address, await listShards(this.#db, signal));
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
  begin(work: (shard: OpenShard) => ShardWork): void {
    this.#begin = work;
    for (const entry of this.#entries.values()) entry.work ??= work(entry.shard);
  }

  /** Ends the work. */
  async stop(timeoutMs: number): Promise<void> {
    this.#begin = undefined;
    await Promise.all([...this.#entries.values()].map(({ work }) => work?.stop(timeoutMs)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#entries.keys()].map((name) => this.#remove(name)));
  }

  #follow(address: DatabaseAddress, ranges: readonly string[]): void {
    // A database with one shard is used as a whole, whatever Vitess calls the shard.
    const shards = new Map(ranges.map((range) => [ranges.length === 1 ? wholeLog : range, shardAt(address, range)]));
    const note = (trouble: unknown) => {
      this.#trouble = trouble;
    };
    for (const name of this.#entries.keys())
      if (!shards.has(name)) this.#remove(name).then((work) => work?.forget(), note);
    for (const [name, at] of shards) {
      if (!this.#entries.has(name)) this.#add(name, at, openDatabase({ ...this.#options, address: at, poolSize }));
    }
  }

  #add(name: string, address: DatabaseAddress, db: Database): void {
    const shard = {
      name,
      address,
      db,
      assessmentCopies: createAssessmentStore(db),
      ...createShardStores(db, this.#db),
    };
    this.#entries.set(name, { shard, work: this.#begin?.(shard) });
  }

  async #remove(name: string): Promise<ShardWork | undefined> {
    const entry = this.#entries.get(name);
    this.#entries.delete(name);
    await entry?.work?.stop(0);
    await entry?.work?.[Symbol.asyncDispose]();
    if (entry !== undefined && entry.shard.db !== this.#db) await entry.shard.db.destroy();
    return entry?.work;
  }
}
