// What one test has for itself alone: closed when it is over.
import { onTestFinished } from "vitest";
import { readConfig } from "../../src/config.ts";
import type { DatabaseAddress } from "../../src/database/database.ts";
import { startApp } from "../../src/process/app.ts";
import { createLogger } from "../../src/telemetry/logger.ts";
import { startTestApp, startTestGateway } from "./app.ts";
import { closedAt } from "./closing.ts";
import { createEmptyDatabase, createTestDatabase } from "./databases/database.ts";

export const emptyDatabaseOfTest = closedAt(onTestFinished, createEmptyDatabase);
/** With the schema and the built-in instrument. */
export const databaseOfTest = closedAt(onTestFinished, createTestDatabase);
export const appOfTest = closedAt(onTestFinished, startTestApp);
export const gatewayOfTest = closedAt(onTestFinished, startTestGateway);
/** A process of the service on a database, as it is without further settings. */
export const processOfTest = closedAt(onTestFinished, startProcess);

async function startProcess(database: DatabaseAddress, environment: Record<string, string> = {}) {
  const logLines: string[] = [];
  const log = createLogger("info", { write: (line) => logLines.push(line) });
  const config = readConfig({ HTTP_PORT: "0", GRPC_PORT: "0", ...environment });
  const app = await startApp({ config, role: "all", database, log });
  return { ...app, grpcAddress: `127.0.0.1:${app.grpcPort}`, logLines: logLines as readonly string[] };
}
