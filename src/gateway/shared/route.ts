// A route of an operation. It is served before Fastify would look at the body: the core pulls that through the route.
import type { DescMethodUnary } from "@bufbuild/protobuf";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { sendJson } from "../../transport/http/send.ts";
import { unreached } from "../../transport/http/served.ts";
import type { Operation } from "../openapi/operation.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** What the route is for; unset: no operation of the interface. */
    operation?: Operation<DescMethodUnary>;
  }
}

/** Serves a request. Gives the JSON of the response as an object; nothing where it sends the response itself. */
export type Serve = (request: FastifyRequest, reply: FastifyReply) => Promise<object | undefined>;

/** Adds the route of an operation. */
export function addRoute(
  app: FastifyInstance,
  operation: Operation<DescMethodUnary>,
  serve: Serve,
  refusalOf: (refusal: Refusal) => Refusal = asThrown,
): void {
  const { method, url } = operation;
  app.route({
    method,
    url,
    config: { operation },
    onRequest: async (request, reply) => {
      try {
        // A reply resolves to nothing: Fastify lets it be waited for.
        const response = await serve(request, reply);
        return response === undefined ? reply : await sendJson(reply, JSON.stringify(response));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return reply.refuse(refusalOf(error));
      }
    },
    handler: unreached,
  });
}

/** The refusal of a request that is all path and query: no pointer leads to its violations. */
export function outsideBody({ code, message, violations, ...options }: Refusal): Refusal {
  const outside = violations.map((violation) => ({ ...violation, isOutsideBody: true }));
  return new Refusal(code, message, { ...options, violations: outside });
}

function asThrown(refusal: Refusal): Refusal {
  return refusal;
}
