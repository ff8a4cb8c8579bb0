// What one test has for itself alone: closed when it is over.
import { onTestFinished } from "vitest";
import { readConfig } from "../../src/config.ts";
import type { DatabaseAddress } from "../../src/database/database.ts";
import { startApp } from "../../src/process/app.ts";
import { createLogger } from "../../src/telemetry/logger.ts";
import { startTestApp, startTestGateway, type TestApp, type TestGateway } from "./app.ts";

export async function appOfTest(...options: Parameters<typeof startTestApp>): Promise<TestApp> {
  const app = await startTestApp(...options);
  onTestFinished(() => app.stop());
  return app;
}

export async function gatewayOfTest(...options: Parameters<typeof startTestGateway>): Promise<TestGateway> {
  const gateway = await startTestGateway(...options);
  onTestFinished(() => gateway.stop());
  return gateway;
}

/** Another process of the service on a database. */
export async function processOfTest(database: DatabaseAddress, environment: Record<string, string> = {}) {
  const config = readConfig({ HTTP_PORT: "0", GRPC_PORT: "0", ...environment });
  const app = await startApp({ config, role: "all", database, log: createLogger("silent") });
  onTestFinished(() => app.stop());
  return app;
}
