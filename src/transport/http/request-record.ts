// The record of each request, which is reported once when it ends; the heads of its calls; the caller's address behind proxies.
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { isIP, type Socket } from "node:net";
import { compile } from "@fastify/proxy-addr";
import type { FastifyRequest } from "fastify";
import { CallContext, type CallHead, headerNames, parseTraceparent } from "../../kernel/calls/core.ts";
import { monotonic } from "../../kernel/environment.ts";
import type { ErrorCode } from "../../kernel/errors/error-table.ts";
import type { RequestEvent, Transport } from "../../kernel/telemetry.ts";
import type { Connection, Connections } from "../../limits/connections.ts";

/** Notified of every request when it is over. */
export type RequestObserver = (event: RequestEvent) => void;

interface OpenConnection {
  /** Its memory; undefined without a limit. */
  readonly memory: Connection | undefined;
  /** Unfinished responses, in the order of their requests. */
  readonly unanswered: Set<ServerResponse>;
}

/** The connections of a server. */
export type OpenConnections = WeakMap<Socket, OpenConnection>;

/** Most requests of a connection without a response: no client sends more ahead. */
const maxUnanswered = 64;

interface RequestRecord {
  /** As Fastify has it; undefined until then. */
  fastifyRequest: FastifyRequest | undefined;
  /** The reason for which it is refused, if it is. */
  code: ErrorCode | undefined;
  /** Whether a call of the pipeline, or a defect, was already reported for it. */
  isReported: boolean;
  /** The context of its last call; undefined: it has made none. */
  context: CallContext | undefined;
}

const record = Symbol("record");
type RecordedRequest = IncomingMessage & { [record]?: RequestRecord };

/** Methods with a label of their own in metrics. Node knows three dozen, and anybody may send them. */
const commonMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** The record of a request. */
export function getRecord(request: IncomingMessage): RequestRecord {
  const recordedRequest = request as RecordedRequest;
  recordedRequest[record] ??= { fastifyRequest: undefined, code: undefined, isReported: false, context: undefined };
  return recordedRequest[record];
}

/**
 * Reports every request of a server to the observer, limits its connections, and closes those with too many unanswered ones.
 * @param open collects its connections
 */
export function observeRequests(
  server: Server,
  observer: RequestObserver,
  open: OpenConnections,
  connections: Connections,
): void {
  server.on("connection", (socket: Socket) => {
    open.set(socket, { memory: connections.add(socket), unanswered: new Set() });
  });
  // Before Fastify, which may respond at once.
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    const startedAt = monotonic();
    const { socket } = request;
    const connection = open.get(socket);
    if (connection !== undefined && connection.unanswered.add(response).size > maxUnanswered) socket.destroy();
    response.once("close", () => {
      const { fastifyRequest, code, isReported, context } = getRecord(request);
      connection?.unanswered.delete(response);
      if (context?.caller !== undefined) connection?.memory?.setCaller(context.caller);
      observer({
        route:
          fastifyRequest === undefined || fastifyRequest.is404 ? "none" : (fastifyRequest.routeOptions.url ?? "none"),
        method: commonMethods.has(request.method ?? "") ? (request.method ?? "") : "other",
        status: response.writableFinished ? response.statusCode : "gone",
        requestId: fastifyRequest?.id ?? "",
        code,
        isReported,
        seconds: (monotonic() - startedAt) / 1000,
        traceparent: parseTraceparent(request.headers.traceparent?.toString()),
      });
    });
  });
}

/**
 * A call before its message. The report of the request has the context of its last call.
 * @param header the metadata of a name
 */
export function createCallHead(
  request: FastifyRequest,
  transport: Transport,
  header: CallHead["header"],
  timeoutMs?: number,
): CallHead {
  const context = new CallContext();
  getRecord(request.raw).context = context;
  return {
    origin: {
      transport,
      address: request.callerAddress,
      requestId: request.id,
      traceparent: parseTraceparent(readHeader(request, headerNames.traceparent)),
      isTrusted: false,
    },
    timeoutMs,
    context,
    header,
  };
}

/** The value of a header. */
export function readHeader({ headers }: FastifyRequest, name: string): string | undefined {
  return headers[name]?.toString();
}

/** Longer lists of addresses are cut off: no chain of proxies is this long. */
const maxHops = 32;
/** An address with the port that some proxies append, for example `192.0.2.1:5678`, `[2001:db8::1]:443`, `[2001:db8::1]`. */
const withPort = /^(?:([0-9.]+):[0-9]{1,5}|\[([0-9A-Fa-f:.]+)\](?::[0-9]{1,5})?)$/;

/** Whether an address is that of a trusted proxy. @param trustedProxies networks in CIDR notation */
export function createProxyTest(trustedProxies: readonly string[]): (address: string) => boolean {
  const isTrusted = compile([...trustedProxies]);
  return (address) => isTrusted(address, 0);
}

/**
 * The caller's address: the peer's, or, if that is a trusted proxy, the last address of X-Forwarded-For that is not one. An
 * invalid hop counts as the hop that named it.
 * @param trustedProxies networks in CIDR notation
 */
export function createAddressReader(
  trustedProxies: readonly string[],
): (peer: string, forwardedFor: string | undefined) => string {
  const isTrusted = createProxyTest(trustedProxies);
  return (peer, forwardedFor) => {
    const hops = (forwardedFor ?? "").split(",").slice(-maxHops).reverse();
    let caller = peer;
    for (const hop of hops) {
      if (!isTrusted(caller)) break;
      const text = hop.trim();
      if (text === "") continue;
      const address = parseHop(text);
      if (address === undefined) break;
      caller = address;
    }
    return caller;
  };
}

/** The address of a hop; undefined if it is invalid. */
function parseHop(hop: string): string | undefined {
  const [, ipv4, ipv6] = withPort.exec(hop) ?? [];
  const address = ipv4 ?? ipv6 ?? hop;
  return isIP(address) === 0 ? undefined : address;
}
