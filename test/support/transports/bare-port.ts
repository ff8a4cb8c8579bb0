// The HTTP port or the gRPC port alone, before a core that a test gives it.
import { ServerCredentials } from "@grpc/grpc-js";
import { onTestFinished } from "vitest";
import { createGateway, type GatewayOptions } from "../../../src/gateway/gateway.ts";
import { SessionService } from "../../../src/gen/assessment/v1/session_service_pb.ts";
import { Connections, createConnectionMemory } from "../../../src/limits/connections.ts";
import { ArrivingMessages } from "../../../src/limits/memory.ts";
import { type GrpcServerOptions, startGrpcServer } from "../../../src/transport/grpc/server.ts";

/** Not yet listening. */
export function barePort(options: Pick<GatewayOptions, "receiveTimeoutMs"> & Partial<GatewayOptions>) {
  return createGateway({
    core: undefined,
    bodies: new ArrivingMessages(),
    publicUrl: () => "http://service.example",
    trustedProxies: [],
    connectionMemory: createConnectionMemory(),
    leaving: new AbortController().signal,
    stopping: new AbortController().signal,
    requestObserver: () => undefined,
    reportDefect: () => undefined,
    scopes: [],
    readiness: async () => ({ isReady: true }),
    metrics: undefined,
    metricsToken: undefined,
    ...options,
  });
}

/** The gRPC port alone, before a core that a test gives it, until the test ends. */
export async function bareGrpcPort(
  options: Pick<GrpcServerOptions, "core" | "receiveTimeoutMs"> & Partial<GrpcServerOptions>,
) {
  const server = await startGrpcServer({
    publicUrl: () => "",
    bodies: new ArrivingMessages(),
    resolveAddress: (peer) => peer,
    connections: new Connections(createConnectionMemory(), () => false),
    services: [SessionService],
    host: "127.0.0.1",
    port: 0,
    credentials: ServerCredentials.createInsecure(),
    ...options,
  });
  onTestFinished(() => server.stop(0));
  return { port: server.port, address: `127.0.0.1:${server.port}` };
}
