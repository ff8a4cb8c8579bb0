// The shards of a test's database, as jobs have them; one that is not divided is its only shard.
import { backgroundAcquireTimeoutMs, type DatabaseAddress } from "../../../src/database/database.ts";
import { type OpenShard, ShardSet } from "../../../src/process/shard-set.ts";
import { createStores, type Stores } from "../../../src/store/stores.ts";
import { createDeliveryStore } from "../../../src/store/webhooks/delivery-store.ts";
import { signal } from "../deadline.ts";

/** A shard with all stores: those of its partners' rows are its own. */
export type TestShard = Stores & OpenShard;

export type TestShards = Awaited<ReturnType<typeof openShards>>;

/** Opens a test's database: as a whole, and its shards. */
export async function openShards(address: DatabaseAddress, poolSize = 2) {
  const ignore = () => undefined;
  const options = { address, warn: ignore, acquireTimeoutMs: backgroundAcquireTimeoutMs, poolSize };
  const shardSet = new ShardSet(options, ignore);
  await shardSet.refresh(signal);
  const { db } = shardSet;
  const stores = createStores(db);
  const shards = shardSet.list().map((shard) => ({ ...stores, ...shard, deliveries: createDeliveryStore(shard.db) }));
  return { db, stores, shards, [Symbol.asyncDispose]: () => shardSet[Symbol.asyncDispose]() };
}

/** Does work on one shard after the other. */
export async function onEachShard(
  address: DatabaseAddress,
  work: (shard: TestShard) => Promise<unknown>,
): Promise<void> {
  await using opened = await openShards(address);
  for (const shard of opened.shards) await work(shard);
}
