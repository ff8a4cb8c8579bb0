// The sequencer of a process, on a connection of its own: nobody waits for it, and it waits for nobody.
import { Sequencer } from "./domain/events/sequencer.ts";
import type { PublishedEvent } from "./domain/ports/events.ts";
import { type DatabaseOptions, openDatabase } from "./store/database.ts";
import { createSequencerStore, sequencerSettings } from "./store/events/sequencer-store.ts";

export interface OpenSequencer extends AsyncDisposable {
  readonly sequencer: Sequencer;
}

/** Opens the connection. @param observe told of what came into the log */
export function openSequencer(
  database: Pick<DatabaseOptions, "address" | "warn">,
  observe: (published: readonly PublishedEvent[]) => void,
): OpenSequencer {
  const db = openDatabase({ ...database, poolSize: 1, settings: sequencerSettings });
  const sequencer = new Sequencer({
    sequencer: createSequencerStore(db),
    monotonic: () => performance.now(),
    observe,
  });
  return { sequencer, [Symbol.asyncDispose]: () => db.destroy() };
}
