// The time between the signal and the stop: load balancers are told to go elsewhere, and whoever still comes is served.

import { once } from "node:events";
import { type ClientHttp2Session, connect } from "node:http2";
import { expect, onTestFinished, test } from "vitest";
import { EventService } from "../../../src/gen/assessment/v1/event_service_pb.ts";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../../src/gen/health/v1/health_pb.ts";
import { addCaller, startTestGateway } from "../../support/app.ts";
import { callsInFlight } from "../../support/measures/series.ts";
import { appOfFile } from "../../support/of-file.ts";
import { GrpcClient } from "../../support/transports/grpc-client.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { connectTransport, grpcTransport } from "../../support/transports/rpc-transport.ts";
import { startServed } from "../../support/transports/served.ts";
import type { Transport } from "../../support/transports/transports.ts";

const app = await appOfFile();
const { token } = await addCaller(app);

const createOver = async (transport: Transport) => {
  onTestFinished(() => transport.close());
  return (await transport.createSession({ token }, {})).ok;
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
  await gateway.announceStop();
  expect(await readinessOf(gateway.httpUrl)).toEqual(notReady);
  expect(await createOver(restTransport(gateway.httpUrl))).toBe(true);
  await gateway.stop();
  await expect(fetch(gateway.httpUrl)).rejects.toThrow();
});

test("a service that is about to stop is not ready at any port, serves every transport, and ends connections", async () => {
  const health = new GrpcClient(app.grpcAddress);
  onTestFinished(() => health.close());
  expect((await health.unary(Health.method.check, {})).status).toBe(Status.SERVING);
  await app.leaveService();
  expect((await health.unary(Health.method.check, {})).status).toBe(Status.NOT_SERVING);
  expect(await readinessOf(app.httpUrl)).toEqual(notReady);
  for (const transport of [
    restTransport(app.httpUrl),
    connectTransport(app.httpUrl, true),
    grpcTransport(app.grpcAddress),
  ]) {
    expect([transport.name, await createOver(transport)]).toEqual([transport.name, true]);
  }
});

/** A connection that is open, and tells when it is asked to end: by the last call that it will have served. */
async function connectionTo(address: string): Promise<{ session: ClientHttp2Session; goodbye: Promise<number[]> }> {
  const session = connect(`http://${address}`);
  onTestFinished(() => session.destroy());
  const goodbye = once(session, "goaway").then((fields: number[]) => fields.slice(0, 2));
  await once(session, "remoteSettings");
  return { session, goodbye };
}

test("gRPC connections get GOAWAY, calls under way end well, and further calls use new connections", async () => {
  const metadata = { authorization: `Bearer ${token}` };
  const [idle, watching] = [await connectionTo(app.grpcAddress), new GrpcClient(app.grpcAddress)];
  onTestFinished(() => watching.close());
  const { next } = await watching.unary(EventService.method.listEvents, { after: "now" }, { metadata });
  const waiting = watching.unary(EventService.method.listEvents, { after: next, waitSeconds: 20 }, { metadata });
  while ((await callsInFlight(app.httpUrl, "idle")) < 1);
  app.endConnections();
  expect(await idle.goodbye).toEqual([0, 0]);
  // What the call waits for comes over another connection.
  expect(await createOver(grpcTransport(app.grpcAddress))).toBe(true);
  expect((await waiting).events.length).toBeGreaterThan(0);
  expect(await watching.unary(EventService.method.listEvents, {}, { metadata })).toBeDefined();
});

test("SIGTERM with SHUTDOWN_DELAY_SECONDS begins with such a time, and ends with a process that has stopped in order", async () => {
  const served = await startServed({ SHUTDOWN_DELAY_SECONDS: "8" });
  const { goodbye } = await connectionTo(served.grpcAddress);
  const stopped = served.stop();
  while (!served.output().includes('"not ready, serving on before the stop"')) await readinessOf(served.httpUrl);
  expect(await readinessOf(served.httpUrl)).toEqual(notReady);
  const transport = restTransport(served.httpUrl);
  expect((await transport.createSession({ token: served.token }, {})).ok).toBe(true);
  expect(await goodbye).toEqual([0, 0]);
  await stopped;
  const messages = [...served.output().matchAll(/"msg":"(not ready|sent GOAWAY|stopping)/g)].map(([, words]) => words);
  expect(messages).toEqual(["not ready", "sent GOAWAY", "stopping"]);
});
