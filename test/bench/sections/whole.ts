// The whole assessment: create, record 152 answers, complete, read results; all transports against the references.
import { type Bench, inTurns, nodeOptionsOf, type SectionResult } from "../bench.ts";
import type { LoadReport, Order, Target } from "../load/orders.ts";
import type { ContenderName } from "../options.ts";
import { createLimitScript } from "../references/limit-script.ts";
import { recordScript, type Script } from "../references/script.ts";
import { median, medianRatio } from "../report/statistics.ts";
import { figure, ratio, type Table } from "../report/table.ts";
import { startBareServer } from "../servers/bare.ts";
import { createBenchDatabase } from "../servers/bench-database.ts";
import { cpuSeconds, machineTimes } from "../servers/process-usage.ts";
import { startService } from "../servers/service.ts";

/** One turn of a contender. */
interface Turn {
  /** Assessments a second. */
  readonly rate: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU µs of the serving process an assessment; NaN for floor and limit, which have none. */
  readonly cpu: number;
  /** CPU µs of the load process an assessment. */
  readonly loadCpu: number;
  /** Share of the machine's processors that was in use, by whomever, in percent. */
  readonly busy: number;
}

type Rounds = Partial<Record<ContenderName, Turn[]>>;

/** Measures the contenders of the options in turns. */
export async function measureWhole({ options, server, load }: Bench): Promise<SectionResult> {
  await using started = new AsyncDisposableStack();
  const database = await createBenchDatabase(server);
  started.defer(() => database.drop());
  const service = await startService(database, nodeOptionsOf(options, "service"));
  started.defer(() => service.stop());
  const rest = service.target("rest");
  const script = await recordScript(database.address, rest.token, database.sample);
  const limit = await createLimitScript(database.connection, database.sample);
  const bare = await startBareServer({
    database,
    service: rest,
    script,
    poolSize: options.connections,
    nodeOptions: nodeOptionsOf(options, "bare"),
  });
  started.defer(() => bare.stop());

  const { clients, seconds } = options;
  const through = (target: Target): Order => ({ kind: "whole", target, clients, seconds });
  const { address, sample } = database;
  const straight = (of: Script): Order => ({ kind: "floor", address, script: of, sample, clients, seconds });
  const contenders: Record<ContenderName, { order: Order; pid?: number }> = {
    rest: { order: through(rest), pid: service.pid },
    bare: { order: through(bare.target), pid: bare.pid },
    grpc: { order: through(service.target("grpc")), pid: service.pid },
    connect: { order: through(service.target("connect")), pid: service.pid },
    floor: { order: straight(script) },
    limit: { order: straight(limit) },
  };
  const turns = options.contenders.map((name) => {
    const { order, pid } = contenders[name];
    return [name, () => turn(() => load.ask(order), pid)] as const;
  });
  const rounds: Rounds = await inTurns(
    Object.fromEntries(turns) as Record<ContenderName, () => Promise<Turn>>,
    options,
  );
  return { tables: [tableOf(rounds, clients)], figures: figuresOf(rounds), rounds };
}

async function turn(run: () => Promise<LoadReport>, pid: number | undefined): Promise<Turn> {
  const usage = () => ({ cpu: pid === undefined ? Number.NaN : cpuSeconds(pid), ...machineTimes() });
  const before = usage();
  const { completed, total, seconds, p50Ms, p99Ms, loadCpuSeconds } = await run();
  const after = usage();
  const busy = after.busy - before.busy;
  return {
    rate: completed / seconds,
    p50Ms,
    p99Ms,
    cpu: ((after.cpu - before.cpu) * 1e6) / total,
    loadCpu: (loadCpuSeconds * 1e6) / total,
    busy: (100 * busy) / (busy + after.idle - before.idle),
  };
}

function tableOf(rounds: Rounds, clients: number): Table {
  const names = Object.keys(rounds) as ContenderName[];
  return {
    title: `Whole assessments, ${clients} clients`,
    head: [
      "",
      "a second",
      "p50 ms",
      "p99 ms",
      "CPU µs",
      "load's CPU µs",
      "machine %",
      "rate/bare",
      "rate/floor",
      "rate/limit",
      "CPU/bare",
    ],
    rows: names.map((name) => [
      name,
      ...(["rate", "p50Ms", "p99Ms", "cpu", "loadCpu", "busy"] as const).map((what) =>
        figure(middle(rounds, name, what)),
      ),
      ratio(compared(rounds, name, "bare", "rate")),
      ratio(compared(rounds, name, "floor", "rate")),
      ratio(compared(rounds, name, "limit", "rate")),
      ratio(compared(rounds, name, "bare", "cpu")),
    ]),
  };
}

function figuresOf(rounds: Rounds): Record<string, number> {
  const names = Object.keys(rounds) as ContenderName[];
  const absolute = names.flatMap((name) =>
    (["rate", "p50Ms", "p99Ms", "cpu"] as const).map((what) => [`whole.${name}.${what}`, middle(rounds, name, what)]),
  );
  const relative = names.flatMap((name) => [
    [`whole.${name}.rate/bare`, compared(rounds, name, "bare", "rate")],
    [`whole.${name}.rate/floor`, compared(rounds, name, "floor", "rate")],
    [`whole.${name}.rate/limit`, compared(rounds, name, "limit", "rate")],
    [`whole.${name}.rate/rest`, compared(rounds, name, "rest", "rate")],
    [`whole.${name}.cpu/bare`, compared(rounds, name, "bare", "cpu")],
  ]);
  const known = [...absolute, ...relative].filter(([, value]) => Number.isFinite(value));
  return Object.fromEntries(known) as Record<string, number>;
}

function middle(rounds: Rounds, name: ContenderName, what: keyof Turn): number {
  return median((rounds[name] ?? []).map((each) => each[what]));
}

function compared(rounds: Rounds, name: ContenderName, reference: ContenderName, what: keyof Turn): number {
  const valuesOf = (of: ContenderName) => (rounds[of] ?? []).map((each) => each[what]);
  return medianRatio(valuesOf(name), valuesOf(reference));
}
