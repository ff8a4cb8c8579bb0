// One call of Connect or gRPC-Web.
import type { DescMethodUnary, Message } from "@bufbuild/protobuf";
import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import type { FastifyRequest } from "fastify";
import { type AdmittedCall, type Core, metadata } from "../../kernel/calls/core.ts";
import { details } from "../../kernel/errors/details.ts";
import { CallerGone, Refusal } from "../../kernel/errors/refusal.ts";
import { limitsOfTrailers, toConnectError } from "../grpc/status.ts";
import { callHead, headerOf, markRefused, markReported } from "../http/request-record.ts";
import type { MessageForm } from "./message-form.ts";
import type { messageReader } from "./read-message.ts";

/** A request to the Connect transport, once its type is known. */
export interface ConnectRequest {
  readonly method: DescMethodUnary;
  readonly readMessage: ReturnType<typeof messageReader>;
  readonly request: FastifyRequest;
  readonly form: MessageForm;
  /** Milliseconds; NaN for an invalid timeout. */
  readonly timeoutMs: number | undefined;
}

const timeoutFormat =
  "The timeout is invalid. Send milliseconds in `Connect-Timeout-Ms`, or over gRPC-Web a number and a unit such as `5S` in `Grpc-Timeout`.";

/** Calls the core for a request. Throws the error that the library sends. */
export async function callCore(core: Core, context: HandlerContext, connectRequest: ConnectRequest): Promise<Message> {
  const { request, form, timeoutMs } = connectRequest;
  try {
    if (Number.isNaN(timeoutMs)) throw new Refusal("malformed_request", timeoutFormat);
    return await admitAndRun(core, context, connectRequest);
  } catch (error) {
    if (error instanceof CallerGone) throw new ConnectError(error.message, Code.Aborted);
    const refusal = error instanceof Refusal ? error : new Refusal("internal", details.internal);
    markRefused(request, refusal.code);
    throw toConnectError(refusal, form.isGrpcWeb ? limitsOfTrailers : undefined);
  }
}

async function admitAndRun(
  core: Core,
  { responseHeader }: HandlerContext,
  { method, readMessage, request, form, timeoutMs }: ConnectRequest,
): Promise<Message> {
  const head = callHead(request, "connect", (name) => headerOf(request, name), timeoutMs);
  let admitted: AdmittedCall | undefined;
  try {
    admitted = await core.admit(method, head);
    return await admitted.run(await readMessage(request.raw, form, admitted));
  } catch (error) {
    markReported(request);
    throw (await admitted?.end(error)) ?? error;
  } finally {
    if (head.facts.isTestData) responseHeader.set(metadata.testData, "true");
  }
}
