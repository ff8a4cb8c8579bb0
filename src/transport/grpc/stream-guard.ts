// What every stream of the gRPC port passes before grpc-js makes a call of it: its headers have a bound, and a pool holds
// it for its network. grpc-js has no place for that, so this stands between it and its HTTP/2 servers.
import type { Http2Server, Http2Session, IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import type { DescMethodUnary, DescService } from "@bufbuild/protobuf";
import type * as grpc from "@grpc/grpc-js";
import { Health } from "../../gen/health/v1/health_pb.ts";
import { IdleConnections } from "../../kernel/calls/idle-connections.ts";
import { networkOf } from "../../kernel/calls/network.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { leaveUnread, refuse } from "./close-call.ts";
import { toGrpcStatus } from "./status.ts";
import { maxHeaderListBytes, type PoolName, type StreamPools } from "./stream-bounds.ts";
import { pathOf } from "./unary-calls.ts";

/** What HTTP/2 adds for each header (RFC 9113 section 6.5.2). */
const bytesByHeader = 32;
/** grpc-js keeps a header as text, and decodes those in binary beside that. */
const copies = 2;

const headersTooLarge = new Refusal("headers_too_large", `The headers have at most ${maxHeaderListBytes} bytes.`);

export interface StreamGuardOptions {
  readonly pools: StreamPools;
  /** The pool of each rpc, by path. Streams of other paths are calls. */
  readonly poolsByPath: ReadonlyMap<string, PoolName>;
  /** The caller's address: the peer's, or the one that a trusted proxy names. */
  readonly addressOf: (peer: string, forwardedFor: string | undefined) => string;
}

export const reflectionPaths = ["v1", "v1alpha"].map(
  (version) => `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
);

/** The pool that holds the streams of each rpc from their headers on, by path. */
export function poolsByPath(services: readonly DescService[]): ReadonlyMap<string, PoolName> {
  const ofServices = services.flatMap(({ methods }) => methods as DescMethodUnary[]);
  return new Map<string, PoolName>([
    ...[...ofServices, Health.method.check, Health.method.list].map((method) => [pathOf(method), "calls"] as const),
    [pathOf(Health.method.watch), "watches"],
    ...reflectionPaths.map((path) => [path, "reflection"] as const),
  ]);
}

type OnStream = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, flags: number, list: string[]) => void;

/** Guards a server that listens. Clients are told how long headers may be, and held to it even if they do not listen. */
export function guardStreams(server: grpc.Server, options: StreamGuardOptions): void {
  for (const http2 of http2ServersOf(server)) {
    http2.updateSettings({ maxHeaderListSize: maxHeaderListBytes });
    const serving = http2.listeners("stream") as OnStream[];
    http2.removeAllListeners("stream");
    http2.on("stream", guarded((...args) => serving.forEach((serve) => void serve(...args)), options) as never);
    limitIdleSessions(http2);
  }
}

/** Bounds the connections of each network on which there is no stream. */
function limitIdleSessions(http2: Http2Server): void {
  const connections = new IdleConnections<Http2Session>((session) => session.destroy());
  const streams = new WeakMap<Http2Session, number>();
  http2.on("session", (session) => {
    const address = session.socket.remoteAddress;
    if (address === undefined) return session.destroy();
    connections.open(session, address);
    session.once("close", () => connections.end(session));
  });
  http2.on("stream", (stream: ServerHttp2Stream) => {
    const { session } = stream;
    if (session === undefined) return;
    streams.set(session, (streams.get(session) ?? 0) + 1);
    connections.work(session);
    stream.once("close", () => {
      const left = (streams.get(session) ?? 1) - 1;
      streams.set(session, left);
      if (left === 0 && !session.destroyed) connections.rest(session);
    });
  });
}

function guarded(serve: OnStream, { pools, poolsByPath, addressOf }: StreamGuardOptions): OnStream {
  return (stream, headers, flags, list) => {
    stream.on("error", ignore);
    stream.once("close", letGo);
    const peer = stream.session?.socket.remoteAddress;
    if (peer === undefined) return stream.destroy();
    const network = networkOf(addressOf(peer, headers["x-forwarded-for"]?.toString()));
    const bytes = listBytes(list);
    if (bytes > maxHeaderListBytes) {
      pools.calls.enter(stream, network, 0);
      refuse(stream, toGrpcStatus(headersTooLarge, false));
      return leaveUnread(stream);
    }
    const pool = poolsByPath.get(headers[":path"] ?? "") ?? "calls";
    pools[pool].enter(stream, network, copies * bytes);
    serve(stream, headers, flags, list);
  };
}

function ignore(): void {}

/** Node keeps a closed stream until all of the heap is collected, and with it whatever listens to it: the whole call. */
function letGo(this: ServerHttp2Stream): void {
  setImmediate(() => this.removeAllListeners().on("error", ignore));
}

/** The size of headers as HTTP/2 counts it. @param list names and values in turn */
function listBytes(list: readonly string[]): number {
  return list.reduce((sum, each) => sum + each.length, (bytesByHeader * list.length) / 2);
}

/** They have no public name. */
function http2ServersOf(server: grpc.Server): Http2Server[] {
  return [...(server as unknown as { readonly http2Servers: ReadonlyMap<Http2Server, unknown> }).http2Servers.keys()];
}
