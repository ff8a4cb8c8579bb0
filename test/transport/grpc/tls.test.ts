// TLS and mutual TLS on the gRPC port.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Code, type ConnectError } from "@connectrpc/connect";
import * as grpc from "@grpc/grpc-js";
import { expect, test } from "vitest";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../../src/gen/health/v1/health_pb.ts";
import { startTestApp } from "../../support/app.ts";
import { folderOfFile } from "../../support/folders.ts";
import { appOfTest } from "../../support/of-test.ts";
import { copyCertificates } from "../../support/processes/certificates.ts";
import { GrpcClient } from "../../support/transports/grpc-client.ts";

const folder = folderOfFile();
copyCertificates(folder);
const file = (name: string) => join(folder, name);
const pem = (name: string) => readFileSync(file(name));

async function check(address: string, credentials: grpc.ChannelCredentials): Promise<unknown> {
  const client = new GrpcClient(address, credentials);
  try {
    return (await client.unary(Health.method.check, {})).status;
  } catch (error) {
    return (error as ConnectError).code;
  } finally {
    client.close();
  }
}

test("the port speaks only TLS if it has a certificate and a key", async () => {
  const app = await appOfTest({ GRPC_TLS_CERT_FILE: file("server.pem"), GRPC_TLS_KEY_FILE: file("server.key") });
  expect(await check(app.grpcAddress, grpc.credentials.createSsl(pem("ca.pem")))).toBe(Status.SERVING);
  expect(await check(app.grpcAddress, grpc.credentials.createInsecure())).toBe(Code.Unavailable);
});

test("a client must have a certificate of the configured authority", async () => {
  const app = await appOfTest({
    GRPC_TLS_CERT_FILE: file("server.pem"),
    GRPC_TLS_KEY_FILE: file("server.key"),
    GRPC_TLS_CLIENT_CA_FILE: file("ca.pem"),
  });
  const ownClient = grpc.credentials.createSsl(pem("ca.pem"), pem("client.key"), pem("client.pem"));
  expect(await check(app.grpcAddress, ownClient)).toBe(Status.SERVING);
  expect(await check(app.grpcAddress, grpc.credentials.createSsl(pem("ca.pem")))).toBe(Code.Unavailable);
});

test("the service does not start with only a certificate or only a key", async () => {
  await expect(startTestApp({ GRPC_TLS_KEY_FILE: file("server.key") })).rejects.toThrow("GRPC_TLS_CERT_FILE");
  await expect(startTestApp({ GRPC_TLS_CLIENT_CA_FILE: file("ca.pem") })).rejects.toThrow("GRPC_TLS_CERT_FILE");
});
