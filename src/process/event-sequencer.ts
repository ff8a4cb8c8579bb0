// Who writes the log in a process, on a connection of its own: the database ends it soon after the process froze.

import { type DatabaseOptions, openDatabase } from "../database/database.ts";
import { systemTimers } from "../kernel/timers.ts";
import { Sequencer } from "../services/events/sequencer.ts";
import type { PublishedEvent } from "../store/events/event-batch.ts";
import type { EventStore } from "../store/events/event-store.ts";
import { createEventStore } from "../store/events/event-store.ts";
import { createSequencerStore, sequencerSettings } from "../store/events/sequencer-store.ts";

export interface OpenSequencer extends AsyncDisposable {
  readonly sequencer: Sequencer;
  /** Expiry locks what the sequencer needs. */
  readonly log: Pick<EventStore, "expireEvents">;
}

/** Opens the connection. @param observe notified of what came into the log */
export function openSequencer(
  database: Pick<DatabaseOptions, "address" | "warn" | "observer">,
  observe: (published: readonly PublishedEvent[]) => void,
): OpenSequencer {
  const db = openDatabase({ ...database, poolSize: 1, settings: sequencerSettings });
  const sequencer = new Sequencer({
    sequencer: createSequencerStore(db),
    monotonic: systemTimers.now,
    observe,
  });
  return { sequencer, log: createEventStore(db), [Symbol.asyncDispose]: () => db.destroy() };
}
