// The HTTP port: one Fastify server for REST, Connect and the operators' routes, on which every error is a problem.

import type { IncomingMessage, ServerResponse } from "node:http";
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import { toRequestId } from "../../kernel/calls/core.ts";
import { details } from "../../kernel/errors/details.ts";
import { CallerGone, Refusal } from "../../kernel/errors/refusal.ts";
import { Connections } from "../../limits/connections.ts";
import type { MemoryBudget } from "../../limits/memory.ts";
import { normalizeBodyHeaders } from "./bodies.ts";
import { answerBrokenRequests } from "./broken-requests.ts";
import { toProblem, unknownAddressError } from "./problem.ts";
import {
  createAddressReader,
  createProxyTest,
  getRecord,
  type OpenConnections,
  observeRequests,
  type RequestObserver,
} from "./request-record.ts";
import { closeWithoutResponse } from "./send.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The caller's network address: the peer's, or the one that a trusted proxy names. */
    callerAddress: string;
  }
}

const maxHeaderBytes = 16 * 1024;
const maxPathSegmentLength = 4096;
const idleSweepMs = 50;

export interface HttpServerOptions {
  readonly publicUrl: () => string;
  /** A request has to arrive completely within this time, and the rest of one that is answered early within as much again. */
  readonly receiveTimeoutMs: number;
  /** Networks whose X-Forwarded-For is trusted, in CIDR notation. */
  readonly trustedProxies: readonly string[];
  /** Shared with the gRPC port. */
  readonly connectionMemory: MemoryBudget;
  /** Receives errors of requests that no call of the pipeline has reported. */
  readonly reportDefect: (error: unknown, requestId: string) => void;
  /** Aborts when the service is about to stop: it still serves, with `connection: close`. */
  readonly leaving: AbortSignal;
  /** Notified of every request when it is over. */
  readonly requestObserver: RequestObserver;
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal;
  /** The address to route instead of one that cannot be routed; undefined: none, it is a problem. */
  readonly repairUrl?: (url: string) => string | undefined;
}

/** A server without routes. No URL, which may hold external ids, goes into a response or a log. */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { publicUrl } = options;
  const resolveAddress = createAddressReader(options.trustedProxies);
  const open: OpenConnections = new WeakMap();
  const respond = (refusal: Refusal, request: FastifyRequest, reply: FastifyReply) => {
    getRecord(request.raw).code = refusal.code;
    const { status, headers, body } = toProblem(refusal, publicUrl(), request.id);
    return reply
      .code(status)
      .headers({ ...headers, "x-request-id": request.id })
      .serializer((text: string) => text)
      .send(body);
  };

  const app: FastifyInstance = fastify({
    logger: false,
    requestIdHeader: false,
    genReqId: (request) => toRequestId(request.headers["x-request-id"]?.toString()),
    requestTimeout: options.receiveTimeoutMs,
    keepAliveTimeout: 72_000,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    http: {
      requireHostHeader: false,
      // Node would silently take the first of several values.
      joinDuplicateHeaders: true,
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: options.receiveTimeoutMs,
      connectionsCheckingInterval: Math.ceil(options.receiveTimeoutMs / 3),
    },
    // Otherwise Fastify loads its compilers.
    schemaController: { compilersFactory: { buildValidator: rejectSchemas, buildSerializer: rejectSchemas } },
    routerOptions: { maxParamLength: maxPathSegmentLength },
    clientErrorHandler: answerBrokenRequests(publicUrl, options.requestObserver, open, options.receiveTimeoutMs),
    frameworkErrors: (error, request, reply) => {
      const url = options.repairUrl?.(request.url);
      if (url !== undefined) {
        request.raw.url = url;
        return app.routing(request.raw, reply.hijack().raw);
      }
      getRecord(request.raw).fastifyRequest = request as FastifyRequest;
      respond(toFrameworkRefusal(error), request as FastifyRequest, reply as FastifyReply);
    },
  });
  app.decorateRequest("callerAddress", "");
  const connections = new Connections(options.connectionMemory, createProxyTest(options.trustedProxies));
  observeRequests(app.server, options.requestObserver, open, connections);
  // Without a listener Node answers them itself.
  app.server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    app.server.emit("request", request, response);
  });

  app.addHook("onRequest", (request, reply, done) => {
    const { raw } = request;
    const peer = raw.socket.remoteAddress;
    // Requests still come out of what was read from a connection before it was closed.
    if (raw.socket.destroyed || raw.socket.writableEnded || peer === undefined) {
      closeWithoutResponse(request, reply);
      return;
    }
    normalizeBodyHeaders(raw.headers);
    request.callerAddress = resolveAddress(peer, raw.headers["x-forwarded-for"]?.toString());
    getRecord(raw).fastifyRequest = request;
    reply.headers({ "x-request-id": request.id, "x-content-type-options": "nosniff" });
    if (options.leaving.aborted) reply.header("connection", "close");
    const refusal = findRefusal(request, options);
    // Routes read bodies themselves, and unknown addresses must not parse one.
    if (refusal === undefined && request.is404) done(unknownAddressError(request.method));
    else done(refusal);
  });

  app.setErrorHandler((error: FastifyError | Refusal | CallerGone, request, reply) => {
    if (error instanceof CallerGone) return closeWithoutResponse(request, reply);
    const refusal = error instanceof Refusal ? error : toFrameworkRefusal(error);
    if (refusal !== error && refusal.code === "internal") {
      options.reportDefect(error, request.id);
      getRecord(request.raw).isReported = true;
    }
    return respond(refusal, request, reply);
  });
  app.setNotFoundHandler((request, reply) => {
    respond(unknownAddressError(request.method), request, reply);
  });
  return app;
}

