// A database that is away: everything that needs it is refused as unavailable, and the service lives.
import { randomBytes } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { newSecret } from "../../src/domain/identity/secrets.ts";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../src/gen/health/v1/health_pb.ts";
import { startApp } from "../../src/process/app.ts";
import { createLogger } from "../../src/telemetry/logger.ts";
import { createEmptyDatabase } from "../support/databases/database.ts";
import { GrpcClient } from "../support/transports/grpc-client.ts";
import { restTransport } from "../support/transports/rest-transport.ts";
import { connectTransport, grpcTransport } from "../support/transports/rpc-transport.ts";

const config = readConfig({ HTTP_PORT: "0", GRPC_PORT: "0", LOG_LEVEL: "silent" });
const log = createLogger("silent");
const app = await startApp({ config, role: "all", database: { url: "mysql://nobody@127.0.0.1:1/nothing" }, log });
afterAll(() => app.stop());

test("readiness and health are negative, with the reason", async () => {
  const response = await fetch(`${app.httpUrl}/readyz`);
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await response.json()).toMatchObject({ code: "unavailable", detail: "The database cannot be reached." });
  expect((await fetch(`${app.httpUrl}/livez`)).status).toBe(200);
  const client = new GrpcClient(`127.0.0.1:${app.grpcPort}`);
  expect((await client.unary(Health.method.check, {})).status).toBe(Status.NOT_SERVING);
  client.close();
});

test("a service on an outdated schema is not ready, and its answer names the command that updates the schema", async () => {
  const database = await createEmptyDatabase();
  const behind = await startApp({ config, role: "all", database: database.address, log });
  const response = await fetch(`${behind.httpUrl}/readyz`);
  expect(response.status).toBe(503);
  expect(await response.text()).toContain("pas migrate");
  await behind.stop();
  await database.drop();
});

test("calls are refused as unavailable over every transport, with the time to wait", async () => {
  const token = newSecret("accessToken", randomBytes);
  const transports = [
    restTransport(app.httpUrl),
    grpcTransport(`127.0.0.1:${app.grpcPort}`),
    connectTransport(app.httpUrl, true),
  ];
  for (const transport of transports) {
    const outcome = await transport.getAssessment({ token });
    expect(outcome).toMatchObject({ ok: false, code: "unavailable", retryAfterSeconds: 1 });
    transport.close();
  }
});
