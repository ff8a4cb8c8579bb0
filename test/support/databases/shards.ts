// The shards of a test's database, as jobs have them; one that is not divided is its only shard.
import { type DatabaseAddress, openDatabase, patientAcquireTimeoutMs } from "../../../src/database/database.ts";
import { type OpenShard, ShardSet } from "../../../src/process/shard-set.ts";
import { createStores, type Stores } from "../../../src/store/stores.ts";

/** A shard with all stores: those of its partners' rows are its own. */
export type TestShard = Stores & OpenShard;

export interface TestShards extends AsyncDisposable {
  /** The whole database. */
  readonly db: ReturnType<typeof openDatabase>;
  readonly stores: Stores;
  readonly shards: readonly TestShard[];
}

/** Opens a test's database. */
export async function openShards(address: DatabaseAddress, poolSize = 2): Promise<TestShards> {
  const options = { address, warn: () => undefined, acquireTimeoutMs: patientAcquireTimeoutMs };
  await using opened = new AsyncDisposableStack();
  const db = openDatabase({ ...options, poolSize });
  opened.defer(() => db.destroy());
  const known = opened.use(new ShardSet(db, options));
  await known.refresh(AbortSignal.timeout(60_000));
  const stores = createStores(db);
  const parts = opened.move();
  const shards = known.all().map((shard) => ({ ...stores, ...shard }));
  return { db, stores, shards, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

/** Does work on one shard after the other. */
export async function onEachShard(
  address: DatabaseAddress,
  work: (shard: TestShard) => Promise<unknown>,
): Promise<void> {
  await using opened = await openShards(address);
  for (const shard of opened.shards) await work(shard);
}
