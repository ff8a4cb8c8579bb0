// What Vitess costs: whole assessments directly and through a vtgate, over the same MySQL server.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { provideVtcombo, startVtcombo } from "../../vitess/vtcombo.ts";
import { type Bench, inTurns, nodeOptionsOf, type SectionResult } from "../bench.ts";
import { median, medianRatio } from "../report/statistics.ts";
import { figure, ratio } from "../report/table.ts";
import { createBenchDatabase } from "../servers/bench-database.ts";
import { cpuSeconds, startedProcess } from "../servers/process-usage.ts";
import { type Service, startService } from "../servers/service.ts";

const ways = ["direct", "vitess"] as const;
type Way = (typeof ways)[number];
/** Whole assessments a second, and CPU µs of one assessment by process. */
const measures = ["rate", "service", "vtgate", "mysqld"] as const;
type Turn = Readonly<Record<(typeof measures)[number], number>>;

/** Measures both ways over REST. Each has a database and a service of its own; the server is one. */
export async function measureVitess({ options, server, load, say }: Bench): Promise<SectionResult> {
  if (server.kind !== "mysql97" || !("url" in server.address)) throw new Error("vitess needs --server mysql97");
  await using started = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "pas-bench-vitess-"));
  started.defer(() => rm(folder, { recursive: true }));
  const vtcombo = await startVtcombo(await provideVtcombo(say), new URL(server.address.url), folder);
  started.defer(() => vtcombo.stop());
  const services = {} as Record<Way, Service>;
  for (const way of ways) {
    const address = way === "direct" ? server.address : { url: vtcombo.url };
    const database = await createBenchDatabase({ ...server, address });
    started.defer(() => database.drop());
    services[way] = await startService(database, nodeOptionsOf(options, way));
    started.defer(() => services[way].stop());
  }
  const mysqld = startedProcess("mysqld");
  const { clients, seconds } = options;
  const turn = (way: Way) => async (): Promise<Turn> => {
    const { pid, target } = services[way];
    const usage = () => [pid, vtcombo.pid, mysqld].map(cpuSeconds);
    const before = usage();
    const report = await load.ask({ target: target("rest"), clients, seconds });
    const [service = 0, vtgate = 0, serverSeconds = 0] = usage().map(
      (after, index) => ((after - (before[index] ?? 0)) * 1e6) / report.total,
    );
    return { rate: report.completed / report.seconds, service, vtgate, mysqld: serverSeconds };
  };
  const rounds = await inTurns({ direct: turn("direct"), vitess: turn("vitess") }, options);
  const valuesOf = (way: Way, what: keyof Turn) => rounds[way].map((each) => each[what]);
  const compared = (what: keyof Turn) => medianRatio(valuesOf("vitess", what), valuesOf("direct", what));
  const rows = [
    ...ways.map((way) => [way, ...measures.map((what) => figure(median(valuesOf(way, what))))]),
    // Where nothing goes through vtgate it stands still.
    ["vitess / direct", ...measures.map((what) => ratio(what === "vtgate" ? undefined : compared(what)))],
  ];
  const head = ["", "a second", "service CPU µs", "vtgate and tablet CPU µs", "mysqld CPU µs"];
  const figures = {
    "vitess.rate": compared("rate"),
    "vitess.service": compared("service"),
    "vitess.mysqld": compared("mysqld"),
    "vitess.vtgate.cpu": median(valuesOf("vitess", "vtgate")),
  };
  return { tables: [{ title: `Whole assessments over REST, ${clients} clients`, head, rows }], figures, rounds };
}
