// The HTTP port: one Fastify server for REST, Connect and the operators' routes, on which every error is a problem.

import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import { requestIdOf, traceparentOf } from "../../kernel/calls/core.ts";
import { details } from "../../kernel/errors/details.ts";
import { CallerGone, Refusal } from "../../kernel/errors/refusal.ts";
import type { CallTracing, RequestTrace } from "../../kernel/telemetry.ts";
import { normaliseBodyHeaders } from "./bodies/json-body.ts";
import { answerBrokenRequests, refuseTunnels } from "./broken-requests.ts";
import { limitIdleConnections } from "./idle-connections.ts";
import { nothingAtThisAddress, OAuthError, Problem, problemBody, problemHeaders, toProblem } from "./problem.ts";
import {
  addressBehind,
  markRefused,
  markReported,
  observeRequests,
  type RequestObserver,
  recordOf,
  type Unanswered,
} from "./request-record.ts";
import { sendJson } from "./send.ts";
import { drop } from "./served.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The caller's network address: the peer's, or the one that a trusted proxy names. */
    callerAddress: string;
  }
  interface FastifyReply {
    /** Sends a refusal without Fastify's error handling, which took as long as the rest of a refused call. */
    refuse(refusal: Refusal): FastifyReply;
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
  /** Receives errors of requests that no call of the pipeline has reported. */
  readonly reportDefect: (error: unknown, requestId: string) => void;
  /** Aborts when the service is about to stop: it still serves, with `connection: close`. Unset: it never is. */
  readonly leaving?: AbortSignal;
  /** Notified of every request when it is over. */
  readonly requestObserver: RequestObserver;
  /** Records a span of each request, for parts of the service that record no calls. */
  readonly tracing?: CallTracing | undefined;
  /** Aborts when the service stops. Unset: it never does. */
  readonly stopping?: AbortSignal;
  /** The address to route instead of one that cannot be routed; undefined: none, it is a problem. */
  readonly readableUrl?: (url: string) => string | undefined;
}

/** A server without routes. No URL, which may hold external ids, goes into a response or a log. */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { publicUrl } = options;
  const addressOf = addressBehind(options.trustedProxies);
  const now = () => performance.now() / 1000;
  const unanswered: Unanswered = new WeakMap();
  const respond = (problem: Problem, request: FastifyRequest, reply: FastifyReply) => {
    markRefused(request, problem.code);
    return reply
      .code(problem.status)
      .headers({ ...problemHeaders(problem), "x-request-id": request.id })
      .serializer((body: string) => body)
      .send(problemBody(problem, publicUrl(), request.id));
  };

  const app: FastifyInstance = fastify({
    logger: false,
    requestIdHeader: false,
    genReqId: (request) => requestIdOf(request.headers["x-request-id"]?.toString()),
    requestTimeout: options.receiveTimeoutMs,
    keepAliveTimeout: 72_000,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    http: {
      requireHostHeader: false,
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: options.receiveTimeoutMs,
      connectionsCheckingInterval: Math.ceil(options.receiveTimeoutMs / 3),
    },
    // Otherwise Fastify loads its compilers.
    schemaController: { compilersFactory: { buildValidator: withoutSchemas, buildSerializer: withoutSchemas } },
    routerOptions: { maxParamLength: maxPathSegmentLength },
    clientErrorHandler: answerBrokenRequests(publicUrl, options.requestObserver, unanswered, options.receiveTimeoutMs),
    frameworkErrors: (error, request, reply) => {
      const url = options.readableUrl?.(request.url);
      if (url !== undefined) {
        request.raw.url = url;
        return app.routing(request.raw, reply.hijack().raw);
      }
      recordOf(request.raw).requestId = request.id;
      respond(frameworkProblem(error), request as FastifyRequest, reply as FastifyReply);
    },
  });
  app.decorateRequest("callerAddress", "");
  app.decorateReply("refuse", function refuse(refusal) {
    const problem = toProblem(refusal);
    const { id } = this.request;
    const body = problemBody(problem, publicUrl(), id);
    markRefused(this.request, problem.code);
    const length = { "content-length": Buffer.byteLength(body) };
    const headers = { ...this.getHeaders(), ...problemHeaders(problem), ...length } as OutgoingHttpHeaders;
    this.hijack().raw.writeHead(problem.status, headers).end(body);
    return this;
  });
  observeRequests(app.server, options.requestObserver, unanswered, now);
  // Without a listener Node answers them itself.
  app.server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    app.server.emit("request", request, response);
  });
  refuseTunnels(app.server, publicUrl, options.requestObserver);
  limitIdleConnections(app.server, unanswered);

  app.addHook("onRequest", (request, reply, done) => {
    const { raw } = request;
    const peer = raw.socket.remoteAddress;
    // Requests still come out of what was read from a connection before it was closed.
    if (raw.socket.destroyed || raw.socket.writableEnded || peer === undefined) {
      drop(request, reply);
      return;
    }
    normaliseBodyHeaders(raw.headers);
    request.callerAddress = addressOf(peer, raw.headers["x-forwarded-for"]?.toString());
    const record = recordOf(raw);
    record.routed = request;
    record.requestId = request.id;
    record.traceparent = traceparentOf(raw.headers.traceparent?.toString());
    if (options.tracing !== undefined) record.trace = traceOf(request, record.traceparent, options.tracing);
    reply.headers({ "x-request-id": request.id, "x-content-type-options": "nosniff" });
    if (options.leaving?.aborted) reply.header("connection", "close");
    const problem = refusalOf(request, options);
    // Routes read bodies themselves, and unknown addresses must not parse one.
    if (problem === undefined && request.is404) done(nothingAtThisAddress());
    else done(problem);
  });

  app.setErrorHandler((error: FastifyError | Problem | Refusal | CallerGone | OAuthError, request, reply) => {
    if (error instanceof CallerGone) return drop(request, reply);
    if (error instanceof OAuthError) {
      const { status, headers, message, code } = error;
      markRefused(request, code);
      reply.code(status).headers(headers);
      return sendJson(reply, JSON.stringify({ error: error.error, error_description: message }));
    }
    const problem = problemOf(error);
    const isKnown = error instanceof Problem || error instanceof Refusal;
    if (problem.code === "internal" && !isKnown) {
      options.reportDefect(error, request.id);
      markReported(request);
    }
    return respond(problem, request, reply);
  });
  app.setNotFoundHandler((request, reply) => {
    respond(nothingAtThisAddress(), request, reply);
  });
  return app;
}

