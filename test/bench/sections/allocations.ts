// What one whole assessment allocates, by whose code: a figure that a busy machine hardly changes.
import type { Bench, SectionResult } from "../bench.ts";
import type { TransportName } from "../load/orders.ts";
import { figure, ratio } from "../report/table.ts";
import { allocatedDuring } from "../servers/allocations.ts";
import { createBenchDatabase } from "../servers/bench-database.ts";
import { startService } from "../servers/service.ts";

const mostPackages = 12;

/** kB an assessment, by package. */
type Allocated = ReadonlyMap<string, number>;

/** Measures this version, and the one of `--old` if there is one, over REST and gRPC. */
export async function measureAllocations(bench: Bench): Promise<SectionResult> {
  const { options } = bench;
  const { transports } = options;
  const now = await allocatedBy(bench, transports, undefined);
  const before = options.old === undefined ? [] : await allocatedBy(bench, transports, options.old);
  const figures: Record<string, number> = {};
  const tables = transports.map((transport, index) => {
    const [own = new Map(), old] = [now[index], before[index]];
    const packages = [...own.keys()].sort((one, other) => (own.get(other) ?? 0) - (own.get(one) ?? 0));
    const row = (name: string, mine: number, theirs: number | undefined) =>
      old === undefined ? [name, figure(mine)] : [name, figure(mine), figure(theirs), ratio(mine / (theirs ?? 0))];
    const sums = { own: sumOf(own), old: old && sumOf(old) };
    figures[`allocations.${transport}.kB`] = sums.own;
    const rows = [
      row("all", sums.own, sums.old),
      ...packages.slice(0, mostPackages).map((name) => row(name, own.get(name) ?? 0, old?.get(name))),
    ];
    const head = old === undefined ? ["", "kB"] : ["", "kB", "old", "new / old"];
    return { title: `Allocated for one whole assessment over ${transport}`, head, rows };
  });
  return { tables, figures, rounds: { now: now.map(toObject), before: before.map(toObject) } };
}

async function allocatedBy(
  { options, server, load }: Bench,
  transports: readonly TransportName[],
  checkout: string | undefined,
): Promise<Allocated[]> {
  await using started = new AsyncDisposableStack();
  const database = await createBenchDatabase(server, checkout);
  started.defer(() => database.drop());
  const service = await startService(database, ["--inspect=127.0.0.1:0"], {}, checkout);
  started.defer(() => service.stop());
  const { clients, seconds, warmUps } = options;
  const all: Allocated[] = [];
  for (const transport of transports) {
    const run = () => load.ask({ kind: "whole", target: service.target(transport), clients, seconds });
    // Code that is compiled in the end allocates less.
    for (let turn = -warmUps; turn < 0; turn += 1) await run();
    const { result, bytes } = await allocatedDuring(service.inspectorUrl, run);
    all.push(new Map([...bytes].map(([name, total]) => [name, total / result.total / 1000])));
  }
  return all;
}

function sumOf(allocated: Allocated): number {
  return [...allocated.values()].reduce((sum, each) => sum + each, 0);
}

function toObject(allocated: Allocated): Record<string, number> {
  return Object.fromEntries(allocated);
}
