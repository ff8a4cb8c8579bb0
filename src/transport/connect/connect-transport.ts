// The Connect transport: the same rpcs over HTTP/1.1 for browsers, curl and TypeScript clients, as Connect and gRPC-Web. It has
// the library's codecs without its handlers, which read and decode a message in one step: here a call is admitted first.
import { type DescMethodUnary, type DescService, type Message, toBinary, toJsonString } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { ConnectError } from "@connectrpc/connect";
import { encodeEnvelope } from "@connectrpc/connect/protocol";
import { codeToHttpStatus, errorToJsonBytes } from "@connectrpc/connect/protocol-connect";
import { setTrailerStatus, trailerFlag, trailerSerialize } from "@connectrpc/connect/protocol-grpc-web";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { type AdmittedCall, type Core, metadata } from "../../kernel/calls/core.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import type { SlowBodies } from "../../kernel/limits/slow-bodies.ts";
import type { DeprecationHeaders, DeprecationHeadersOf } from "../../kernel/rpc-options.ts";
import { limitsOfTrailers, toConnectError } from "../grpc/status.ts";
import { pathOf } from "../grpc/unary-calls.ts";
import { leaveBodies } from "../http/bodies/json-body.ts";
import { watchMethods } from "../http/method-not-allowed.ts";
import { callHead, headerOf, markRefused, markReported } from "../http/request-record.ts";
import { jsonRepresentation, type Sent, sendRepresentation } from "../http/send.ts";
import { type MessageForm, messageForm, messageReader } from "./read-message.ts";

const acceptedTypes = "application/json, application/proto, application/grpc-web+proto, application/grpc-web+json";

export interface ConnectTransportOptions {
  readonly core: Core;
  readonly services: readonly DescService[];
  /** Messages that are arriving, over every transport. */
  readonly bodies: SlowBodies;
  /** Headers of responses of deprecated rpcs. Unset: none. */
  readonly deprecationHeaders?: DeprecationHeadersOf;
}

interface Rpc {
  readonly core: Core;
  readonly method: DescMethodUnary;
  readonly readMessage: ReturnType<typeof messageReader>;
  readonly deprecationHeaders: (() => DeprecationHeaders) | undefined;
}

/** The rpcs of the services, each at its path. */
export function connectTransport(options: ConnectTransportOptions): FastifyPluginAsync {
  const { core, services, bodies, deprecationHeaders } = options;
  return async (app) => {
    leaveBodies(app);
    const answerOtherMethods = watchMethods(app);
    for (const each of services.flatMap(({ methods }) => methods)) {
      const method = each as DescMethodUnary;
      const rpc: Rpc = {
        core,
        method,
        readMessage: messageReader(method.input, bodies),
        deprecationHeaders: deprecationHeaders?.(method),
      };
      app.route({
        method: method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS ? ["GET", "POST"] : ["POST"],
        url: pathOf(method),
        exposeHeadRoute: false,
        handler: (request, reply) => serve(rpc, request, reply),
      });
    }
    await app.register(answerOtherMethods);
  };
}

async function serve(rpc: Rpc, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  // Otherwise a cache might keep the response to a GET request.
  reply.headers({ ...rpc.deprecationHeaders?.(), "cache-control": "no-store" });
  const form = messageForm(request.raw);
  if (form === undefined) {
    markRefused(request, "unsupported_media_type");
    return reply.code(415).header("accept-post", acceptedTypes).send();
  }
  let output: Message | ConnectError;
  try {
    output = await callCore(rpc, request, reply, form);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    markRefused(request, error.code);
    output = toConnectError(error, form.isGrpcWeb ? limitsOfTrailers : undefined);
  }
  return send(reply, rpc.method, form, output);
}

const timeoutFormat =
  "The timeout is invalid. Send milliseconds in `Connect-Timeout-Ms`, or over gRPC-Web a number and a unit such as `5S` in `Grpc-Timeout`.";

/** Calls the core for a request. Throws a Refusal, or CallerGone. */
async function callCore(
  { core, method, readMessage }: Rpc,
  request: FastifyRequest,
  reply: FastifyReply,
  form: MessageForm,
): Promise<Message> {
  if (Number.isNaN(form.timeoutMs)) throw new Refusal("malformed_request", timeoutFormat);
  const head = callHead(request, "connect", (name) => headerOf(request, name), form.timeoutMs);
  let admitted: AdmittedCall | undefined;
  try {
    admitted = await core.admit(method, head);
    return await admitted.run(await readMessage(request.raw, form, admitted));
  } catch (error) {
    markReported(request);
    throw (await admitted?.end(error)) ?? error;
  } finally {
    if (head.facts.isTestData) reply.header(metadata.testData, "true");
  }
}

/** Sends a message, or an error: over gRPC-Web with status 200, since its status is in an envelope behind the message. */
function send(
  reply: FastifyReply,
  { output: schema }: DescMethodUnary,
  { isGrpcWeb, isJson }: MessageForm,
  output: Message | ConnectError,
): Sent {
  const error = output instanceof ConnectError ? output : undefined;
  const encode = (message: Message) =>
    isJson ? Buffer.from(toJsonString(schema, message)) : toBinary(schema, message);
  if (isGrpcWeb) {
    const trailer = encodeEnvelope(trailerFlag, trailerSerialize(setTrailerStatus(new Headers(), error)));
    const message = output instanceof ConnectError ? [] : [encodeEnvelope(0, encode(output))];
    return reply.type(`application/grpc-web+${isJson ? "json" : "proto"}`).send(Buffer.concat([...message, trailer]));
  }
  const body = output instanceof ConnectError ? errorToJsonBytes(output, undefined) : encode(output);
  if (error !== undefined) reply.code(codeToHttpStatus(error.code));
  const type = isJson || error !== undefined ? "application/json" : "application/proto";
  return sendRepresentation(reply, { ...jsonRepresentation(Buffer.from(body)), type });
}
