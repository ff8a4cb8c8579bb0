// Who watches the health of the service hears of a change that nobody asked about.
import { expect, onTestFinished, test } from "vitest";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../../src/gen/health/v1/health_pb.ts";
import { createTestDatabase } from "../../support/databases/database.ts";
import { proxyBefore } from "../../support/databases/proxied-database.ts";
import { processOfTest } from "../../support/of-test.ts";
import { GrpcClient } from "../../support/transports/grpc-client.ts";

test("gRPC health follows the database down and up again, even if nobody asks for readiness", async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const { proxy, url } = await proxyBefore(database.address);
  const app = await processOfTest({ url });
  using client = new GrpcClient(app.grpcAddress);
  const health = async () => (await client.unary(Health.method.check, {})).status;
  expect(await health()).toBe(Status.SERVING);
  proxy.choose = () => "request";
  await expect.poll(health).toBe(Status.NOT_SERVING);
  proxy.choose = () => undefined;
  await expect.poll(health).toBe(Status.SERVING);
});
