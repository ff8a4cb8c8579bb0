// The Connect transport: the same rpcs over HTTP/1.1 for browsers, curl and TypeScript clients, as Connect and gRPC-Web, by
// the library's plug-in for Fastify. The call is made in the plug-in's gate, before the library would read a body, because
// the pipeline reads a message only once it knows the caller.
import type { DescMethodUnary, DescService, Message } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { createContextKey, createContextValues, type HandlerContext } from "@connectrpc/connect";
import { createAsyncIterable, encodeEnvelope } from "@connectrpc/connect/protocol";
import { fastifyConnectPlugin } from "@connectrpc/connect-fastify";
import { compressionGzip } from "@connectrpc/connect-node";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { Core } from "../../kernel/calls/core.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import type { SlowBodies } from "../../kernel/limits/slow-bodies.ts";
import { type DeprecationHeaders, deprecationHeaders } from "../../kernel/rpc-options.ts";
import { pathOf } from "../grpc/unary-calls.ts";
import { methodNotAllowed } from "../http/problem.ts";
import { markRefused } from "../http/request-record.ts";
import { compressed } from "../http/send.ts";
import { type ConnectRequest, callCore } from "./connect-call.ts";
import { messageForm, takeTimeout } from "./message-form.ts";
import { messageReader } from "./read-message.ts";

const acceptedTypes = "application/json, application/proto, application/grpc-web+proto, application/grpc-web+json";

declare module "fastify" {
  interface FastifyRequest {
    connectRequest: ConnectRequest | undefined;
  }
}

export interface ConnectTransportOptions {
  readonly core: Core;
  readonly services: readonly DescService[];
  /** Messages that are arriving, over every transport. */
  readonly bodies: SlowBodies;
  readonly publicUrl: () => string;
}

interface Rpc extends Pick<ConnectRequest, "method" | "readMessage"> {
  /** HTTP methods of the rpc. */
  readonly httpMethods: readonly string[];
  readonly deprecation: DeprecationHeaders | undefined;
}

const requestKey = createContextKey<ConnectRequest | undefined>(undefined, { description: "request" });
const responseKey = createContextKey<Message | undefined>(undefined, { description: "response" });

/** The rpcs of the services, each at its path. */
export function connectTransport(options: ConnectTransportOptions): FastifyPluginAsync {
  const { core, services, bodies, publicUrl } = options;
  const rpcs = new Map<string, Rpc>();
  for (const each of services.flatMap(({ methods }) => methods)) {
    const method = each as DescMethodUnary;
    const isRead = method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
    rpcs.set(pathOf(method), {
      method,
      readMessage: messageReader(method.input, bodies),
      httpMethods: isRead ? ["GET", "POST"] : ["POST"],
      deprecation: deprecationHeaders(method, publicUrl),
    });
  }
  return async (app) => {
    app.decorateRequest("connectRequest", undefined);
    app.addHook("onRequest", async (request, reply) => {
      const rpc = rpcs.get(request.routeOptions.url ?? "");
      if (rpc !== undefined) return begin(rpc, request, reply);
    });
    app.addHook("preHandler", async (request) => {
      if (request.connectRequest !== undefined) request.body = emptyMessage(request.connectRequest);
    });
    await app.register(fastifyConnectPlugin, {
      // gRPC has a port of its own.
      grpc: false,
      acceptCompression: [{ ...compressionGzip, compress: compressed }],
      contextValues: ({ connectRequest }) => createContextValues().set(requestKey, connectRequest),
      requestGate: async (context) => {
        const request = context.values.get(requestKey);
        if (request === undefined) throw new Error("a call without its request");
        context.values.set(responseKey, await callCore(core, context, request));
      },
      routes(router) {
        for (const { method } of rpcs.values()) router.rpc(method, responseOf);
      },
    });
  };
}

/** The response that the gate has got for a call. */
function responseOf(_message: Message, { values }: HandlerContext): Message {
  const response = values.get(responseKey);
  if (response === undefined) throw new Error("a message bypassed the gate");
  return response;
}

/** The library gets an empty message: the call was made in the gate. */
function emptyMessage({ form }: ConnectRequest): unknown {
  if (form.isGrpcWeb) return createAsyncIterable([encodeEnvelope(0, Buffer.from(form.isJson ? "{}" : ""))]);
  return form.isJson ? {} : new Uint8Array();
}

/** Refuses what the library would answer with an empty body. */
async function begin(rpc: Rpc, request: FastifyRequest, reply: FastifyReply) {
  const { raw } = request;
  const { method, readMessage, httpMethods, deprecation } = rpc;
  // Node emits an error if the caller leaves. The library may have stopped listening by then, and an unhandled error would
  // end the process.
  raw.on("error", () => undefined);
  // HTTP/1.0 requests may come without a Host, but the library requires one.
  if (raw.headers.host === undefined) throw new Refusal("malformed_request", "Host is missing.");
  if (!httpMethods.includes(request.method)) throw methodNotAllowed(httpMethods);
  // Otherwise a cache might keep the response to a GET request.
  reply.headers({ ...deprecation?.(), "cache-control": "no-store" });
  const form = messageForm(raw);
  if (form === undefined) {
    markRefused(request, "unsupported_media_type");
    return reply.code(415).header("accept-post", acceptedTypes).send();
  }
  request.connectRequest = { method, readMessage, request, form, timeoutMs: takeTimeout(raw, form) };
}
