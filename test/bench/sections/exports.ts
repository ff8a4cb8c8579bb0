// Exports: how long all sessions of a partner take over REST, what the other transports notice of it, and how long a
// page holds the event loop.
import { LoopHolds } from "../../support/measures/loop-holds.ts";
import { type Bench, inTurns, nodeOptionsOf, type SectionResult } from "../bench.ts";
import type { LoadReport } from "../load/orders.ts";
import { median, medianRatio } from "../report/statistics.ts";
import { figure, ratio } from "../report/table.ts";
import { createBenchDatabase } from "../servers/bench-database.ts";
import { cpuSeconds } from "../servers/process-usage.ts";
import { type Service, startService } from "../servers/service.ts";
import { storeSessions } from "../servers/stored-sessions.ts";
import { runOperation, storeStanding } from "./operation-turns.ts";

const standingSessions = 2_000;
/** What callers do beside the export: few enough that there is time left on two processors. */
const clients = 4;
const operations = ["status", "results"] as const;

interface Exported {
  readonly sessions: number;
  readonly seconds: number;
  readonly bytes: number;
}

/** Exports the largest size alone, then again and again beside callers of two operations, in turns with none. */
export async function measureExports(bench: Bench): Promise<SectionResult> {
  const { options, server, say } = bench;
  await using started = new AsyncDisposableStack();
  const database = await createBenchDatabase(server);
  started.defer(() => database.drop());
  const size = options.sizes.at(-1) ?? 0;
  say(`  storing ${size.toLocaleString("en")} sessions`);
  await storeSessions(database, { count: size, state: "completed", answers: "varied", sessionsPerPerson: 2 });
  const standing = await storeStanding(database, standingSessions);
  const holds = await LoopHolds.prepare();
  started.defer(() => holds.end());
  const { LOOP_WATCH_SOCKET: socket = "", NODE_OPTIONS: watched = "" } = holds.watchAnother();
  const service = await startService(database, [watched, ...nodeOptionsOf(options, "exports")], {
    LOOP_WATCH_SOCKET: socket,
  });
  started.defer(() => service.stop());
  await exportAll(service, AbortSignal.timeout(60_000));
  await holds.longestMs();
  say("  exporting all of them");
  const cpuBefore = cpuSeconds(service.pid);
  const alone = await exportAll(service, new AbortController().signal);
  const cpuMicroseconds = ((cpuSeconds(service.pid) - cpuBefore) * 1_000_000) / alone.sessions;
  const holdMs = await holds.longestMs();

  const turn = (operation: (typeof operations)[number]) => () =>
    runOperation(bench, {
      database,
      target: service.target("rest"),
      operation,
      standing,
      clients,
      isChecked: true,
    });
  const beside = (operation: (typeof operations)[number]) => async () => {
    const ending = new AbortController();
    const exporting = exportOn(service, ending.signal);
    const report = await turn(operation)();
    ending.abort();
    await exporting;
    return report;
  };
  const rows = [];
  for (const operation of operations) {
    const turns = await inTurns({ with: beside(operation), without: turn(operation) }, options);
    rows.push({ operation, turns, p99: medianRatio(turns.with.map(p99Of), turns.without.map(p99Of)) });
  }
  const perMillion = (alone.seconds / alone.sessions) * 1_000_000;
  return {
    tables: [
      {
        title: "An export of all sessions as NDJSON, one reader",
        head: ["sessions", "seconds", "a second", "s a million", "CPU µs", "bytes a session", "longest hold, ms"],
        rows: [
          [
            alone.sessions.toLocaleString("en"),
            figure(alone.seconds),
            figure(alone.sessions / alone.seconds),
            figure(perMillion),
            figure(cpuMicroseconds),
            figure(alone.bytes / alone.sessions),
            figure(holdMs),
          ],
        ],
      },
      {
        title: `Beside it, REST, ${clients} clients, p99 in ms`,
        head: ["", "with", "without", "with / without"],
        rows: rows.map(({ operation, turns, p99 }) => [
          operation,
          figure(median(turns.with.map(p99Of))),
          figure(median(turns.without.map(p99Of))),
          ratio(p99),
        ]),
      },
    ],
    figures: {
      "exports.secondsPerMillion": perMillion,
      "exports.µs": cpuMicroseconds,
      "exports.holdMs": holdMs,
      "exports.worst.p99": Math.max(...rows.map(({ p99 }) => p99)),
    },
    rounds: { alone, cpuMicroseconds, holdMs, rows },
  };
}

function p99Of({ p99Ms }: LoadReport): number {
  return p99Ms;
}

/** Exports again and again until the signal aborts. */
async function exportOn(service: Service, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await exportAll(service, signal);
}

/** Reads one response after the other until the end, or until the signal aborts. */
async function exportAll(service: Service, signal: AbortSignal): Promise<Exported> {
  const { port, token } = service.target("rest");
  const from = performance.now();
  let [sessions, bytes] = [0, 0];
  for (let after = ""; !signal.aborted; ) {
    const query = after === "" ? "" : `?after=${after}`;
    const response = await fetch(`http://127.0.0.1:${port}/v1/values-bridge/exports/sessions${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (response.status !== 200 || response.body === null) throw new Error(`an export gave ${response.status}`);
    const read = await readLines(response.body);
    sessions += read.lines - 1;
    bytes += read.bytes;
    const { nextCursor, atEnd } = JSON.parse(read.last);
    if (atEnd) break;
    after = nextCursor;
  }
  return { sessions, bytes, seconds: (performance.now() - from) / 1_000 };
}

/** Counts the lines of a body without keeping more than the last one. */
async function readLines(body: ReadableStream<Uint8Array>) {
  let [lines, bytes] = [0, 0];
  let last = Buffer.alloc(0);
  for await (const chunk of body) {
    bytes += chunk.length;
    const text = Buffer.concat([last, chunk]);
    let begin = 0;
    for (let end = text.indexOf(10, begin); end >= 0; end = text.indexOf(10, begin)) {
      lines += 1;
      if (end === text.length - 1) break;
      begin = end + 1;
    }
    last = text.subarray(begin);
  }
  return { lines, bytes, last: last.toString() };
}
