// A process with all transports over the pipeline over constant stores; and beside them Connect's own gRPC handler on
// Node's HTTP/2 server, which the gRPC transport is measured against.
import { once } from "node:events";
import { createServer } from "node:http2";
import type { DescMethodUnary, DescService } from "@bufbuild/protobuf";
import type { ConnectRouter, HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { compressionGzip, connectNodeAdapter } from "@connectrpc/connect-node";
import { ServerCredentials } from "@grpc/grpc-js";
import { createGateway } from "../../../src/gateway/gateway.ts";
import { BodyBudget } from "../../../src/kernel/calls/body-budget.ts";
import { Connections, connectionBudget } from "../../../src/kernel/calls/connections.ts";
import { type Core, maxMessageBytes } from "../../../src/kernel/calls/core.ts";
import { services } from "../../../src/process/core.ts";
import { connectTransport } from "../../../src/transport/connect/connect-transport.ts";
import { startGrpcServer } from "../../../src/transport/grpc/server.ts";
import { listen } from "../../../src/transport/http/server.ts";
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

answerParent(async ({ hasQuestions }: ConstantServerOptions): Promise<ConstantPorts> => {
  const { core, token } = createConstantCore(hasQuestions);
  const credentials = ServerCredentials.createInsecure();
  const grpc = await startGrpcServer({
    core,
    services,
    budget: new BodyBudget(),
    host,
    port: 0,
    credentials,
    receiveTimeoutMs: 15_000,
    addressOf: (peer) => peer,
    connections: new Connections(connectionBudget(), () => false),
  });
  return {
    http: await startHttp(core),
    grpc: grpc.port,
    connectNode: await startConnectNode(core),
    token,
  };
});

async function startHttp(core: Core): Promise<number> {
  const budget = new BodyBudget();
  const http = createGateway({
    core,
    budget,
    publicUrl,
    receiveTimeoutMs: 15_000,
    trustedProxies: [],
    requestObserver: () => undefined,
    reportDefect: (error) => process.stderr.write(`${error}\n`),
    isStopping: () => false,
    scopes: {},
    readiness: async () => ({ isReady: true }),
    metrics: undefined,
    metricsToken: undefined,
  });
  await http.register(connectTransport({ core, services, budget }));
  return Number(new URL(await listen(http, host, 0)).port);
}

async function startConnectNode(core: Core): Promise<number> {
  const routes = (router: ConnectRouter) => {
    for (const service of services) router.service(service, implementationOf(service, core));
  };
  const options = { routes, readMaxBytes: maxMessageBytes, acceptCompression: [compressionGzip], maxTimeoutMs: 30_000 };
  const server = createServer(connectNodeAdapter(options));
  server.listen(0, host);
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Passes every rpc on to the core. */
function implementationOf(service: DescService, core: Core): ServiceImpl<DescService> {
  const calls = service.methods.map((method) => [
    method.localName,
    (message: Record<string, unknown>, context: HandlerContext) =>
      core.call({
        method: method as DescMethodUnary,
        origin: {
          transport: "grpc",
          address: host,
          requestId: crypto.randomUUID(),
          traceparent: undefined,
          isTrusted: false,
        },
        timeoutMs: context.timeoutMs(),
        header: (name) => context.requestHeader.get(name) ?? undefined,
        read: () => message,
      }),
  ]);
  return Object.fromEntries(calls);
}
