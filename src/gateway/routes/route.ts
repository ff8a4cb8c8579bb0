// A route of an operation: who calls is settled, and the path known to lead somewhere, before the body is read.
import type { DescMethodUnary } from "@bufbuild/protobuf";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendJson } from "../../http/send.ts";
import type { CoreClient } from "../core/client.ts";
import type { Operation } from "../openapi/describe-operation.ts";
import { requireKnownPath } from "./path-params.ts";

/** Adds the route of an operation. The handler gives the answer's JSON as an object, or sends the answer itself. */
export function addRoute(
  app: FastifyInstance,
  client: CoreClient,
  { method, url, rpc, schema }: Operation<DescMethodUnary>,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<object>,
): void {
  app.route({
    method,
    url,
    schema,
    onRequest: [client.authorize(rpc), requireKnownPath],
    handler: async (request, reply) => {
      const answer = await handler(request, reply);
      return answer === reply ? reply : sendJson(reply, JSON.stringify(answer));
    },
  });
}