/** No compilers: bodies are checked where they are read, responses are written as they are. */
function rejectSchemas(): never {
  throw new Error("no route has a schema");
}

/** The refusal of a request before it is routed, if it is refused. */
function findRefusal({ url, raw }: FastifyRequest, { stopping }: HttpServerOptions): Refusal | undefined {
  if (url === "/livez" || url === "/readyz") return undefined;
  if (stopping.aborted) return new Refusal("unavailable", "The service is stopping.");
  if (hasBadHost(raw)) return new Refusal("malformed_request", "Host is missing, repeated or empty.");
  if (raw.headers.expect !== undefined && !/100-continue/i.test(raw.headers.expect)) {
    return new Refusal("malformed_request", "This expectation is not supported.");
  }
  return undefined;
}

/** Whether an HTTP/1.1 request has no Host, an empty one, or several, which are joined. */
function hasBadHost({ httpVersion, headers: { host } }: IncomingMessage): boolean {
  return host === undefined ? httpVersion !== "1.0" : !URL.canParse(`http://${host}/`);
}

/** The refusal for an error of Fastify. */
function toFrameworkRefusal(error: FastifyError): Refusal {
  switch (error.code) {
    case "FST_ERR_BAD_URL":
      return new Refusal("malformed_request", "The URL cannot be decoded.");
    case "FST_ERR_MAX_PARAM_LENGTH":
      return new Refusal("uri_too_long", `A path segment has at most ${maxPathSegmentLength} characters.`);
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new Refusal("unsupported_media_type", details.unsupported_media_type);
    default:
      return new Refusal("internal", details.internal);
  }
}

/** Listens. @returns the URL of the port from this machine. @param port 0 takes a free one */
export async function listen(http: FastifyInstance, host: string, port: number): Promise<string> {
  await http.listen({ host, port });
  const address = http.server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return formatUrl(host, bound);
}

/** The URL of a port. */
export function formatUrl(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** The path of the public URL, which a proxy in front removes; may be empty. @param publicUrl without a slash at its end */
export function readBasePath(publicUrl: string): string {
  return publicUrl.replace(/^https?:\/\/[^/]+/i, "");
}

/** Lets running requests end, and closes the others when the time is over. */
export async function closeHttp(http: FastifyInstance, drainMs: number): Promise<void> {
  const cut = setTimeout(() => http.server.closeAllConnections(), drainMs);
  // Node closes idle connections once; those that become idle later would delay the stop.
  const sweep = setInterval(() => http.server.closeIdleConnections(), idleSweepMs);
  try {
    await http.close();
  } finally {
    clearTimeout(cut);
    clearInterval(sweep);
  }
}
