// The gRPC door: grpc-js on its own port, every rpc passed on to the pipeline, with health and reflection.
import type { DescMethod, DescMethodUnary, DescService } from "@bufbuild/protobuf";
import { createContextValues } from "@connectrpc/connect";
import * as grpc from "@grpc/grpc-js";
import { HealthImplementation } from "grpc-health-check";
import { callOrigin } from "../../contract/call-origin.ts";
import { metadata as names, requestIdOf, traceparentOf } from "../../contract/metadata.ts";
import { toConnectError } from "../pipeline/errors.ts";
import type { LocalTransport } from "../pipeline/local-transport.ts";
import { ArrivingMessages } from "./arriving-messages.ts";
import { OpenStreams } from "./open-streams.ts";
import { addReflection } from "./reflection.ts";
import { responseEncoder } from "./response-encoder.ts";
import { toGrpcStatus } from "./status.ts";

const maxMessageBytes = 1 << 20;
const maxConcurrentStreams = 256;

/** Metadata that means something here; nothing else of it is read. */
const readNames = Object.values(names);

export interface GrpcServer {
  readonly port: number;
  /** What the health service answers for every service. */
  setServing(isServing: boolean): void;
  /** Refuses new calls, lets running ones end within the time, then cuts. */
  stop(drainMs: number): Promise<void>;
}

export interface GrpcServerOptions {
  readonly transport: Pick<LocalTransport, "unaryEncoded">;
  readonly services: readonly DescService[];
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly credentials: grpc.ServerCredentials;
  /** A message has to arrive completely within this time, and a connection to answer when it is asked for a sign of life. */
  readonly receiveTimeoutMs: number;
}

/** Starts the gRPC door. */
export async function startGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const { transport, services, host, port, credentials, receiveTimeoutMs } = options;
  // It writes what it cannot read of metadata to stderr, tokens included.
  grpc.setLogVerbosity(grpc.logVerbosity.NONE);
  const arrivals = new ArrivingMessages(receiveTimeoutMs);
  const streams = new OpenStreams();
  const server = new grpc.Server({
    "grpc.max_receive_message_length": maxMessageBytes,
    "grpc.max_concurrent_streams": maxConcurrentStreams,
    "grpc.keepalive_time_ms": receiveTimeoutMs,
    "grpc.keepalive_timeout_ms": receiveTimeoutMs,
    interceptors: [arrivals.interceptor, streams.interceptor],
  });
  for (const service of services) server.addService(definitionOf(service), handlersOf(service, transport));
  const health = new HealthImplementation(
    Object.fromEntries(healthNames(services).map((name) => [name, "NOT_SERVING"])),
  );
  health.addToServer(server);
  addReflection(server, services);
  const boundPort = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${host.includes(":") ? `[${host}]` : host}:${port}`, credentials, (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return {
    port: boundPort,
    setServing(isServing) {
      for (const name of healthNames(services)) health.setStatus(name, isServing ? "SERVING" : "NOT_SERVING");
    },
    stop(drainMs) {
      const stopped = stop(server, drainMs);
      arrivals.end();
      streams.end();
      return stopped;
    },
  };
}

function healthNames(services: readonly DescService[]): string[] {
  return ["", ...services.map((service) => service.typeName)];
}

function stop(server: grpc.Server, drainMs: number): Promise<void> {
  return new Promise((resolve) => {
    // tryShutdown alone can wait for ever on a client that keeps its connection.
    const force = setTimeout(() => server.forceShutdown(), drainMs);
    server.tryShutdown(() => {
      clearTimeout(force);
      resolve();
    });
  });
}

function definitionOf(service: DescService): grpc.ServiceDefinition {
  return Object.fromEntries(service.methods.map((method) => [method.localName, methodDefinition(method)]));
}

/** Bytes pass through unread: the pipeline decodes them, once the call is let in. */
function methodDefinition(method: DescMethod): grpc.MethodDefinition<Buffer, Uint8Array> {
  const { typeName } = method.parent;
  return {
    path: `/${typeName}/${method.name}`,
    requestStream: false,
    responseStream: false,
    requestSerialize: (bytes) => bytes,
    requestDeserialize: (bytes) => bytes,
    responseSerialize: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    responseDeserialize: (bytes) => bytes,
  };
}

function handlersOf(
  service: DescService,
  transport: GrpcServerOptions["transport"],
): grpc.UntypedServiceImplementation {
  return Object.fromEntries(
    service.methods.map((method) => [method.localName, unaryHandler(method as DescMethodUnary, transport)]),
  );
}

function unaryHandler(
  method: DescMethodUnary,
  transport: GrpcServerOptions["transport"],
): grpc.handleUnaryCall<Buffer, Uint8Array> {
  const encode = responseEncoder(method.output);
  return (call, callback) => {
    const header = readHeader(call.metadata);
    const origin = originOf(header, call.getPeer());
    // Only with the answer, so that both leave in one packet.
    const answer: typeof callback = (...answered) => {
      const metadata = new grpc.Metadata();
      metadata.set(names.requestId, origin.requestId);
      call.sendMetadata(metadata);
      callback(...answered);
    };
    const contextValues = createContextValues().set(callOrigin, origin);
    transport
      .unaryEncoded(method, timeoutOf(call.getDeadline()), header, call.request, contextValues)
      .then((response) => answer(null, encode(response.message)))
      .catch((error: unknown) => answer(toGrpcStatus(toConnectError(error))));
  };
}

function readHeader(metadata: grpc.Metadata): Headers {
  const header = new Headers();
  for (const name of readNames) {
    const [value] = metadata.get(name);
    if (typeof value === "string") header.set(name, value);
  }
  return header;
}

function originOf(header: Headers, peer: string) {
  return {
    door: "grpc" as const,
    address: peer.replace(/:\d+$/, "").replace(/^\[|\]$/g, ""),
    requestId: requestIdOf(header.get(names.requestId)),
    traceparent: traceparentOf(header.get(names.traceparent)),
    isTrusted: false,
  };
}

function timeoutOf(deadline: grpc.Deadline): number | undefined {
  const at = Number(deadline);
  return at === Number.POSITIVE_INFINITY ? undefined : at - Date.now();
}
