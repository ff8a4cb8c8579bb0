// Calls the core for a request. The core reads the body through `read` once it knows the caller.
import type { DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { FastifyReply, FastifyRequest } from "fastify";
import {
  type Core,
  metadata,
  type QuotaState,
  type ReadLimits,
  traceparentOf,
  tracestateOf,
} from "../../kernel/calls/core.ts";
import type { BodyBudget } from "../../kernel/limits/budget.ts";
import { markCaller, markReported, recordOf } from "../../transport/http/request-record.ts";
import { requireKnownParameters } from "./query.ts";

/** Makes the message of a request, and reads its body if it has one. */
export type ReadMessage<M extends DescMethodUnary> = (
  limits: ReadLimits,
) => MessageInitShape<M["input"]> | Promise<MessageInitShape<M["input"]>>;

/** Metadata that partners may send. What gateways report about their callers is not accepted from partners. */
const readHeaders: ReadonlySet<string> = new Set([metadata.authorization, metadata.partnerId]);

export class CoreClient {
  readonly #core: Core;
  /** The byte budget of all arriving bodies, over every transport. */
  readonly budget: BodyBudget;
  #serving = 0;

  constructor(core: Core, budget: BodyBudget) {
    this.#core = core;
    this.budget = budget;
  }

  /**
   * Whether calls are running: of any transport if the core is in this process, else those of this client.
   */
  get isServing(): boolean {
    return this.#core.isServing?.() ?? this.#serving > 0;
  }

  /**
   * Forwards a request.
   * Throws the Refusal of the core, `invalid_request` for a query parameter that is unknown, or what `read` throws.
   * @param timeoutMs of a call that may wait for events; undefined: the default
   */
  async call<M extends DescMethodUnary>(
    rpc: M,
    request: FastifyRequest,
    reply: FastifyReply,
    read: ReadMessage<M>,
    timeoutMs?: number,
  ): Promise<MessageShape<M["output"]>> {
    const origin = {
      transport: "rest",
      address: request.callerAddress,
      requestId: request.id,
      traceparent: traceparentOf(headerOf(request, metadata.traceparent)),
      tracestate: tracestateOf(headerOf(request, metadata.tracestate)),
      trace: recordOf(request.raw).trace,
      isTrusted: false,
    } as const;
    const served = timeoutMs === undefined ? 1 : 0;
    this.#serving += served;
    try {
      return await this.#core.call({
        method: rpc,
        origin,
        timeoutMs,
        header: (name) => (readHeaders.has(name) ? headerOf(request, name) : undefined),
        read: (limits) => {
          const { operation } = request.routeOptions.config;
          // RFC 6749 section 3.2 requires OAuth endpoints to ignore unknown parameters.
          if (operation !== undefined) requireKnownParameters(request, operation);
          return read(limits);
        },
        onCaller: (caller) => markCaller(request, caller),
        onQuota: (quota) => void reply.headers(rateLimitHeaders(quota)),
        onWaited: (seconds) => {
          recordOf(request.raw).waitedSeconds += seconds;
        },
        onTestData: () => void reply.header(metadata.testData, "true"),
      });
    } catch (error) {
      markReported(request);
      throw error;
    } finally {
      this.#serving -= served;
    }
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
