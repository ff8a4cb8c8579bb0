// A process with all doors over the pipeline over constant stores; and beside them Connect's own gRPC handler on
// Node's HTTP/2 server, which the gRPC door is measured against.
import { once } from "node:events";
import { createServer } from "node:http2";
import { createContextValues, type Transport } from "@connectrpc/connect";
import { fastifyConnectPlugin } from "@connectrpc/connect-fastify";
import { compressionGzip, connectNodeAdapter } from "@connectrpc/connect-node";
import { ServerCredentials } from "@grpc/grpc-js";
import type { FastifyPluginAsync } from "fastify";
import { callOrigin } from "../../../src/contract/call-origin.ts";
import { services } from "../../../src/core.ts";
import { createGateway } from "../../../src/gateway/gateway.ts";
import { listen } from "../../../src/http/server.ts";
import { connectRoutes } from "../../../src/rpc/connect-routes.ts";
import { startGrpcServer } from "../../../src/rpc/grpc/server.ts";
import { answerParent } from "../servers/child.ts";
import { createConstantCore, publicUrl } from "./constant-core.ts";

export interface ConstantServerOptions {
  readonly hasQuestions: boolean;
}

export interface ConstantPorts {
  readonly http: number;
  readonly grpc: number;
  readonly connectNode: number;
  readonly token: string;
}

const host = "127.0.0.1";
const maxBytes = 1 << 20;

answerParent(async ({ hasQuestions }: ConstantServerOptions): Promise<ConstantPorts> => {
  const { transport, token } = createConstantCore(hasQuestions);
  const credentials = ServerCredentials.createInsecure();
  const grpc = await startGrpcServer({ transport, services, host, port: 0, credentials, receiveTimeoutMs: 15_000 });
  return {
    http: await startHttp(transport),
    grpc: grpc.port,
    connectNode: await startConnectNode(transport),
    token,
  };
});

async function startHttp(transport: Transport): Promise<number> {
  const http = createGateway({
    transport,
    publicUrl,
    receiveTimeoutMs: 15_000,
    trustedProxies: [],
    reportDefect: (error) => process.stderr.write(`${error}\n`),
    isStopping: () => false,
    scopes: {},
    readiness: async () => ({ isReady: true }),
    metrics: async () => "",
    metricsToken: undefined,
  });
  const connectDoor: FastifyPluginAsync = async (scope) => {
    scope.removeAllContentTypeParsers();
    await scope.register(fastifyConnectPlugin, { ...connectOptions(transport, "connect"), grpc: false });
  };
  await http.register(connectDoor);
  return Number(new URL(await listen(http, host, 0)).port);
}

async function startConnectNode(transport: Transport): Promise<number> {
  const server = createServer(connectNodeAdapter(connectOptions(transport, "grpc")));
  server.listen(0, host);
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** As the service sets its Connect door. */
function connectOptions(transport: Transport, door: "connect" | "grpc") {
  return {
    routes: connectRoutes(transport, services),
    readMaxBytes: maxBytes,
    acceptCompression: [compressionGzip],
    maxTimeoutMs: 30_000,
    contextValues: () =>
      createContextValues().set(callOrigin, {
        door,
        address: host,
        requestId: crypto.randomUUID(),
        traceparent: undefined,
        isTrusted: false,
      }),
  };
}
