// Growth: what every operation takes when few sessions are stored, and when many are; and what each takes on disk.
import { type Bench, inTurns, type SectionResult } from "../bench.ts";
import { type LoadReport, type OperationName, operationNames } from "../load/orders.ts";
import { median, medianRatio } from "../report/statistics.ts";
import { figure, ratio, type Table } from "../report/table.ts";
import { type BenchDatabase, createBenchDatabase } from "../servers/bench-database.ts";
import { requireRoom } from "../servers/disk-room.ts";
import { type Service, startService } from "../servers/service.ts";
import { type DiskUse, diskUse, keepSize, type StoredSubjects, storeSessions } from "../servers/stored-sessions.ts";
import { runOperation } from "./operation-turns.ts";

const openSessions = 2_000;
const progressStep = 500_000;
const hourMs = 3_600_000;

interface Grown {
  readonly size: number;
  readonly database: BenchDatabase;
  readonly standing: { readonly open: StoredSubjects; readonly completed: StoredSubjects };
  readonly disk: DiskUse;
  /** Removes what a turn has added. */
  readonly restore: () => Promise<void>;
}

type Rounds = Record<OperationName, Record<string, LoadReport[]>>;

/** Measures all sizes in turns: each has a database and a service process of its own. */
export async function measureGrowth(bench: Bench): Promise<SectionResult> {
  const { options } = bench;
  await requireRoom(
    bench,
    options.sizes.reduce((sum, size) => sum + size),
  );
  await using started = new AsyncDisposableStack();
  const grown: Grown[] = [];
  for (const size of options.sizes) grown.push(await grow(bench, size, started));
  const stages: (Grown & { readonly service: Service })[] = [];
  // Only now: a token lasts for an hour, and storing the last size may take longer.
  for (const stage of grown) stages.push({ ...stage, service: await serve(stage, started) });
  const rounds = {} as Rounds;
  for (const operation of operationNames) {
    bench.say(`  ${operation}`);
    const turns = stages.map(({ size, database, service, standing, restore }) => {
      const clients = options.latencyClients;
      const turn = { database, target: service.target("rest"), operation, standing, clients };
      return [size, () => runOperation(bench, turn).finally(restore)] as const;
    });
    rounds[operation] = await inTurns(Object.fromEntries(turns), options);
  }
  const p99Ratios = ratiosOf(rounds, options.sizes);
  const last = stages.at(-1);
  return {
    tables: [latencyTable(rounds, options.sizes, p99Ratios, options.latencyClients), diskTable(stages)],
    figures: {
      "growth.worst.p99": Math.max(...Object.values(p99Ratios)),
      "growth.bytesPerSession": last === undefined ? Number.NaN : bytesPerSession(last.disk),
    },
    rounds: { rounds, disk: stages.map(({ size, disk }) => ({ size, ...disk })) },
  };
}

async function grow({ server, say }: Bench, size: number, started: AsyncDisposableStack): Promise<Grown> {
  const began = performance.now();
  const database = await createBenchDatabase(server);
  started.defer(() => database.drop());
  const completed = await storeSessions(database, {
    count: size,
    state: "completed",
    answers: "varied",
    sessionsPerPerson: 2,
    isSettled: true,
    onStored(count) {
      if (count % progressStep === 0) say(`  ${count.toLocaleString("en")} of ${size.toLocaleString("en")} stored`);
    },
  });
  const disk = await diskUse(database);
  const seconds = Math.round((performance.now() - began) / 1000);
  say(`  ${size.toLocaleString("en")} sessions stored in ${seconds} s`);
  const kind = { count: openSessions, state: "open", answers: "sample", sessionsPerPerson: 1 } as const;
  const open = await storeSessions(database, { ...kind, from: Date.now() - 2 * hourMs });
  const restore = await keepSize(database);
  return { size, database, standing: { open, completed }, disk, restore };
}

async function serve({ database }: Grown, started: AsyncDisposableStack): Promise<Service> {
  const service = await startService(database);
  started.defer(() => service.stop());
  return service;
}

function bytesPerSession({ sessions, dataBytes, indexBytes }: DiskUse): number {
  return (dataBytes + indexBytes) / sessions;
}

/** The p99 at the greatest size over that at the smallest, by operation. */
function ratiosOf(rounds: Rounds, sizes: readonly number[]): Record<OperationName, number> {
  const p99s = (operation: OperationName, size: number | undefined) =>
    (rounds[operation][String(size)] ?? []).map(({ p99Ms }) => p99Ms);
  const pairs = operationNames.map((name) => [name, medianRatio(p99s(name, sizes.at(-1)), p99s(name, sizes[0]))]);
  return Object.fromEntries(pairs) as Record<OperationName, number>;
}

function latencyTable(
  rounds: Rounds,
  sizes: readonly number[],
  p99Ratios: Record<OperationName, number>,
  clients: number,
): Table {
  const cells = (operation: OperationName, size: number) => {
    const reports = rounds[operation][String(size)] ?? [];
    return [figure(median(reports.map(({ p50Ms }) => p50Ms))), figure(median(reports.map(({ p99Ms }) => p99Ms)))];
  };
  return {
    title: `Latency in ms by stored sessions, REST, ${clients} clients, sessions chosen at random`,
    head: ["", ...sizes.flatMap((size) => [`${short(size)} p50`, `${short(size)} p99`]), "p99 last/first"],
    rows: operationNames.map((name) => [name, ...sizes.flatMap((size) => cells(name, size)), ratio(p99Ratios[name])]),
  };
}

function diskTable(stages: readonly Grown[]): Table {
  return {
    title: "Bytes a completed session on disk",
    head: ["sessions", "row", "indexes", "both", "GB"],
    rows: stages.map(({ size, disk }) => [
      size.toLocaleString("en"),
      figure(disk.dataBytes / disk.sessions),
      figure(disk.indexBytes / disk.sessions),
      figure(bytesPerSession(disk)),
      figure((disk.dataBytes + disk.indexBytes) / 1e9),
    ]),
  };
}

function short(size: number): string {
  return size.toLocaleString("en", { notation: "compact" });
}
