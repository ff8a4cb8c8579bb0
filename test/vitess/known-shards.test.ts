// What a process does when it is not told the shards, and when one of them is no more.

import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { startApp } from "../../src/process/app.ts";
import { createLogger } from "../../src/telemetry/logger.ts";
import { proxyBefore } from "../support/databases/proxied-database.ts";
import { databaseOfTest } from "../support/of-test.ts";

const isAboutShards = (statement: string) => statement.startsWith("SHOW VITESS_SHARDS");

/** A process whose database is behind a proxy, which may keep from it what shards there are. */
async function start(isToldShards: boolean) {
  const database = await databaseOfTest();
  const { proxy, url } = await proxyBefore(database.address);
  const keep = () => {
    proxy.choose = (statement) => (isAboutShards(statement) ? "request" : undefined);
  };
  if (!isToldShards) keep();
  const config = readConfig({ HTTP_PORT: "0", GRPC_PORT: "0", LOG_LEVEL: "silent" });
  const app = await startApp({ config, role: "all", database: { url }, log: createLogger("silent") });
  onTestFinished(() => app.stop());
  const readyz = async () => (await fetch(`${app.httpUrl}/readyz`)).status;
  const reason = async () => {
    const problem = (await (await fetch(`${app.httpUrl}/readyz`)).json()) as { readonly detail?: string };
    return problem.detail;
  };
  const metrics = async () => (await fetch(`${app.httpUrl}/metrics`)).text();
  /** The shards that jobs are told of by any metric of jobs. */
  const shardsWithJobs = async () => {
    const names = [...(await metrics()).matchAll(/^pas_job_\w+\{.*background_job="[\w-]+@([^"]+)"/gm)];
    return [...new Set(names.map(([, name]) => name))].toSorted();
  };
  const watchFailures = async () =>
    Number(/^pas_job_seconds_count\{.*readiness-watch.*"failed"\} (\d+)/m.exec(await metrics())?.[1] ?? 0);
  return { proxy, keep, readyz, reason, shardsWithJobs, watchFailures };
}

test("a process is not ready while no shard is known, and works on all as soon as they are", async () => {
  const { proxy, readyz, shardsWithJobs } = await start(false);
  expect(await readyz()).toBe(503);
  expect(await shardsWithJobs()).toEqual([]);
  proxy.choose = () => undefined;
  await expect.poll(readyz).toBe(200);
  await expect.poll(shardsWithJobs).toEqual(["-40", "40-80", "80-c0", "c0-"]);
});

test("a process says why it does not know the shards", async () => {
  const { proxy, reason } = await start(false);
  // A keyspace that the vtgate does not have.
  proxy.rewrite = (request) => {
    const at = request.indexOf("'assess/%'");
    if (at >= 0) request.write("'others/%'", at);
    return request;
  };
  proxy.choose = () => undefined;
  await expect.poll(reason).toBe("The vtgate has no keyspace assess; see docs/scale.md.");
});

test("a process keeps the shards that it knew while vtgate names none: it is ready, and its watch of readiness fails", async () => {
  const { proxy, keep, readyz, shardsWithJobs, watchFailures } = await start(true);
  expect([await readyz(), await watchFailures()]).toEqual([200, 0]);
  keep();
  await expect.poll(watchFailures).toBeGreaterThan(0);
  expect([await readyz(), await shardsWithJobs()]).toEqual([200, ["-40", "40-80", "80-c0", "c0-"]]);
  proxy.choose = () => undefined;
});

test("a removed shard has no jobs and no metrics of jobs, and has them again when it is back", async () => {
  const { proxy, readyz, shardsWithJobs } = await start(true);
  // Only those whose names end so.
  proxy.rewrite = (request) => {
    const at = request.indexOf("'assess/%'");
    if (at >= 0) request.write("'%sess/%0'", at);
    return request;
  };
  await expect.poll(shardsWithJobs).toEqual(["-40", "40-80", "80-c0"]);
  expect(await readyz()).toBe(200);
  proxy.rewrite = (request) => request;
  await expect.poll(shardsWithJobs).toEqual(["-40", "40-80", "80-c0", "c0-"]);
});
