// TLS and mutual TLS on the gRPC port.
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Code, type ConnectError } from "@connectrpc/connect";
import * as grpc from "@grpc/grpc-js";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../../src/gen/health/v1/health_pb.ts";
import { startTestApp, type TestApp } from "../../support/app.ts";
import { copyCertificates } from "../../support/processes/certificates.ts";
import { GrpcClient } from "../../support/transports/grpc-client.ts";

let folder: string;
let app: TestApp | undefined;
const file = (name: string) => join(folder, name);
const pem = (name: string) => readFileSync(file(name));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pas-tls-test-"));
  copyCertificates(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(async () => {
  await app?.stop();
  app = undefined;
});

async function check(address: string, credentials: grpc.ChannelCredentials): Promise<unknown> {
  const client = new GrpcClient(address, credentials);
  try {
    return (await client.unary(Health.method.check, {}, { timeoutMs: 10_000 })).status;
  } catch (error) {
    return (error as ConnectError).code;
  } finally {
    client.close();
  }
}

test("the port speaks only TLS if it has a certificate and a key", async () => {
  app = await startTestApp({ GRPC_TLS_CERT_FILE: file("server.pem"), GRPC_TLS_KEY_FILE: file("server.key") });
  expect(await check(app.grpcAddress, grpc.credentials.createSsl(pem("ca.pem")))).toBe(Status.SERVING);
  expect(await check(app.grpcAddress, grpc.credentials.createInsecure())).toBe(Code.Unavailable);
});

test("a client must have a certificate of the configured authority", async () => {
  app = await startTestApp({
    GRPC_TLS_CERT_FILE: file("server.pem"),
    GRPC_TLS_KEY_FILE: file("server.key"),
    GRPC_TLS_CLIENT_CA_FILE: file("ca.pem"),
  });
  const known = grpc.credentials.createSsl(pem("ca.pem"), pem("client.key"), pem("client.pem"));
  expect(await check(app.grpcAddress, known)).toBe(Status.SERVING);
  expect(await check(app.grpcAddress, grpc.credentials.createSsl(pem("ca.pem")))).toBe(Code.Unavailable);
});

test("the service does not start with only a certificate or only a key", async () => {
  await expect(startTestApp({ GRPC_TLS_KEY_FILE: file("server.key") })).rejects.toThrow("GRPC_TLS_CERT_FILE");
  await expect(startTestApp({ GRPC_TLS_CLIENT_CA_FILE: file("ca.pem") })).rejects.toThrow("GRPC_TLS_CERT_FILE");
});
