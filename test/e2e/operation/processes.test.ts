// Several processes on one database behave as one service.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import type { RowDataPacket } from "mysql2/promise";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { ratings } from "../../../src/domain/sessions/session.ts";
import { createEmptyDatabase } from "../../support/databases/database.ts";
import { addCallerOf, openPartners } from "../../support/databases/partners.ts";
import type { TestDatabase } from "../../support/databases/servers/server.ts";
import { countOf } from "../../support/databases/stores.ts";
import { seriesOf, sumOf } from "../../support/measures/series.ts";
import { type Environment, pas, type RunningCommand, startPas } from "../../support/processes/command.ts";
import { listenOnLoopback } from "../../support/processes/loopback.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import type { Transport } from "../../support/transports/transports.ts";
import { answer, bodyOf } from "../cases/case.ts";

const processCount = 3;
const serving = /"http":"(http:[^"]+)".*"msg":"serving"/g;

let database: TestDatabase;
let environment: Environment;
let token: string;
let applied: string[][];
const processes: RunningCommand[] = [];
let transports: Transport[];

async function migrate(): Promise<string[]> {
  const { code, stdout, stderr } = await pas(["migrate"], environment);
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`);
  return JSON.parse(stdout).applied;
}

/** Starts the service and resolves with the address of its HTTP port. */
async function serve(): Promise<string> {
  const running = startPas(["serve"], environment);
  processes.push(running);
  const [, url = ""] = await running.wrote(new RegExp(serving, ""));
  return url;
}

beforeAll(async () => {
  database = await createEmptyDatabase();
  environment = { DATABASE_URL: database.url, HTTP_PORT: "0", GRPC_PORT: "0" };
  applied = await Promise.all(Array.from({ length: processCount }, migrate));
  const urls = await Promise.all(Array.from({ length: processCount }, serve));
  token = (await addCallerOf(urls[0] ?? "", database.address)).token;
  transports = urls.map((url) => restTransport(url));
});
afterAll(async () => {
  for (const running of processes) running.kill("SIGTERM");
  expect(await Promise.all(processes.map(({ ended }) => ended))).toEqual(processes.map(() => 0));
  await database.drop();
});

/** Calls in a wave: no more than one client has slots in a process, since a slow machine lets the others wait too long. */
const wave = 6;

/** Makes so many calls at once, over all processes in turn. */
function atOnce<T>(count: number, call: (transport: Transport, index: number) => Promise<T>): Promise<T[]> {
  const transportOf = (index: number) => transports[index % transports.length] as Transport;
  return Promise.all(Array.from({ length: count }, (_, index) => call(transportOf(index), index)));
}

test("an empty database that several processes migrate at once is migrated once", async () => {
  expect(applied.map((names) => names.length > 0).toSorted()).toEqual([false, false, true]);
  expect(await countOf(database.connection, "SELECT COUNT(*) FROM migrations")).toBe(applied.flat().length);
  expect(await countOf(database.connection, "SELECT COUNT(*) FROM assessments")).toBe(1);
});

test("creations with one key at several processes at once create one session", async () => {
  const externalId = crypto.randomUUID();
  const as = { token, idempotencyKey: crypto.randomUUID() };
  const created = await atOnce(12, (transport) => transport.createSession(as, { subject: { externalId } }));
  expect(new Set(created.map((outcome) => bodyOf(outcome).sessionId)).size).toBe(1);
  expect(created.filter(({ replayed }) => !replayed)).toHaveLength(1);
  const count = "SELECT COUNT(*) FROM sessions WHERE external_id = ?";
  expect(await countOf(database.connection, count, [Buffer.from(externalId)])).toBe(1);
});

test("answers to different questions, recorded at several processes at once, are all stored", async () => {
  const { sessionId, assessment } = bodyOf(await (transports[0] as Transport).createSession({ token }, {}));
  const ids = assessment?.questions.slice(0, 60).map(({ id }) => id) ?? [];
  const values = ids.map((_, index) => 1 + (index % 7));
  for (let first = 0; first < ids.length; first += wave) {
    const recorded = await atOnce(wave, (transport, index) =>
      transport.recordAnswers({ token }, sessionId, {
        answers: [answer(ids[first + index] ?? 0, values[first + index] ?? 0)],
      }),
    );
    expect(recorded.map((outcome) => bodyOf(outcome).recorded)).toEqual(recorded.map(() => 1));
  }
  const select = "SELECT answers FROM sessions WHERE id = UNHEX(?)";
  const [rows] = await database.connection.query<RowDataPacket[]>(select, [sessionId.replaceAll("-", "")]);
  expect(ratings.read(rows[0]?.answers).slice(0, 60)).toEqual(values);
});

test("one of several concurrent completions with different answers wins, and all processes return its results", async () => {
  // One session alone might see no race.
  for (let round = 0; round < 20; round += 1) await Promise.all([proveOneCompletionWins(), proveOneCompletionWins()]);
});

async function proveOneCompletionWins(): Promise<void> {
  const { sessionId } = bodyOf(await (transports[0] as Transport).createSession({ token }, {}));
  const completed = await atOnce(6, (transport, index) =>
    transport.completeSession({ token }, sessionId, { answers: [answer(1001, 1 + index)] }),
  );
  const winners = completed.filter((outcome) => outcome.ok);
  expect(winners).toHaveLength(1);
  const codes = completed.map((outcome) => (outcome.ok ? "ok" : outcome.code));
  expect(codes.toSorted()).toEqual(["ok", ...Array.from({ length: 5 }, () => "session_completed")]);
  const results = winners.map((outcome) => bodyOf(outcome).results);
  for (const transport of transports) {
    expect([bodyOf(await transport.getSessionResults({ token }, sessionId)).results]).toEqual(results);
  }
}

describe("serving with --workers", () => {
  test("--workers serves on one port by several processes, replaces one that dies, and stops them all cleanly", async () => {
    const running = startPas(["serve", "--workers", String(processCount)], { ...environment, METRICS_PORT: "0" });
    onTestFinished(() => running.kill("SIGKILL"));
    const urls = () => [...running.output().stdout.matchAll(serving)].map(([, url]) => url);
    await expect.poll(() => urls().length).toBe(processCount);
    expect(new Set(urls()).size).toBe(1);
    const transport = restTransport(urls()[0] ?? "");
    const before = workersOf(running);
    expect(before).toHaveLength(processCount);
    process.kill(before[0] ?? 0, "SIGKILL");
    await expect.poll(() => urls().length).toBe(processCount + 1);
    for (let start = 0; start < 36; start += wave) {
      const created = await Promise.all(Array.from({ length: wave }, () => transport.createSession({ token }, {})));
      expect(created.map(({ ok }) => ok)).toEqual(created.map(() => true));
    }
    const workers = workersOf(running);
    expect(workers).toHaveLength(processCount);
    running.kill("SIGTERM");
    expect(await running.ended).toBe(0);
    for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });
});

test.each([
  ["a process that delivers", ["--role", "deliver"]],
  ["workers", ["--workers", "2"]],
])("%s whose port is in use ends, and says why", async (_name, args) => {
  const holder = createServer();
  onTestFinished(() => void holder.close());
  const port = await listenOnLoopback(holder);
  const variables = {
    ...environment,
    HTTP_PORT: String(port),
    METRICS_PORT: "0",
    WEBHOOK_KEY: randomBytes(32).toString("base64"),
  };
  const { code, stderr } = await pas(["serve", ...args], variables);
  expect(code).toBe(1);
  expect(stderr).toContain(`pas: 127.0.0.1:${port} is taken already; stop what listens there`);
});

describe("metrics of --workers", () => {
  const environmentOfOne = () => ({ ...environment, METRICS_PORT: "0", MAX_CONCURRENT_CALLS: "64" });

  /** Starts workers and resolves when all of them serve. */
  async function serveWorkers(
    args: readonly string[] = [],
    overrides: Environment = {},
  ): Promise<{ running: RunningCommand; url: string; metricsUrl: string }> {
    const running = startPas(["serve", "--workers", "2", ...args], { ...environmentOfOne(), ...overrides });
    onTestFinished(async () => {
      running.kill("SIGTERM");
      expect(await running.ended).toBe(0);
    });
    const [, metricsUrl = ""] = await running.wrote(/"metrics":"(http:[^"]+)"/);
    const urls = () => [...running.output().stdout.matchAll(serving)].map(([, url]) => url);
    await expect.poll(() => urls().length).toBe(2);
    return { running, url: urls()[0] ?? "", metricsUrl };
  }

  const created = ['rpc="SessionService/CreateSession"', 'outcome="ok"'];
  /** Each with a connection of its own, so that every worker gets some of them. */
  const createMany = async (url: string, count: number) => {
    const post = () =>
      fetch(`${url}/v1/values-bridge/sessions`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json", connection: "close" },
        body: "{}",
      });
    for (let remaining = count; remaining > 0; remaining -= wave) {
      const posts = Array.from({ length: Math.min(wave, remaining) }, async () => (await post()).status);
      const statuses = await Promise.all(posts);
      expect(statuses).toEqual(statuses.map(() => 201));
    }
  };

  test("metrics have the series of each worker, on a port of their own, and go on when a worker dies", async () => {
    const { running, url, metricsUrl } = await serveWorkers();
    const counted = (...labels: string[]) => sumOf(metricsUrl, "pas_calls_seconds_count", ...created, ...labels);
    await createMany(url, 40);
    expect(await Promise.all(Array.from({ length: 5 }, () => counted()))).toEqual([40, 40, 40, 40, 40]);
    const own = await fetch(`${url}/metrics`);
    expect([own.status, await own.json()]).toMatchObject([404, { detail: expect.stringContaining("METRICS_PORT") }]);
    expect([...(await seriesOf(metricsUrl, "pas_build_info")).values()]).toEqual([1, 1]);
    const byWorker = await Promise.all([1, 2].map((worker) => counted(`worker="${worker}"`)));
    process.kill(workersOf(running)[0] ?? 0, "SIGKILL");
    await expect.poll(() => [...running.output().stdout.matchAll(serving)].length).toBe(3);
    const kept = await counted();
    expect(byWorker).toContain(kept);
    await createMany(url, 20);
    expect(await counted()).toBe(kept + 20);
    expect(await counted('worker="3"')).toBeGreaterThan(0);
    const lines = running.output().stdout.split("\n").slice(0, -1);
    const workers = new Set(lines.map((line) => JSON.parse(line).worker));
    expect(workers).toEqual(new Set([undefined, 1, 2, 3]));
  });

  test("metrics are refused in words, and served again, when a worker does not answer in time", async () => {
    const { running, metricsUrl } = await serveWorkers();
    const [frozen = 0] = workersOf(running);
    process.kill(frozen, "SIGSTOP");
    const refusal = await Promise.all([fetch(`${metricsUrl}/metrics`), fetch(`${metricsUrl}/metrics`)]);
    process.kill(frozen, "SIGCONT");
    expect(refusal.map(({ status }) => status)).toEqual([503, 503]);
    expect(await refusal[0]?.json()).toMatchObject({ detail: expect.stringContaining("worker") });
    await expect.poll(async () => (await fetch(`${metricsUrl}/metrics`)).status).toBe(200);
  });

  test("metrics of separate gateways count every request and every call once", async () => {
    const partners = openPartners(database.address);
    onTestFinished(() => partners.close());
    const client = await partners.addClient(await partners.addPartner({ internal: true }), ["gateway"]);
    const [, grpcPort = ""] = (await processes[0]?.wrote(/"grpcPort":(\d+)/)) ?? [];
    const { url, metricsUrl } = await serveWorkers(["--role", "gateway", "--core", `http://127.0.0.1:${grpcPort}`], {
      GATEWAY_CLIENT_ID: client.clientId,
      GATEWAY_CLIENT_SECRET: client.clientSecret,
    });
    await createMany(url, 40);
    const requests = ['route="/v1/:product/sessions"', 'status="201"'];
    expect(await sumOf(metricsUrl, "pas_http_requests_seconds_count", ...requests)).toBe(40);
    expect(await sumOf(metricsUrl, "pas_calls_seconds_count", ...created)).toBe(40);
  });
});

function workersOf({ pid }: RunningCommand): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children
    .split(" ")
    .filter((text) => text !== "")
    .map(Number);
}
