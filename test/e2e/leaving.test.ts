// The time between the signal and the stop: load balancers are told to go elsewhere, and whoever still comes is served.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../src/gen/health/v1/health_pb.ts";
import { addCaller, startTestApp, startTestGateway, type TestApp } from "../support/app.ts";
import type { Door } from "../support/doors.ts";
import { GrpcClient } from "../support/grpc-client.ts";
import { restDoor } from "../support/rest-door.ts";
import { connectDoor, grpcDoor } from "../support/rpc-door.ts";
import { startServed } from "../support/served.ts";

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startTestApp();
  ({ token } = await addCaller(app));
});
afterAll(() => app.stop());

const createOver = async (door: Door) => {
  onTestFinished(() => door.close());
  return (await door.createSession({ token }, {})).ok;
};

async function readinessOf(url: string): Promise<unknown> {
  const response = await fetch(`${url}/readyz`);
  const { detail } = (await response.json()) as { detail?: string };
  return [response.status, detail, response.headers.get("connection")];
}
const notReady = [503, "The service is stopping.", "close"];

test("a gateway of its own that is about to stop is not ready, serves on, and ends connections", async () => {
  const gateway = await startTestGateway(app);
  expect(await readinessOf(gateway.httpUrl)).toEqual([200, undefined, "keep-alive"]);
  await gateway.leave();
  expect(await readinessOf(gateway.httpUrl)).toEqual(notReady);
  expect(await createOver(restDoor(gateway.httpUrl))).toBe(true);
  await gateway.stop();
  await expect(fetch(gateway.httpUrl)).rejects.toThrow();
});

test("a service that is about to stop is not ready at any port, serves every door, and ends connections", async () => {
  const health = new GrpcClient(app.grpcAddress);
  onTestFinished(() => health.close());
  expect((await health.unary(Health.method.check, {})).status).toBe(Status.SERVING);
  await app.leaveService();
  expect((await health.unary(Health.method.check, {})).status).toBe(Status.NOT_SERVING);
  expect(await readinessOf(app.httpUrl)).toEqual(notReady);
  for (const door of [restDoor(app.httpUrl), connectDoor(app.httpUrl, true), grpcDoor(app.grpcAddress)]) {
    expect([door.name, await createOver(door)]).toEqual([door.name, true]);
  }
});

test("SIGTERM with SHUTDOWN_DELAY_SECONDS begins with such a time, and ends with a process that has stopped in order", async () => {
  const served = await startServed({ SHUTDOWN_DELAY_SECONDS: "2" });
  const stopped = served.stop();
  while (!served.output().includes('"not ready, serving on before the stop"')) await readinessOf(served.httpUrl);
  expect(await readinessOf(served.httpUrl)).toEqual(notReady);
  const door = restDoor(served.httpUrl);
  expect((await door.createSession({ token: served.token }, {})).ok).toBe(true);
  await stopped;
  expect(served.output()).toContain('"msg":"stopping"');
});
