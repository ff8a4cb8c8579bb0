// The gRPC transport: grpc-js on its own port, every rpc passed on to the core, with health and reflection.
import type { DescMethodUnary, DescService } from "@bufbuild/protobuf";
import * as grpc from "@grpc/grpc-js";
import { HealthImplementation } from "grpc-health-check";
import { Health } from "../../gen/health/v1/health_pb.ts";
import { maxMessageBytes } from "../../kernel/calls/core.ts";
import { once } from "../../kernel/once.ts";
import { OpenStreams } from "./open-streams.ts";
import type { BytesCall } from "./reflection.ts";
import { guardStreams, poolsByPath, reflectionPaths } from "./stream-guard.ts";
import { pathOf, type UnaryCallsOptions, unaryCalls } from "./unary-calls.ts";

const maxConcurrentStreams = 256;
/** Longer than any call takes, its message included. */
const longestCallMs = 60_000;

export interface GrpcServer {
  readonly port: number;
  /** The paths of all rpcs, those of health and reflection among them. */
  readonly paths: readonly string[];
  /** What the health service answers for every service. */
  setServing(isServing: boolean): void;
  /** Has clients go on over other connections (GOAWAY). Calls that run end well, and new connections are served. */
  endConnections(): void;
  /** Refuses new calls, lets running ones end within the time, then cuts. */
  stop(drainMs: number): Promise<void>;
}

export interface GrpcServerOptions extends UnaryCallsOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly credentials: grpc.ServerCredentials;
}

/**
 * Starts the gRPC transport. A connection has to give a sign of life within `receiveTimeoutMs` when it is asked for
 * one.
 */
export async function startGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const { services, host, port, credentials, receiveTimeoutMs, pools, addressOf } = options;
  // It writes what it cannot read of metadata to stderr, tokens included.
  grpc.setLogVerbosity(grpc.logVerbosity.NONE);
  const streams = new OpenStreams({ pools, receiveTimeoutMs, healthNames: healthNames(services) });
  const server = new grpc.Server({
    // It would count every message, for a service that this port does not have.
    "grpc.enable_channelz": 0,
    "grpc.max_receive_message_length": maxMessageBytes,
    "grpc.max_concurrent_streams": maxConcurrentStreams,
    "grpc.keepalive_time_ms": receiveTimeoutMs,
    "grpc.keepalive_timeout_ms": receiveTimeoutMs,
    interceptors: [unaryCalls(options, streams.interceptor)],
  });
  for (const service of services) server.addService(definitionOf(service), {});
  const health = new HealthImplementation(
    Object.fromEntries(healthNames(services).map((name) => [name, "NOT_SERVING"])),
  );
  health.addToServer(server);
  addReflection(server, services);
  const paths = pathsOf(server);
  const pooled = poolsByPath(services);
  const unbounded = paths.filter((path) => !pooled.has(path));
  if (unbounded.length > 0) throw new Error(`no pool bounds the streams of ${unbounded.join(", ")}`);
  const addressAt = (each: number) => `${host.includes(":") ? `[${host}]` : host}:${each}`;
  const boundPort = await new Promise<number>((resolve, reject) => {
    server.bindAsync(addressAt(port), credentials, (error, bound) => (error === null ? resolve(bound) : reject(error)));
  });
  guardStreams(server, { pools, poolsByPath: pooled, addressOf });
  return {
    port: boundPort,
    paths,
    setServing(isServing) {
      for (const name of healthNames(services)) health.setStatus(name, isServing ? "SERVING" : "NOT_SERVING");
    },
    endConnections: () => server.drain(addressAt(boundPort), longestCallMs),
    stop(drainMs) {
      const stopped = stop(server, drainMs);
      streams.end();
      return stopped;
    },
  };
}

/** The rpcs that a server has. They have no public name. */
function pathsOf(server: grpc.Server): string[] {
  return [...(server as unknown as { readonly handlers: ReadonlyMap<string, unknown> }).handlers.keys()];
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

/** Tells grpc-js which rpcs there are; `unaryCalls` serves them, with bytes that pass through unread. */
function definitionOf(service: DescService): grpc.ServiceDefinition {
  return Object.fromEntries(
    service.methods.map((method) => [
      method.localName,
      {
        path: pathOf(method as DescMethodUnary),
        requestStream: false,
        responseStream: false,
        requestSerialize: (bytes: Buffer) => bytes,
        requestDeserialize: (bytes: Buffer) => bytes,
        responseSerialize: (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
        responseDeserialize: (bytes: Buffer) => bytes,
      },
    ]),
  );
}

/** Lets tools such as `buf curl` and grpcurl find the services, health included. */
function addReflection(server: grpc.Server, services: readonly DescService[]): void {
  const open = once(async () => (await import("./reflection.ts")).openReflection([...services, Health]));
  const asItIs = (bytes: Buffer) => bytes;
  for (const path of reflectionPaths) {
    const enter = async (call: BytesCall) => {
      try {
        const serve = await open();
        serve(path, call);
      } catch {
        call.emit("error", { code: grpc.status.INTERNAL, details: "There is no reflection." });
      }
    };
    server.register(path, enter, asItIs, asItIs, "bidi");
  }
}
