// A release reaches all processes one after the other, behind HAProxy as deploy/ configures it, and no call fails.
import { afterAll, expect, test } from "vitest";
import { createEmptyDatabase } from "../support/databases/database.ts";
import { addCallerOf } from "../support/databases/partners.ts";
import { folderOfFile } from "../support/folders.ts";
import { sumOf } from "../support/measures/series.ts";
import { pas, type RunningCommand, startPas } from "../support/processes/command.ts";
import { freePort } from "../support/processes/free-port.ts";
import { restTransport } from "../support/transports/rest-transport.ts";
import { grpcTransport } from "../support/transports/rpc-transport.ts";
import type { Transport } from "../support/transports/transports.ts";
import { until } from "../support/until.ts";
import { type Ports, startHaproxy } from "./support/haproxy.ts";

interface Process {
  readonly ports: Ports;
  running: RunningCommand;
}

const callersOfEachTransport = 4;

const folder = folderOfFile();
const database = await createEmptyDatabase();
const environment = (ports: Ports) => ({
  DATABASE_URL: database.url,
  HTTP_PORT: String(ports.http),
  GRPC_PORT: String(ports.grpc),
  RATE_LIMIT_PER_MINUTE: "0",
  TRUSTED_PROXIES: "127.0.0.0/8",
  // HAProxy asks once a second, and believes the second answer.
  SHUTDOWN_DELAY_SECONDS: "8",
});
const processes = [await startProcess(), await startProcess()] as const;
afterAll(async () => {
  for (const { running } of processes) running.kill("SIGKILL");
  await Promise.all(processes.map(({ running }) => running.ended));
  await database.drop();
});
const proxy = await startHaproxy(processes[0].ports, processes[1].ports);
const http = `http://127.0.0.1:${proxy.http}`;
const grpc = `127.0.0.1:${proxy.grpc}`;
const { token } = await addCallerOf(http, database.address);

async function startProcess(): Promise<Process> {
  const ports = { http: await freePort(), grpc: await freePort() };
  await pas(["migrate"], { DATABASE_URL: database.url, DATA_DIR: folder });
  const running = startPas(["serve"], environment(ports));
  await running.wrote(/"msg":"serving"/);
  return { ports, running };
}

/** Calls that a process has served since it started, over all transports. */
function servedBy({ ports }: Process): Promise<number> {
  return sumOf(`http://127.0.0.1:${ports.http}`, "pas_calls_seconds_count", 'outcome="ok"');
}

interface Tally {
  served: number;
  readonly failures: unknown[];
}

/** Creates sessions and asks for them, one call after the other, until it is told to end. */
async function call(transport: Transport, isOver: () => boolean, tally: Tally): Promise<void> {
  while (!isOver()) {
    try {
      const creation = await transport.createSession({ token }, {});
      const outcome = creation.ok ? await transport.getSession({ token }, creation.body.sessionId) : creation;
      if (outcome.ok) tally.served += 2;
      else tally.failures.push([transport.name, outcome.code, outcome.detail]);
    } catch (error) {
      tally.failures.push([transport.name, String(error), error instanceof Error ? String(error.cause) : ""]);
    }
  }
  transport.close();
}

test("no call fails over REST and gRPC while every process is stopped and started again", async () => {
  let isOver = false;
  const tally: Tally = { served: 0, failures: [] };
  const transports = [() => restTransport(http), () => grpcTransport(grpc)];
  const load = transports.flatMap((open) =>
    Array.from({ length: callersOfEachTransport }, () => call(open(), () => isOver, tally)),
  );
  const codes: (number | null)[] = [];
  for (const process of processes) {
    await until(async () => (await servedBy(process)) > 0);
    process.running.kill("SIGTERM");
    codes.push(await process.running.ended);
    process.running = startPas(["serve"], environment(process.ports));
    await process.running.wrote(/"msg":"serving"/);
    // It has to be found ready again before the other one may go.
    await until(async () => (await servedBy(process)) > 0);
  }
  isOver = true;
  await Promise.all(load);
  expect(tally.failures).toEqual([]);
  expect(codes).toEqual([0, 0]);
  console.log(`${tally.served} calls, none failed`);
});

test.each(["/metrics", "/readyz", "/livez", "/%6detrics", "/metrics?x=1"])(
  "the proxy does not forward %s",
  async (path) => {
    expect((await fetch(http + path)).status).toBe(404);
  },
);

test("processes that are all not ready still answer in their own words", async () => {
  for (const { running } of processes) running.kill("SIGTERM");
  for (const { running } of processes) await running.wrote(/"msg":"not ready, serving on before the stop"/);
  const response = await fetch(`${http}/v1/values-bridge/assessment`);
  expect([response.status, response.headers.get("content-type")]).toEqual([401, "application/problem+json"]);
});
