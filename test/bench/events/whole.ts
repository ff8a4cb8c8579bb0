// Whole assessments with events and without, in turns.
import { type Bench, inTurns, nodeOptionsOf } from "../bench.ts";
import { type BenchDatabase, createBenchDatabase } from "../servers/bench-database.ts";
import { startService } from "../servers/service.ts";

export interface WholeTurns {
  /** Assessments a second, by round. */
  readonly on: readonly number[];
  readonly off: readonly number[];
}

/** Each turn has a service of its own: what one has still to announce does not go on into the other's turn. */
export async function measureWholeTurns(bench: Bench): Promise<WholeTurns> {
  const { options, server, load } = bench;
  await using started = new AsyncDisposableStack();
  const create = async () => {
    const database = await createBenchDatabase(server);
    started.defer(() => database.drop());
    return database;
  };
  const databases = { on: await create(), off: await create() };
  await forgetEvents(databases.off);
  const run = (name: "on" | "off") => async () => {
    const environment = name === "off" ? { EVENT_INTERVAL_MS: "10000" } : {};
    const service = await startService(databases[name], nodeOptionsOf(options, `events-${name}`), environment);
    try {
      const { clients, seconds } = options;
      const { completed, seconds: took } = await load.ask({
        kind: "whole",
        target: service.target("rest"),
        clients,
        seconds,
      });
      return completed / took;
    } finally {
      await service.stop();
    }
  };
  return await inTurns({ on: run("on"), off: run("off") }, options);
}

/**
 * Sessions as they were before there were events: no write marks its row, and there is no index to find it by. The
 * columns stay, since the statements name them.
 */
async function forgetEvents({ connection }: BenchDatabase): Promise<void> {
  await connection.query("ALTER TABLE sessions MODIFY unpublished_since DATETIME(3) NULL");
  await connection.query("ALTER TABLE sessions DROP KEY sessions_unpublished");
}
