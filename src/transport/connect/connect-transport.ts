// The Connect transport: the same rpcs over HTTP/1.1 for browsers, curl and TypeScript clients, as Connect and gRPC-Web, by
// the library's plug-in for Fastify. The call is made in the plug-in's gate, before the library would read a body, because
// the pipeline reads a message only once it knows the caller.
import type { DescMethodUnary, DescService, Message } from "@bufbuild/protobuf";
import { Code, ConnectError, createContextKey, createContextValues, type HandlerContext } from "@connectrpc/connect";
import { createAsyncIterable, encodeEnvelope } from "@connectrpc/connect/protocol";
import { fastifyConnectPlugin } from "@connectrpc/connect-fastify";
import { compressionGzip } from "@connectrpc/connect-node";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { type Core, headerNames, makeCall } from "../../kernel/calls/core.ts";
import { CallerGone, Refusal, toRefusal } from "../../kernel/errors/refusal.ts";
import { createDeprecationHeaders, type DeprecationHeaders } from "../../kernel/rpc-options.ts";
import type { ArrivingMessages } from "../../limits/memory.ts";
import { toConnectError, trailerLimits } from "../grpc/status.ts";
import { mapRpcs } from "../grpc/unary-calls.ts";
import { methodNotAllowedError } from "../http/problem.ts";
import { createCallHead, getRecord, readHeader } from "../http/request-record.ts";
import { compress } from "../http/send.ts";
import { createMessageReader, type MessageForm, takeForm } from "./read-message.ts";

const acceptedTypes = "application/json, application/proto, application/grpc-web+proto, application/grpc-web+json";

declare module "fastify" {
  interface FastifyRequest {
    connectCall: ConnectCall | undefined;
  }
}

export interface ConnectTransportOptions {
  readonly core: Core;
  readonly services: readonly DescService[];
  /** Messages that are arriving, over every transport. */
  readonly bodies: ArrivingMessages;
  readonly publicUrl: () => string;
}

interface Rpc {
  readonly method: DescMethodUnary;
  readonly readMessage: ReturnType<typeof createMessageReader>;
  readonly deprecation: DeprecationHeaders | undefined;
}

/** A call, once the type of its message is known. */
interface ConnectCall {
  readonly rpc: Rpc;
  readonly request: FastifyRequest;
  readonly form: MessageForm;
  /** Undefined until the gate has it. */
  response: Message | undefined;
}

const callKey = createContextKey<ConnectCall | undefined>(undefined, { description: "call" });

/** The rpcs of the services, each at its path. */
export function createConnectTransport(options: ConnectTransportOptions): FastifyPluginAsync {
  const { core, services, bodies, publicUrl } = options;
  const rpcs = mapRpcs<Rpc>(services, (method) => ({
    method,
    readMessage: createMessageReader(method.input, bodies),
    deprecation: createDeprecationHeaders(method, publicUrl),
  }));
  return async (app) => {
    app.decorateRequest("connectCall", undefined);
    app.addHook("onRequest", async (request, reply) => {
      const rpc = rpcs.get(request.routeOptions.url ?? "");
      if (rpc !== undefined) return acceptRequest(rpc, request, reply);
    });
    app.addHook("preHandler", async (request) => {
      if (request.connectCall !== undefined) request.body = createEmptyMessage(request.connectCall);
    });
    await app.register(fastifyConnectPlugin, {
      // gRPC has a port of its own.
      grpc: false,
      acceptCompression: [{ ...compressionGzip, compress }],
      contextValues: ({ connectCall }) => createContextValues().set(callKey, connectCall),
      requestGate: async (context) => {
        const call = context.values.get(callKey);
        if (call === undefined) throw new Error("a call without its request");
        call.response = await callCore(core, context, call);
      },
      routes(router) {
        for (const { method } of rpcs.values()) router.rpc(method, takeResponse);
      },
    });
  };
}

/** The response that the gate has got for a call. */
function takeResponse(_message: Message, { values }: HandlerContext): Message {
  const response = values.get(callKey)?.response;
  if (response === undefined) throw new Error("a message bypassed the gate");
  return response;
}

/** The library gets an empty message: the call was made in the gate. */
function createEmptyMessage({ form }: ConnectCall): unknown {
  if (form.isGrpcWeb) return createAsyncIterable([encodeEnvelope(0, Buffer.from(form.isJson ? "{}" : ""))]);
  return form.isJson ? {} : new Uint8Array();
}

/** Refuses what the library would answer with an empty body. */
async function acceptRequest(rpc: Rpc, request: FastifyRequest, reply: FastifyReply) {
  const { raw } = request;
  // Node emits an error if the caller leaves. The library may have stopped listening by then, and an unhandled error would
  // end the process.
  raw.on("error", () => undefined);
  // HTTP/1.0 requests may come without a Host, but the library requires one.
  if (raw.headers.host === undefined) throw new Refusal("malformed_request", "Host is missing.");
  // Reads by GET would gain nothing: a browser asks before it sends a token, and no cache may keep the response.
  if (request.method !== "POST") throw methodNotAllowedError(["POST"]);
  reply.headers({ ...rpc.deprecation?.(), "cache-control": "no-store" });
  const form = takeForm(raw);
  if (form === undefined) {
    getRecord(request.raw).code = "unsupported_media_type";
    return reply.code(415).header("accept-post", acceptedTypes).send();
  }
  request.connectCall = { rpc, request, form, response: undefined };
}

const timeoutFormat =
  "The timeout is invalid. Send milliseconds in `Connect-Timeout-Ms`, or over gRPC-Web a value such as `5S` in `Grpc-Timeout`.";

/** Calls the core. Throws the error that the library sends. */
async function callCore(core: Core, { responseHeader }: HandlerContext, call: ConnectCall): Promise<Message> {
  const { request, form, rpc } = call;
  const head = createCallHead(request, "connect", (name) => readHeader(request, name), form.timeoutMs);
  try {
    if (Number.isNaN(form.timeoutMs)) throw new Refusal("malformed_request", timeoutFormat);
    return await makeCall(core, rpc.method, head, (limits) => rpc.readMessage(request.raw, form, limits));
  } catch (thrown) {
    const error = toRefusal(thrown);
    if (!Number.isNaN(form.timeoutMs)) getRecord(request.raw).isReported = true;
    if (error instanceof CallerGone) throw new ConnectError(error.message, Code.Aborted);
    getRecord(request.raw).code = error.code;
    throw toConnectError(error, form.isGrpcWeb ? trailerLimits : undefined);
  } finally {
    if (head.context.isTestData) responseHeader.set(headerNames.testData, "true");
  }
}
