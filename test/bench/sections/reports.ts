// Reports: what each format costs, whether memory stays, and what many PDFs at once do to other calls.

import { startOptions, startVariables } from "../../support/processes/command.ts";
import type { AssessmentBody } from "../../support/transports/transports.ts";
import { type Bench, nodeOptionsOf, type SectionResult } from "../bench.ts";
import { median, medianRatio, percentile } from "../report/statistics.ts";
import { figure, type Table } from "../report/table.ts";
import type { AskOrder, Statuses } from "../reports/asking.ts";
import type { ReportCostOrder, ReportCosts } from "../reports/costs.ts";
import { createBenchDatabase } from "../servers/bench-database.ts";
import { Child } from "../servers/child.ts";
import { startService } from "../servers/service.ts";

/** PDFs that are asked for at once. */
const burst = 50;
const windowMs = 3_000;
const otherClients = 4;
const path = "/v1/values-bridge/sessions";
/** Every round asks for other documents, so that none is kept already. */
const variants = ["paper=a4", "paper=letter", "paper=a4&locale=de", "paper=letter&locale=de", "paper=a4&locale=ar-XB"];

interface Window {
  /** Milliseconds of each other call. */
  readonly latencies: readonly number[];
  /** Of the PDFs. */
  readonly statuses: Statuses;
}

/** Measures reports within a process, then beside other calls. */
export async function measureReports(bench: Bench): Promise<SectionResult> {
  const made = await measureCosts(bench);
  const { calm, busy } = await measureBursts(bench);
  const p99 = (windows: readonly Window[]) => windows.map(({ latencies }) => percentile(latencies, 0.99));
  const [first = 0, , last = 0] = made.resident;
  const costs = Object.entries(made.costs).map(([name, rounds]): [string, number] => [name, median(rounds) / 1000]);
  const figures = {
    ...Object.fromEntries(costs.map(([name, ms]) => [`reports.${name}.ms`, ms])),
    "reports.memory.last/first": last / first,
    "reports.burst.p99": medianRatio(p99(busy), p99(calm)),
  };
  return { tables: [costTable(costs, made.resident), burstTable(calm, busy)], figures, rounds: { made, calm, busy } };
}

async function measureCosts({ options }: Bench): Promise<ReportCosts> {
  const nodeOptions = [...startOptions(), ...nodeOptionsOf(options, "reports")];
  const child = new Child<ReportCostOrder, ReportCosts>("test/bench/reports/costs.ts", nodeOptions, startVariables());
  try {
    const { rounds, isQuick } = options;
    return await child.ask({ rounds, calls: isQuick ? 2 : 40, pdfs: isQuick ? 5 : 333 });
  } finally {
    await child.stop();
  }
}

async function measureBursts({ options, server }: Bench): Promise<{ calm: Window[]; busy: Window[] }> {
  await using started = new AsyncDisposableStack();
  const database = await createBenchDatabase(server);
  started.defer(() => database.drop());
  const service = await startService(database);
  started.defer(() => service.stop());
  const { port, token } = service.target("rest");
  const send = (route: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${route}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, ...init.headers },
    });

  const sessions = await storeSessions(send);
  const [some = ""] = sessions;
  const asking = new Child<AskOrder, Statuses>("test/bench/reports/asking.ts", []);
  started.defer(() => asking.stop());
  const window = async (pdfs: readonly string[]): Promise<Window> => {
    const asked = asking.ask({ urls: pdfs.map((route) => `http://127.0.0.1:${port}${route}`), token });
    const latencies: number[] = [];
    const until = performance.now() + (options.isQuick ? windowMs / 10 : windowMs);
    const call = async () => {
      while (performance.now() < until) {
        const from = performance.now();
        await (await send(`${path}/${some}`)).arrayBuffer();
        latencies.push(performance.now() - from);
      }
    };
    const [statuses] = await Promise.all([asked, ...Array.from({ length: otherClients }, call)]);
    return { latencies, statuses };
  };
  await window([`${path}/${some}/report?format=png`]);
  const calm: Window[] = [];
  const busy: Window[] = [];
  for (const variant of variants.slice(0, options.rounds)) {
    calm.push(await window([]));
    busy.push(await window(sessions.map((id) => `${path}/${id}/report?format=pdf&${variant}`)));
  }
  return { calm, busy };
}

/** Scored sessions with answers of their own. */
async function storeSessions(send: (route: string, init?: RequestInit) => Promise<Response>): Promise<string[]> {
  const post = async <T>(route: string, body: unknown): Promise<T> => {
    const headers = { "content-type": "application/json" };
    const response = await send(route, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${route} was answered ${response.status}`);
    return (await response.json()) as T;
  };
  const ids: string[] = [];
  for (let person = 0; person < burst; person += 1) {
    const { sessionId, assessment } = await post<{ sessionId: string; assessment: AssessmentBody }>(path, {});
    const answers = assessment.questions.map(({ id }, index) => ({
      questionId: id,
      response: { type: "likert", value: 1 + ((index * 5 + Math.trunc(index / (7 + person))) % 7) },
    }));
    await post(`${path}/${sessionId}/complete`, { answers });
    ids.push(sessionId);
  }
  return ids;
}

function costTable(costs: readonly (readonly [string, number])[], resident: readonly number[]): Table {
  const memory = resident.map((bytes, third) => [`memory after PDFs, part ${third + 1}, MB`, figure(bytes / 1e6)]);
  const rows = [...costs.map(([name, ms]) => [`${name}, CPU ms`, figure(ms)]), ...memory];
  return { title: "Reports", head: ["", "measured"], rows };
}

function burstTable(calm: readonly Window[], busy: readonly Window[]): Table {
  const p99 = (window: Window | undefined) => figure(percentile(window?.latencies ?? [], 0.99));
  const rows = busy.map((each, round) => [
    `round ${round + 1}`,
    p99(calm[round]),
    p99(each),
    Object.entries(each.statuses)
      .map(([status, count]) => `${count} × ${status}`)
      .join(", "),
  ]);
  return { title: `${burst} PDFs at once`, head: ["", "p99 without, ms", "p99 with, ms", "answered"], rows };
}
