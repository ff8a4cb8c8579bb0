// What makes a process not ready, and what an operator reads of it.
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { startApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { createLogger } from "../../src/telemetry/logger.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

const config = readConfig({ HTTP_PORT: "0", GRPC_PORT: "0", LOG_LEVEL: "silent" });
const log = createLogger("silent");
const clockOff = /^The clock of this host is \d+ s (ahead of|behind) the database's; synchronize both/;
const soon = { timeout: 10_000, interval: 200 };

afterEach(() => {
  vi.useRealTimers();
});

async function newDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  return database;
}

/** The reason why a process is not ready; undefined: it is. */
async function startAndAsk(url: string): Promise<() => Promise<string | undefined>> {
  const app = await startApp({ config, role: "all", database: { url }, log });
  onTestFinished(() => app.stop());
  return async () => {
    const response = await fetch(`${app.httpUrl}/readyz`);
    const body = (await response.json()) as { status: string | number; detail?: string };
    return body.status === "ready" ? undefined : body.detail;
  };
}

test("a clock more than 5 seconds from the database's, either way, is not ready until it is put right", async () => {
  const { url } = await newDatabase();
  const ask = await startAndAsk(url);
  expect(await ask()).toBeUndefined();
  const now = Date.now();
  for (const off of [60_000, -60_000]) {
    vi.useFakeTimers({ toFake: ["Date"], now: now + off });
    await expect.poll(ask, soon).toMatch(clockOff);
    vi.useRealTimers();
    await expect.poll(ask, soon).toBeUndefined();
  }
});

test("a clock that is 3 seconds off is ready", async () => {
  const { url } = await newDatabase();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_000 });
  expect(await (await startAndAsk(url))()).toBeUndefined();
});
