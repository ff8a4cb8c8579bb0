// Calls of a core in another process, each with what the gateway knows of its caller.
import { create, type DescMethodUnary, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import type { CallOrigin } from "../../contract/core.ts";
import { metadata } from "../../contract/metadata.ts";
import { Refusal } from "../../contract/refusal.ts";
import { fromCoreError, unreachable } from "./core-errors.ts";
import type { GatewayToken } from "./gateway-token.ts";

/** Makes calls under the gateway's own token. */
export class IdentifiedCalls {
  readonly #transport: Transport;
  readonly #token: GatewayToken;

  constructor(transport: Transport, token: GatewayToken) {
    this.#transport = transport;
    this.#token = token;
  }

  /** Makes a call. A token that the core does not know any more is replaced once. Throws a Refusal. */
  async call<M extends DescMethodUnary>(
    method: M,
    origin: CallOrigin,
    header: Readonly<Record<string, string>>,
    message: MessageInitShape<M["input"]>,
    timeoutMs: number | undefined,
  ): Promise<MessageShape<M["output"]>> {
    const token = await this.#token.get();
    try {
      return await this.#send(method, { ...header, ...identity(token, origin) }, message, timeoutMs);
    } catch (error) {
      if (!isGatewayUnknown(error)) throw error;
      await this.#token.drop(token);
    }
    try {
      const renewed = await this.#token.get();
      return await this.#send(method, { ...header, ...identity(renewed, origin) }, message, timeoutMs);
    } catch (error) {
      if (!isGatewayUnknown(error)) throw error;
      throw unreachable("the core refuses this gateway's own token", error);
    }
  }

  async #send<M extends DescMethodUnary>(
    method: M,
    header: Record<string, string>,
    message: MessageInitShape<M["input"]>,
    timeoutMs: number | undefined,
  ): Promise<MessageShape<M["output"]>> {
    try {
      const input = create(method.input, message as never);
      const response = await this.#transport.unary(method, undefined, timeoutMs, header, input as never);
      return response.message as MessageShape<M["output"]>;
    } catch (error) {
      throw fromCoreError(error);
    }
  }
}

function identity(token: string, { address, door, requestId, traceparent }: CallOrigin): Record<string, string> {
  return {
    [metadata.gatewayAuthorization]: `Bearer ${token}`,
    [metadata.callerAddress]: address,
    [metadata.callerDoor]: door,
    [metadata.requestId]: requestId,
    ...(traceparent === undefined ? {} : { [metadata.traceparent]: traceparent }),
  };
}

function isGatewayUnknown(error: unknown): boolean {
  return error instanceof Refusal && error.code === "gateway_unauthenticated";
}
