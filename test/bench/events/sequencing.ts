// The sequencer alone: sessions that are all there, and nobody else at work.
import { openSequencer } from "../../../src/process/event-sequencer.ts";
import type { Bench } from "../bench.ts";
import { createBenchDatabase } from "../servers/bench-database.ts";
import { storeSessions } from "../servers/stored-sessions.ts";

const sessions = 10_000;
const quickSessions = 200;

/** Events a second, by round. */
export async function measureSequencing({ options, server }: Bench): Promise<number[]> {
  await using started = new AsyncDisposableStack();
  const database = await createBenchDatabase(server);
  started.defer(() => database.drop());
  let published = 0;
  const warn = () => undefined;
  const { address } = database;
  const observe = (events: readonly unknown[]) => {
    published += events.length;
  };
  const { sequencer } = started.use(openSequencer({ address, warn }, observe));
  const { signal } = new AbortController();
  const count = options.isQuick ? quickSessions : sessions;
  const rates: number[] = [];
  for (let round = -options.warmUps; round < options.rounds; round += 1) {
    await storeSessions(database, { count, state: "completed", answers: "sample", sessionsPerPerson: 1 });
    const wanted = published + 4 * count;
    const from = performance.now();
    const before = published;
    while (published < wanted) await sequencer.run(signal);
    if (round >= 0) rates.push((1000 * (published - before)) / (performance.now() - from));
  }
  return rates;
}
