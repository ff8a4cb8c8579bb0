// Writes the event log, on a connection of its own that the database closes soon after the process freezes.

import { type DatabaseOptions, openDatabase } from "../database/database.ts";
import { systemTimers } from "../kernel/timers.ts";
import { batchSizes } from "../services/batch-sizes.ts";
import { Sequencer } from "../services/events/sequencer.ts";
import type { EventStore } from "../store/events/event-store.ts";
import { createEventStore } from "../store/events/event-store.ts";
import type { PublishedEvent } from "../store/events/sequencer-store.ts";
import { createSequencerStore, sequencerSettings } from "../store/events/sequencer-store.ts";

export interface OpenSequencer extends AsyncDisposable {
  readonly sequencer: Sequencer;
  /** Expiry takes locks that the sequencer needs, so it uses the same connection. */
  readonly log: Pick<EventStore, "expireEvents">;
}

/** Opens the connection. @param observe called with what was written to the log */
export function openSequencer(
  database: Pick<DatabaseOptions, "address" | "warn" | "observer">,
  observe: (published: readonly PublishedEvent[]) => void,
): OpenSequencer {
  const db = openDatabase({ ...database, poolSize: 1, settings: sequencerSettings });
  const sequencer = new Sequencer({
    sequencer: createSequencerStore(db),
    monotonic: systemTimers.now,
    batchSizes,
    observe,
  });
  return { sequencer, log: createEventStore(db), [Symbol.asyncDispose]: () => db.destroy() };
}
