// Calls of the core on behalf of a request. The core pulls the body through `read` once it knows the caller.
import type { DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { BodyBudget } from "../../contract/body-budget.ts";
import type { Core, QuotaState, ReadLimits } from "../../contract/core.ts";
import { metadata, traceparentOf } from "../../contract/metadata.ts";

/** Gives the message of a request, reading its body if there is something to read. */
export type ReadMessage<M extends DescMethodUnary> = (
  limits: ReadLimits,
) => MessageInitShape<M["input"]> | Promise<MessageInitShape<M["input"]>>;

export class CoreClient {
  readonly #core: Core;
  /** Of all bodies that are arriving, over every door. */
  readonly budget: BodyBudget;

  constructor(core: Core, budget: BodyBudget) {
    this.#core = core;
    this.budget = budget;
  }

  /**
   * Passes a request on. Throws the Refusal of the core, or what `read` throws.
   * @param timeoutMs undefined: as long as any call
   */
  call<M extends DescMethodUnary>(
    rpc: M,
    request: FastifyRequest,
    reply: FastifyReply,
    read: ReadMessage<M>,
    timeoutMs?: number,
  ): Promise<MessageShape<M["output"]>> {
    return this.#core.call({
      method: rpc,
      origin: {
        door: "rest",
        address: request.ip,
        requestId: request.id,
        traceparent: traceparentOf(headerOf(request, metadata.traceparent)),
        isTrusted: false,
      },
      timeoutMs,
      header: (name) => headerOf(request, name),
      read,
      onQuota: (quota) => void reply.headers(rateLimitHeaders(quota)),
    });
  }
}

function rateLimitHeaders({ limit, remaining, reset, window }: QuotaState): Record<string, string> {
  return {
    "ratelimit-policy": `"default";q=${limit};w=${window}`,
    ratelimit: `"default";r=${remaining};t=${reset}`,
  };
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
