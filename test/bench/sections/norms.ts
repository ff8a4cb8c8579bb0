// What computing norms takes from completing: the same service with runs beside it all the time and without them, in turns.
import { setTimeout } from "node:timers/promises";
import { openDatabase } from "../../../src/database/database.ts";
import { encodeResults } from "../../../src/products/values-bridge/messages/results.ts";
import { NormRuns } from "../../../src/services/norms/run.ts";
import { createStores } from "../../../src/store/stores.ts";
import { testDomain } from "../../support/domain.ts";
import vectorFile from "../../vectors/quality-and-error-v2.json" with { type: "json" };
import { type Bench, inTurns, nodeOptionsOf, type SectionResult } from "../bench.ts";
import type { LoadReport } from "../load/orders.ts";
import { median, medianRatio } from "../report/statistics.ts";
import { figure, ratio } from "../report/table.ts";
import { type BenchDatabase, createBenchDatabase } from "../servers/bench-database.ts";
import { startService } from "../servers/service.ts";
import { runOperation, storeStanding } from "./operation-turns.ts";

const standingSessions = 100;

/** Measures completing, while a run over all that is stored follows upon the other, and while there is none. */
export async function measureNorms(bench: Bench): Promise<SectionResult> {
  const { options, server } = bench;
  await using started = new AsyncDisposableStack();
  const made = await createBenchDatabase(server);
  started.defer(() => made.drop());
  const database = { ...made, sample: attentiveSample(made) };
  const standing = await storeStanding(database, standingSessions);
  let sessions = 0;
  const run = (name: string, isBeside: boolean) => async () => {
    const service = await startService(database, nodeOptionsOf(options, name), { NORMS_HOUR: "-1" });
    const end = new AbortController();
    const beside = isBeside ? runAgainAndAgain(database, end.signal) : Promise.resolve(0);
    try {
      return await runOperation(bench, {
        database,
        target: service.target("rest"),
        operation: "complete",
        standing,
        clients: options.clients,
        isChecked: true,
      });
    } finally {
      end.abort();
      sessions += await beside;
      await service.stop();
    }
  };
  const rounds = await inTurns({ on: run("norms-on", true), off: run("norms-off", false) }, options);
  const rates = (name: "on" | "off") => rounds[name].map(({ completed, seconds }: LoadReport) => completed / seconds);
  const share = medianRatio(rates("on"), rates("off"));
  return {
    tables: [
      {
        title: `Completing beside runs of norms and without, ${options.clients} clients; runs read ${sessions} sessions`,
        head: ["", "a second", "p99 ms"],
        rows: [
          ...(["on", "off"] as const).map((name) => [
            name,
            figure(median(rates(name))),
            figure(median(rounds[name].map(({ p99Ms }) => p99Ms))),
          ]),
          ["on / off", ratio(share), ""],
        ],
      },
    ],
    figures: { "norms.complete.on/off": share },
    rounds,
  };
}

/** The answers of an attentive person: those of the load's own sample would not count. */
function attentiveSample({ assessment }: BenchDatabase): BenchDatabase["sample"] {
  const input = vectorFile.vectors.find(({ id }) => id === "P04")?.input as { answers: number[] } | undefined;
  const ratings = input?.answers ?? [];
  const answers = assessment.questions.map(({ id }, index) => ({ questionId: id, value: ratings[index] ?? 1 }));
  const results = assessment.scorer.score(ratings);
  const storedResults = Buffer.from(encodeResults(results)).toString("hex");
  return { product: assessment.product, answers, results, storedResults };
}

/** How many sessions the runs read until the signal aborts. */
async function runAgainAndAgain({ address }: BenchDatabase, signal: AbortSignal): Promise<number> {
  const db = openDatabase({ address, poolSize: 2, warn: () => undefined });
  let read = 0;
  try {
    const pause = (ms: number, of: AbortSignal) => setTimeout(ms, undefined, { signal: of });
    const domain = testDomain(createStores(db));
    const listSessions: typeof domain.norms.listSessions = async (...of) => {
      const sessions = await domain.norms.listSessions(...of);
      read += sessions.length;
      return sessions;
    };
    const runs = new NormRuns({ ...domain, norms: { ...domain.norms, listSessions }, pause });
    while (!signal.aborted) await runs.compute(new Date(), signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await db.destroy();
  }
  return read;
}
