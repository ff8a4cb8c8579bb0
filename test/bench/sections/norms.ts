// What counting for norms takes from completing: the same service with and without it, in turns.
import { encodeResults } from "../../../src/products/values-bridge/messages/results.ts";
import vectorFile from "../../vectors/quality-and-error-v2.json" with { type: "json" };
import { type Bench, inTurns, nodeOptionsOf, type SectionResult } from "../bench.ts";
import type { LoadReport } from "../load/orders.ts";
import { median, medianRatio } from "../report/statistics.ts";
import { figure, ratio } from "../report/table.ts";
import { type BenchDatabase, createBenchDatabase } from "../servers/bench-database.ts";
import { startService } from "../servers/service.ts";
import { runOperation, storeStanding } from "./operation-turns.ts";

const standingSessions = 100;

/** Measures completing, while all that is completed is counted every second, and while nothing is. */
export async function measureNorms(bench: Bench): Promise<SectionResult> {
  const { options, server } = bench;
  await using started = new AsyncDisposableStack();
  const made = await createBenchDatabase(server);
  started.defer(() => made.drop());
  const database = { ...made, sample: attentiveSample(made) };
  const standing = await storeStanding(database, standingSessions);
  // A service of its own for each turn: what one has still to count would go on into the other's turn.
  const run = (name: string, seconds: string) => async () => {
    const environment = { NORMS_INTERVAL_SECONDS: seconds };
    const service = await startService(database, nodeOptionsOf(options, name), environment);
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
      await service.stop();
    }
  };
  const rounds = await inTurns({ on: run("norms-on", "1"), off: run("norms-off", "0") }, options);
  const rates = (name: "on" | "off") => rounds[name].map(({ completed, seconds }: LoadReport) => completed / seconds);
  const share = medianRatio(rates("on"), rates("off"));
  const counted = await countedSessions(database);
  return {
    tables: [
      {
        title: `Completing with and without counting for norms, ${options.clients} clients; ${counted} were counted`,
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

async function countedSessions({ connection }: BenchDatabase): Promise<number> {
  const [rows] = await connection.query("SELECT COUNT(*) AS counted FROM norm_contributions WHERE set_id IS NOT NULL");
  return (rows as { counted: number }[])[0]?.counted ?? 0;
}
