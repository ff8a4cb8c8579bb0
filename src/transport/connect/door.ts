// The Connect door: the same rpcs over HTTP/1.1 for browsers, curl and TypeScript clients, as Connect and gRPC-Web. A
// handler of our own, since that of the library unpacks and decodes a message before anybody asks who sends it.
import type { IncomingMessage } from "node:http";
import type { DescMethodUnary, DescService, Message } from "@bufbuild/protobuf";
import { parseContentType as parseConnectType } from "@connectrpc/connect/protocol-connect";
import { parseContentType as parseGrpcWebType } from "@connectrpc/connect/protocol-grpc-web";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { BodyBudget } from "../../kernel/calls/body-budget.ts";
import type { CallOrigin, Core, IncomingCall, ReadLimits } from "../../kernel/calls/core.ts";
import { metadata, traceparentOf, tracestateOf } from "../../kernel/calls/metadata.ts";
import { CallerGone, Refusal } from "../../kernel/errors/refusal.ts";
import type { Announcements } from "../../kernel/rpc-options/deprecations.ts";
import { pathOf } from "../grpc/unary-calls.ts";
import { markRefused, markReported } from "../http/request-record.ts";
import { unreached } from "../http/served.ts";
import { responseEncoder } from "../wire/encode-binary.ts";
import { connectWire } from "./connect-wire.ts";
import { grpcWebWire } from "./grpc-web-wire.ts";
import { type EncodableRpc, headerOf, type Wire, type WireResponse } from "./wire.ts";

const acceptedTypes = "application/json, application/proto, application/grpc-web+proto, application/grpc-web+json";

export interface ConnectDoorOptions {
  readonly core: Core;
  readonly services: readonly DescService[];
  /** Of all bodies that are arriving, over every door. */
  readonly budget: BodyBudget;
  /** What responses say of rpcs that callers should leave. Unset: nothing. */
  readonly announcements?: Announcements;
}

/** A route for every rpc. Requests are served before Fastify would look at their bodies. */
export function connectDoor({ core, services, budget, announcements }: ConnectDoorOptions): FastifyPluginAsync {
  return async (app) => {
    for (const service of services) {
      for (const each of service.methods) {
        const method = each as DescMethodUnary;
        const rpc = { method, encode: responseEncoder(method.output) };
        const serve = (request: FastifyRequest, reply: FastifyReply) => serveRpc(rpc, { core, budget }, request, reply);
        const headers = announcements?.(method);
        const announce = async (_request: FastifyRequest, reply: FastifyReply) => void reply.headers(headers?.() ?? {});
        app.post(pathOf(method), { onRequest: headers === undefined ? serve : [announce, serve] }, unreached);
      }
    }
  };
}

type ConnectDeps = Pick<ConnectDoorOptions, "core" | "budget">;

async function serveRpc(
  rpc: EncodableRpc,
  deps: ConnectDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const wire = wireOf(request.raw);
  if (wire === undefined) {
    markRefused(request, "unsupported_media_type");
    return reply.code(415).header("accept-post", acceptedTypes).send();
  }
  return send(reply, await responseTo(rpc, deps, { request, reply }, wire));
}

async function responseTo(
  rpc: EncodableRpc,
  { core, budget }: ConnectDeps,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  wire: Wire,
): Promise<WireResponse> {
  try {
    const call = new ConnectCall(rpc.method, request, wire, budget, () => reply.header(metadata.testData, "true"));
    return await wire.respond(rpc, await called(core, call, request));
  } catch (error) {
    if (error instanceof CallerGone) throw error;
    const refusal = error instanceof Refusal ? error : new Refusal("internal", "The response is lost.");
    markRefused(request, refusal.code);
    return wire.refuse(refusal);
  }
}

async function called(core: Core, call: ConnectCall, request: FastifyRequest): Promise<Message> {
  try {
    return await core.call(call);
  } catch (error) {
    markReported(request);
    throw error;
  }
}

class ConnectCall implements IncomingCall {
  readonly method: DescMethodUnary;
  readonly origin: CallOrigin;
  readonly timeoutMs: number | undefined;
  readonly #request: IncomingMessage;
  readonly #wire: Wire;
  readonly #budget: BodyBudget;
  readonly onTestData: () => void;

  constructor(
    method: DescMethodUnary,
    request: FastifyRequest,
    wire: Wire,
    budget: BodyBudget,
    onTestData: () => void,
  ) {
    this.onTestData = onTestData;
    this.method = method;
    this.#request = request.raw;
    this.#wire = wire;
    this.#budget = budget;
    this.timeoutMs = wire.timeoutMs();
    this.origin = {
      door: "connect",
      address: request.callerAddress,
      requestId: request.id,
      traceparent: traceparentOf(headerOf(request.raw, metadata.traceparent)),
      tracestate: tracestateOf(headerOf(request.raw, metadata.tracestate)),
      isTrusted: false,
    };
  }

  header(name: string): string | undefined {
    return headerOf(this.#request, name);
  }

  read(limits: ReadLimits) {
    return this.#wire.read(this.method, limits, this.#budget);
  }
}

function wireOf(request: IncomingMessage): Wire | undefined {
  const type = headerOf(request, "content-type") ?? null;
  const connect = parseConnectType(type);
  if (connect !== undefined)
    return connect.stream ? undefined : connectWire(request, connect.binary ? "proto" : "json");
  const grpcWeb = parseGrpcWebType(type);
  if (grpcWeb === undefined || grpcWeb.text) return undefined;
  return grpcWebWire(request, grpcWeb.binary ? "proto" : "json");
}

function send(reply: FastifyReply, { status, headers, body }: WireResponse): FastifyReply {
  return reply
    .code(status)
    .headers(headers)
    .send(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
}
