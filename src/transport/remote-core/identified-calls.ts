// Calls of a core in another process, each with the caller's address, request id and trace.
import { create, type DescMethodUnary, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import { type CallHead, type CallOrigin, metadata } from "../../kernel/calls/core.ts";
import { outcomeOf, Refusal } from "../../kernel/errors/refusal.ts";
import { type ChildSpan, unsampled } from "../../kernel/telemetry.ts";
import { fromCoreError, unreachable } from "./core-errors.ts";
import type { GatewayToken } from "./gateway-token.ts";

/** Of a caller's call, or of one of the gateway's own, which has no facts. */
type IdentifiedHead = Pick<CallHead, "origin" | "timeoutMs"> & Partial<Pick<CallHead, "facts">>;

/** Makes calls under the gateway's own token. */
export class IdentifiedCalls {
  readonly #transport: Transport;
  readonly #token: GatewayToken;

  constructor(transport: Transport, token: GatewayToken) {
    this.#transport = transport;
    this.#token = token;
  }

  /**
   * Makes a call. If the core refuses the gateway's token, it is replaced once. Throws a Refusal.
   * @param metadataToSend beside what identifies the caller
   */
  async call<M extends DescMethodUnary>(
    method: M,
    head: IdentifiedHead,
    metadataToSend: Readonly<Record<string, string>>,
    message: MessageInitShape<M["input"]>,
  ): Promise<MessageShape<M["output"]>> {
    const send = (withToken: string) =>
      this.#send(method, head, { ...metadataToSend, ...identity(withToken, head.origin) }, message);
    const token = await this.#token.get();
    try {
      return await send(token);
    } catch (error) {
      if (!isGatewayUnknown(error)) throw error;
      await this.#token.drop(token);
    }
    try {
      return await send(await this.#token.get());
    } catch (error) {
      if (!isGatewayUnknown(error)) throw error;
      throw unreachable("the core refuses this gateway's own token", error);
    }
  }

  /** Sends a call, with the request's span if it is recorded. */
  async #send<M extends DescMethodUnary>(
    method: M,
    { origin, timeoutMs, facts }: IdentifiedHead,
    header: Record<string, string>,
    message: MessageInitShape<M["input"]>,
  ): Promise<MessageShape<M["output"]>> {
    const rpc = `${method.parent.typeName}/${method.name}`;
    const span = origin.trace?.span?.begin(rpc, "client", { "rpc.system.name": "grpc", "rpc.method": rpc });
    const end = (error?: Refusal) =>
      span?.end({ "rpc.response.status_code": outcomeOf(error).toUpperCase() }, error !== undefined);
    const sentHeader = { ...header, ...traceHeader(origin, span) };
    try {
      const input = create(method.input, message as never);
      const response = await this.#transport.unary(method, undefined, timeoutMs, sentHeader, input as never);
      end();
      const waitedMs = Number(response.header.get(metadata.waitedMs));
      if (facts !== undefined) facts.waitedSeconds += waitedMs / 1_000;
      return response.message as MessageShape<M["output"]>;
    } catch (error) {
      const refusal = fromCoreError(error);
      end(refusal);
      throw refusal;
    }
  }
}

function identity(token: string, { address, transport, requestId }: CallOrigin): Record<string, string> {
  return {
    [metadata.gatewayAuthorization]: `Bearer ${token}`,
    [metadata.callerAddress]: address,
    [metadata.callerTransport]: transport,
    [metadata.requestId]: requestId,
  };
}

/** The core trusts a gateway, so the gateway decides what is recorded, whatever the caller asks for. */
function traceHeader({ traceparent }: CallOrigin, span: ChildSpan | undefined): Record<string, string> {
  const own = span?.traceparent ?? unsampled(traceparent);
  const state = span?.tracestate;
  return {
    ...(own === undefined ? {} : { [metadata.traceparent]: own }),
    ...(state === undefined ? {} : { [metadata.tracestate]: state }),
  };
}

function isGatewayUnknown(error: unknown): boolean {
  return error instanceof Refusal && error.code === "gateway_unauthenticated";
}
