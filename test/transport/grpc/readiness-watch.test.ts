// Who watches the health of the service hears of a change that nobody asked about.
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../../src/gen/health/v1/health_pb.ts";
import { startApp } from "../../../src/process/app.ts";
import { createLogger } from "../../../src/telemetry/logger.ts";
import { createTestDatabase } from "../../support/databases/database.ts";
import { proxyBefore } from "../../support/databases/proxied-database.ts";
import { GrpcClient } from "../../support/transports/grpc-client.ts";

test("gRPC health follows the database down and up again, even if nobody asks for readiness", async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const { proxy, url } = await proxyBefore(database.address);
  const config = readConfig({ HTTP_PORT: "0", GRPC_PORT: "0", LOG_LEVEL: "silent" });
  const app = await startApp({ config, role: "all", database: { url }, log: createLogger("silent") });
  onTestFinished(() => app.stop());
  const client = new GrpcClient(`127.0.0.1:${app.grpcPort}`);
  onTestFinished(() => client.close());
  const health = async () => (await client.unary(Health.method.check, {})).status;
  expect(await health()).toBe(Status.SERVING);
  proxy.choose = () => "request";
  await expect.poll(health).toBe(Status.NOT_SERVING);
  proxy.choose = () => undefined;
  await expect.poll(health).toBe(Status.SERVING);
});
