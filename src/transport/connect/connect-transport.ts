// The Connect transport: the same rpcs over HTTP/1.1 for browsers, curl and TypeScript clients, as Connect and
// gRPC-Web, by the library's plug-in for Fastify.
import type { DescMethodUnary, DescService } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import {
  type ConnectRouter,
  type ConnectRouterOptions,
  createContextKey,
  createContextValues,
  type HandlerContext,
} from "@connectrpc/connect";
import { fastifyConnectPlugin } from "@connectrpc/connect-fastify";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { BodyBudget } from "../../kernel/calls/body-budget.ts";
import { type Core, maxBytesOf, type ReadLimits } from "../../kernel/calls/core.ts";
import { requiredScope } from "../../kernel/rpc-options/audit-rules.ts";
import type { DeprecationHeaders, DeprecationHeadersOf } from "../../kernel/rpc-options/deprecations.ts";
import { pathOf } from "../grpc/unary-calls.ts";
import { Problem } from "../http/problem.ts";
import { markRefused } from "../http/request-record.ts";
import { ConnectCall, type ConnectRequest, callKey } from "./connect-call.ts";
import { arriving, gzip, messageBody } from "./message-bytes.ts";
import { requestForm, takeTimeout } from "./request-form.ts";

const acceptedTypes = "application/json, application/proto, application/grpc-web+proto, application/grpc-web+json";

declare module "fastify" {
  interface FastifyRequest {
    /** What a request to the Connect transport is, once its type is known. */
    connectRequest: ConnectRequest | undefined;
  }
}

export interface ConnectTransportOptions {
  readonly core: Core;
  readonly services: readonly DescService[];
  /** Of all bodies that are arriving, over every transport. */
  readonly budget: BodyBudget;
  /** What responses say of rpcs that callers should leave. Unset: nothing. */
  readonly deprecationHeaders?: DeprecationHeadersOf;
}

interface Rpc {
  readonly method: DescMethodUnary;
  /** Most bytes of its message. */
  readonly maxBytes: number;
  /** Methods of HTTP that it is called with. */
  readonly httpMethods: readonly string[];
  readonly deprecationHeaders: (() => DeprecationHeaders) | undefined;
}

const requestKey = createContextKey<ConnectRequest | undefined>(undefined, { description: "request" });

/** The rpcs of the services, each at its path. */
export function connectTransport({
  core,
  services,
  budget,
  deprecationHeaders,
}: ConnectTransportOptions): FastifyPluginAsync {
  const rpcs = new Map<string, Rpc>();
  for (const service of services) {
    for (const method of service.methods) {
      const rpc = rpcOf(method as DescMethodUnary, deprecationHeaders);
      rpcs.set(pathOf(rpc.method), rpc);
    }
  }
  return async (app) => {
    app.decorateRequest("connectRequest", undefined);

    app.addHook("onRequest", async (request, reply) => {
      const rpc = rpcs.get(request.routeOptions.url ?? "");
      if (rpc !== undefined) return begin(rpc, request, reply);
    });

    app.addHook("preHandler", (request, _reply, done) => {
      const { connectRequest } = request;
      if (connectRequest === undefined) return done();
      const { form, method } = connectRequest;
      const deprecationHeaders = { form, schema: method.input };
      if (form.query === undefined)
        request.body = messageBody(request.raw, deprecationHeaders, () => limitsOf(connectRequest), budget);
      arriving.run(deprecationHeaders, done);
    });

    await app.register(fastifyConnectPlugin, {
      acceptCompression: [gzip],
      jsonOptions: { ignoreUnknownFields: false },
      binaryOptions: { readUnknownFields: false },
      contextValues: ({ connectRequest }) => createContextValues().set(requestKey, connectRequest),
      requestGate: (context) => enter(core, context),
      routes(router) {
        for (const { method, maxBytes } of rpcs.values()) addRpc(router, method, maxBytes);
      },
    });
  };
}

function rpcOf(method: DescMethodUnary, deprecationHeaders: DeprecationHeadersOf | undefined): Rpc {
  const isRead = method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
  return {
    method,
    maxBytes: maxBytesOf(requiredScope(method)),
    httpMethods: isRead ? ["GET", "POST"] : ["POST"],
    deprecationHeaders: deprecationHeaders?.(method),
  };
}

function addRpc(router: ConnectRouter, method: DescMethodUnary, readMaxBytes: number): void {
  const respond = (message: Parameters<ConnectCall["respond"]>[0], { values }: HandlerContext) => {
    const call = values.get(callKey);
    if (call === undefined) throw new Error("a message came past the gate");
    return call.respond(message);
  };
  // gRPC has a port of its own.
  const options: ConnectRouterOptions = { grpc: false, readMaxBytes };
  router.rpc(method, respond, options);
}

/** Refuses what the library would answer without a word. */
async function begin(rpc: Rpc, request: FastifyRequest, reply: FastifyReply) {
  const { raw } = request;
  const { method, maxBytes, httpMethods, deprecationHeaders } = rpc;
  // Node tells of a caller that leaves by an error, and the library may have stopped listening: nobody would, and the
  // process would end.
  raw.on("error", () => undefined);
  // A request of HTTP/1.0 needs none, and the library does.
  if (raw.headers.host === undefined) throw new Problem("malformed_request", "Host is missing.");
  if (!httpMethods.includes(request.method)) {
    const allow = httpMethods.join(", ");
    throw new Problem("method_not_allowed", `Allowed here: ${allow}.`, { headers: { allow } });
  }
  // A GET request might be kept by a cache otherwise.
  reply.headers({ ...deprecationHeaders?.(), "cache-control": "no-store" });
  const form = requestForm(raw);
  if (form === undefined) {
    markRefused(request, "unsupported_media_type");
    return reply.code(415).header("accept-post", acceptedTypes).send();
  }
  request.connectRequest = { method, request, form, timeoutMs: takeTimeout(raw, form), maxBytes, limits: undefined };
}

function limitsOf({ limits }: ConnectRequest): ReadLimits {
  if (limits === undefined) throw new Error("a message is read that the pipeline did not ask for");
  return limits;
}

async function enter(core: Core, context: HandlerContext): Promise<void> {
  const request = context.values.get(requestKey);
  if (request === undefined) throw new Error("a call without its request");
  const call = new ConnectCall(context, request);
  context.values.set(callKey, call);
  await call.pass(core);
}