/** No compilers: bodies are checked where they are read, responses are written as they are. */
function withoutSchemas(): never {
  throw new Error("no route has a schema");
}

/** Whether a request is recorded, at random. */
function traceOf(request: FastifyRequest, traceparent: string | undefined, tracing: CallTracing): RequestTrace {
  const start = { name: nameOf(request), startedAt: performance.now() };
  return { ...start, span: tracing.sample({ ...start, traceparent }) };
}

/** The name of a request's span, for example `POST /v1/:product/sessions`: never its address. */
function nameOf({ method, is404, routeOptions }: FastifyRequest): string {
  return is404 ? method : `${method} ${routeOptions.url ?? "none"}`;
}

/** Why a request is refused before it is routed, if it is. */
function refusalOf({ url, raw }: FastifyRequest, { stopping }: HttpServerOptions): Problem | undefined {
  if (url === "/livez" || url === "/readyz") return undefined;
  if (stopping?.aborted) {
    return new Problem("unavailable", "The service is stopping.", { headers: { "retry-after": "1" } });
  }
  if (hasBadHost(raw)) return new Problem("malformed_request", "Host is missing, repeated or empty.");
  if (raw.headers.expect !== undefined && !/100-continue/i.test(raw.headers.expect)) {
    return new Problem("malformed_request", "This expectation is not supported.");
  }
  return undefined;
}

/** Whether an HTTP/1.1 request has no Host, an empty one, or several: Node would silently take the first. */
function hasBadHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let host: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== "host") continue;
    if (host !== undefined) return true;
    host = rawHeaders[index + 1] ?? "";
  }
  return host === undefined ? httpVersion !== "1.0" : !URL.canParse(`http://${host}/`);
}

function problemOf(error: FastifyError | Problem | Refusal): Problem {
  if (error instanceof Problem) return error;
  return error instanceof Refusal ? toProblem(error) : frameworkProblem(error);
}

/** The problem for an error of Fastify. */
function frameworkProblem(error: FastifyError): Problem {
  // A path that leads out of the documentation's files.
  if (error.statusCode === 403) return nothingAtThisAddress();
  switch (error.code) {
    case "FST_ERR_BAD_URL":
      return new Problem("malformed_request", "The URL cannot be decoded.");
    case "FST_ERR_MAX_PARAM_LENGTH":
      return new Problem("uri_too_long", `A path segment has at most ${maxPathSegmentLength} characters.`);
    default:
      return new Problem("internal", details.internal);
  }
}

/** Listens. @returns the URL of the port from this machine. @param port 0 takes a free one */
export async function listen(http: FastifyInstance, host: string, port: number): Promise<string> {
  await http.listen({ host, port });
  const address = http.server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return urlAt(host, bound);
}

/** The URL of a port. */
export function urlAt(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
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
