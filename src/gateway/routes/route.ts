// A route of an operation. It is served before Fastify would look at the body: the core pulls that through the route.
import type { DescMethodUnary } from "@bufbuild/protobuf";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../../contract/refusal.ts";
import { sendJson } from "../../http/send.ts";
import { unreached } from "../../http/served.ts";
import type { Operation } from "../openapi/describe-operation.ts";

/** Serves a request. Gives the JSON of the response as an object, or sends the response itself. */
export type Serve = (request: FastifyRequest, reply: FastifyReply) => Promise<object>;

/** Adds the route of an operation. */
export function addRoute(app: FastifyInstance, operation: Operation<DescMethodUnary>, serve: Serve): void {
  const { method, url, schema } = operation;
  const hasBody = method !== "GET" && method !== "DELETE";
  app.route({
    method,
    url,
    schema,
    onRequest: async (request, reply) => {
      const response = await serve(request, reply).catch((error: unknown) => {
        throw hasBody ? error : withoutPlaces(error);
      });
      if (response !== reply) await sendJson(reply, JSON.stringify(response));
      return reply;
    },
    handler: unreached,
  });
}

/** What is wrong with a request that has no body is nowhere in its body. */
function withoutPlaces(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.violations.length === 0) return error;
  const { code, message, violations, isTruncated, retryAfterSeconds, facts } = error;
  const placeless = violations.map((violation) => ({ ...violation, path: [] }));
  return new Refusal(code, message, { violations: placeless, isTruncated, retryAfterSeconds, facts });
}
