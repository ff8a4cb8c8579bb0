// The gRPC transport: grpc-js on its own port, with health and reflection. Every other rpc goes to the core.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { type DescFile, type DescService, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import * as grpc from "@grpc/grpc-js";
import { ReflectionService } from "@grpc/reflection";
import { HealthImplementation } from "grpc-health-check";
import { Health } from "../../gen/health/v1/health_pb.ts";
import { maxMessageBytes } from "../../kernel/calls/core.ts";
import { passThrough } from "./messages.ts";
import { createPublicCalls } from "./public-calls.ts";
import { createUnaryCalls, mapRpcs, type UnaryCallsOptions } from "./unary-calls.ts";

/** Per connection. A gateway has one, with a call for each client that waits for events. */
const maxConcurrentStreams = 256;
/** An idle client opens another connection when it needs one. */
const maxIdleMs = 600_000;
/** Longer than any call takes, its message included. */
const longestCallMs = 60_000;

export interface GrpcServer {
  readonly port: number;
  /** The health of every service. */
  setServing(isServing: boolean): void;
  /** Sends GOAWAY, so that clients open other connections. Running calls complete, and new connections are served. */
  endConnections(): void;
  /** Refuses new calls, lets running ones end within the time, then closes all connections. */
  stop(drainMs: number): Promise<void>;
}

export interface GrpcServerOptions extends UnaryCallsOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly credentials: grpc.ServerCredentials;
}

/**
 * Starts the gRPC transport. A connection is closed if it does not answer a ping within `receiveTimeoutMs`.
 */
export async function startGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const { services, host, port, credentials, receiveTimeoutMs, connections } = options;
  // It logs metadata that it cannot read to stderr, tokens included.
  grpc.setLogVerbosity(grpc.logVerbosity.NONE);
  const healthNames = ["", ...services.map(({ typeName }) => typeName)];
  const publicCalls = createPublicCalls(options, new Set(healthNames));
  const server = new grpc.Server({
    // It would count every message, for the channelz service, which this port does not have.
    "grpc.enable_channelz": 0,
    "grpc.max_receive_message_length": maxMessageBytes,
    "grpc.max_concurrent_streams": maxConcurrentStreams,
    "grpc.max_connection_idle_ms": maxIdleMs,
    "grpc.keepalive_time_ms": receiveTimeoutMs,
    "grpc.keepalive_timeout_ms": receiveTimeoutMs,
    interceptors: [createUnaryCalls(options, publicCalls.interceptor)],
  });
  // The interceptor serves them: the library passes their bytes through.
  for (const path of mapRpcs(services, ({ name }) => name).keys()) {
    server.register(path, () => undefined, passThrough, passThrough, "unary");
  }
  let wasServing = false;
  const health = new HealthImplementation(Object.fromEntries(healthNames.map((name) => [name, "NOT_SERVING"])));
  health.addToServer(server);
  addReflection(server, [...services, Health]);

  // The library does not limit connections, so it gets each of them from here.
  let injector = server.createConnectionInjector(credentials);
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    connections.add(socket);
    if (!socket.destroyed) injector.injectConnection(socket);
  });
  await once(listener.listen({ host, port }), "listening");
  return {
    port: (listener.address() as AddressInfo).port,
    setServing(isServing) {
      // The library tells watchers also of a status that they know.
      if (isServing === wasServing) return;
      wasServing = isServing;
      for (const name of healthNames) health.setStatus(name, isServing ? "SERVING" : "NOT_SERVING");
    },
    endConnections() {
      injector.drain(longestCallMs);
      injector = server.createConnectionInjector(credentials);
    },
    async stop(drainMs) {
      const isClosed = once(listener.close(), "close");
      const cut = setTimeout(() => sockets.forEach((socket) => void socket.destroy()), drainMs);
      const isShutDown = new Promise<unknown>((resolve) => server.tryShutdown(resolve));
      publicCalls.end();
      await Promise.all([isShutDown, isClosed]);
      clearTimeout(cut);
    },
  };
}

/** Lets clients, such as `buf curl` and grpcurl, list the services and get the descriptors of their messages. */
function addReflection(server: grpc.Server, services: readonly DescService[]): void {
  const files = new Map<string, Buffer>();
  for (const { file } of services) collect(file, files);
  // The library takes a definition of any kind, and reads only the file descriptors.
  const format = "Protocol Buffer 3 EnumDescriptorProto" as const;
  const definition = { format, type: {}, fileDescriptorProtos: [...files.values()] };
  new ReflectionService({ loaded: definition }, { services: services.map(({ typeName }) => typeName) }).addToServer(
    server,
  );
}

function collect({ dependencies, proto }: DescFile, files: Map<string, Buffer>): void {
  if (files.has(proto.name)) return;
  for (const dependency of dependencies) collect(dependency, files);
  files.set(proto.name, Buffer.from(toBinary(FileDescriptorProtoSchema, proto)));
}

/** PEM files. Without certificate and key the port is cleartext. */
export interface TlsFiles {
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  /** With it every client must show a certificate of this authority. */
  readonly clientAuthority: string | undefined;
}

/** Reads the files. Throws where one is missing, in words for people. */
export async function readGrpcCredentials({
  certificate,
  key,
  clientAuthority,
}: TlsFiles): Promise<grpc.ServerCredentials> {
  if (certificate === undefined && key === undefined && clientAuthority === undefined) {
    return grpc.ServerCredentials.createInsecure();
  }
  if (certificate === undefined || key === undefined) {
    throw new Error("TLS on the gRPC port needs both GRPC_TLS_CERT_FILE and GRPC_TLS_KEY_FILE");
  }
  const pair = { cert_chain: await readFile(certificate), private_key: await readFile(key) };
  const authority = clientAuthority === undefined ? null : await readFile(clientAuthority);
  return grpc.ServerCredentials.createSsl(authority, [pair], authority !== null);
}
