// The shards of a test's database, as jobs have them; one that is not divided is its only shard.
import { type DatabaseAddress, openDatabase, patientAcquireTimeoutMs } from "../../../src/database/database.ts";
import { type OpenShard, ShardSet } from "../../../src/process/shards.ts";

/** Does work on one shard after the other. */
export async function onEachShard(
  address: DatabaseAddress,
  work: (shard: OpenShard) => Promise<unknown>,
): Promise<void> {
  const options = { address, warn: () => undefined, acquireTimeoutMs: patientAcquireTimeoutMs };
  await using opened = new AsyncDisposableStack();
  const db = openDatabase({ ...options, poolSize: 2 });
  opened.defer(() => db.destroy());
  const shards = opened.use(new ShardSet(db, options));
  await shards.look(AbortSignal.timeout(60_000));
  for (const shard of shards.all()) await work(shard);
}
