// What one partner's expensive calls cost another one: the p95 of its calls beside a flood of each rpc, over that alone.
import { fetchToken } from "../../support/databases/partners.ts";
import { neighbourhood, openNeighbours } from "../../support/worst/neighbours.ts";
import { expensiveCalls } from "../../support/worst/partner-calls.ts";
import { type Bench, inTurns, type SectionResult } from "../bench.ts";
import { median, medianRatio, percentile } from "../report/statistics.ts";
import { figure, ratio } from "../report/table.ts";
import { createBenchDatabase } from "../servers/bench-database.ts";
import { startService } from "../servers/service.ts";

/** Of five calls each. */
const timesATurn = 10;
/** What each partner is promised: half of the connections, and of all calls. */
const limits = { MAX_CONCURRENT_CALLS: "32", MAX_CONCURRENT_CALLS_PER_CLIENT: "8" };

/** Measures the calls of a partner alone and beside the flood, in turns, rpc after rpc. */
export async function measureNeighbours({ options, server, say }: Bench): Promise<SectionResult> {
  await using servers = new AsyncDisposableStack();
  const database = await createBenchDatabase(server);
  servers.defer(() => database.drop());
  const service = await startService(database, [], { ...neighbourhood, ...limits });
  servers.defer(() => service.stop());
  const httpUrl = `http://127.0.0.1:${service.target("rest").port}`;
  const tokenOf = (credentials: typeof database.credentials) => fetchToken(httpUrl, credentials);
  const neighbours = await openNeighbours(httpUrl, database.address, tokenOf);
  servers.defer(() => neighbours.stop());
  const p95Of = async (name?: string) => percentile((await neighbours.work(timesATurn, name)).took, 0.95);
  await p95Of();
  const rows = [];
  const names = Object.keys(expensiveCalls);
  for (const name of options.isQuick ? names.slice(0, 2) : names) {
    say(`  ${name}`);
    const { beside, alone } = await inTurns({ alone: () => p95Of(), beside: () => p95Of(name) }, options);
    rows.push({ name, beside, alone, ratio: medianRatio(beside, alone) });
  }
  return {
    tables: [
      {
        title: "p95 of another partner's calls beside five clients of one, in ms",
        head: ["the flood", "beside it", "alone", "ratio"],
        rows: rows.map((row) => [row.name, figure(median(row.beside)), figure(median(row.alone)), ratio(row.ratio)]),
      },
    ],
    figures: { "neighbours.worst.p95": Math.max(...rows.map((row) => row.ratio)) },
    rounds: rows,
  };
}
