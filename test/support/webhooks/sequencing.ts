// A sequencer of a process of its own over a test's schema, and what is in the log.

import { backgroundAcquireTimeoutMs, Database, type DatabaseAddress } from "../../../src/database/database.ts";
import { sql } from "../../../src/database/statement.ts";
import type { LoggedEvent } from "../../../src/domain/events/event.ts";
import { type BatchSizes, batchSizes } from "../../../src/services/batch-sizes.ts";
import { Sequencer } from "../../../src/services/events/sequencer.ts";
import type { SequencerStore } from "../../../src/store/events/sequencer-store.ts";
import { createSequencerStore, sequencerSettings } from "../../../src/store/events/sequencer-store.ts";
import { poolOfTest } from "../databases/pool.ts";
import { onEachShard } from "../databases/shards.ts";
import type { TestStores } from "../databases/stores.ts";
import { signal } from "../deadline.ts";

/** A pool of one connection. */
const pool = { poolSize: 1, warn: () => undefined, acquireTimeoutMs: backgroundAcquireTimeoutMs };

/**
 * A sequencer on a connection of its own.
 * @param monotonic its time, which stands still unless given
 */
export function newSequencer(address: DatabaseAddress, monotonic: () => number = () => 0) {
  const db = poolOfTest({ address, ...pool, settings: sequencerSettings });
  const store = createSequencerStore(db);
  const published: string[] = [];
  const sequencer = new Sequencer({
    sequencer: store,
    monotonic,
    batchSizes,
    observe: (events) => void published.push(...events.map(({ type }) => type ?? "unknown")),
  });
  return { db, store, sequencer, published };
}

/**
 * Brings all that is to be announced into the log. Waits for a service that is at it: it may have begun earlier.
 * @param sizes of sessions, and events of the outbox, in one transaction
 */
export function sequenceEvents({ address }: Pick<TestStores, "address">, sizes = batchSizes): Promise<void> {
  return onEachShard(address, (shard) => sequenceOn(shard.options.address, sizes));
}

async function sequenceOn(address: DatabaseAddress, sizes: BatchSizes): Promise<void> {
  const db = new Database({ address, ...pool });
  const store = createSequencerStore(db);
  const publish: SequencerStore["publish"] = async (...place) => {
    for (;;) {
      const pass = await store.publish(...place);
      if (pass !== undefined) return pass;
      await db.findAll(sql`SELECT position FROM event_position WHERE id = 1 FOR UPDATE`, {}, signal);
    }
  };
  const observe = () => undefined;
  await new Sequencer({ sequencer: { publish }, monotonic: () => 0, observe, batchSizes: sizes }).run(signal);
  await db.destroy();
}

/** The whole log of a partner. */
export async function logOf({ events }: TestStores, partnerId: string): Promise<readonly LoggedEvent[]> {
  return await events.listEvents(partnerId, 0, 1_000_000, signal);
}

/** The columns `unpublished` and `unpublished_since` of a session that was just created. */
export const createdColumns = ['[1,1,"2026-11-26 00:00:00.000Z"],', new Date()];

/** What an event says, without its numbers. */
export function briefly({ type, resourceId }: LoggedEvent): string {
  return `${type} ${resourceId}`;
}
