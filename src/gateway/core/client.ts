// Calls of the pipeline on behalf of a request: who calls is settled before anything of the body is read.
import type { DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { createContextValues, type Transport } from "@connectrpc/connect";
import type { FastifyReply, FastifyRequest } from "fastify";
import { callOrigin } from "../../contract/call-origin.ts";
import { bearerToken, metadata, traceparentOf } from "../../contract/metadata.ts";
import { requiredScope } from "../../contract/required-scopes.ts";
import { type RateLimitState, TokenService } from "../../gen/assessment/v1/token_service_pb.ts";
import { insufficientScope, toProblem, unauthenticated } from "./rpc-problems.ts";

export class CoreClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Passes a request on. Throws the problem that stands for the error of the call. */
  async call<I extends DescMethodUnary>(
    rpc: I,
    request: FastifyRequest,
    message: MessageInitShape<I["input"]>,
  ): Promise<MessageShape<I["output"]>> {
    const contextValues = createContextValues().set(callOrigin, {
      door: "rest",
      address: request.ip,
      requestId: request.id,
      traceparent: traceparentOf(headerOf(request, metadata.traceparent)),
      isTrusted: true,
    });
    const header: Record<string, string> = {};
    for (const name of [metadata.authorization, metadata.partnerId]) {
      const value = headerOf(request, name);
      if (value !== undefined) header[name] = value;
    }
    try {
      const response = await this.#transport.unary(rpc, undefined, undefined, header, message, contextValues);
      return response.message as MessageShape<I["output"]>;
    } catch (error) {
      throw toProblem(error);
    }
  }

  /**
   * A hook that lets a request through if its token is good, its client is within its limit and the token has the
   * scope of the rpc. The pipeline checks token and scope again: it is the authority.
   */
  authorize(rpc: DescMethodUnary): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
    const scope = requiredScope(rpc);
    return async (request, reply) => {
      const token = bearerToken(headerOf(request, metadata.authorization));
      const partnerId = headerOf(request, metadata.partnerId);
      const message = { token: token ?? "", ...(partnerId === undefined ? {} : { partnerId }) };
      const caller = await this.call(TokenService.method.introspect, request, message);
      if (!caller.active) throw unauthenticated(token);
      if (caller.rateLimit !== undefined) reply.headers(rateLimitHeaders(caller.rateLimit));
      if (!caller.scopes.includes(scope)) throw insufficientScope(scope);
    };
  }
}

function rateLimitHeaders({ limit, remaining, reset, window }: RateLimitState): Record<string, string> {
  return {
    "ratelimit-policy": `"default";q=${limit};w=${window}`,
    ratelimit: `"default";r=${remaining};t=${reset}`,
  };
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
