// The route of norms.
import type { FastifyInstance } from "fastify";
import { GetNormsResponseSchema } from "../../gen/assessment/v1/norm_service_pb.ts";
import { messageToJson } from "../../http/message-json.ts";
import { pairs } from "../../values-bridge/json/schemas.ts";
import type { CoreClient } from "../core/client.ts";
import { operations } from "../openapi/operations.ts";
import { productOf } from "./path-params.ts";
import { textOf, versionOf } from "./query.ts";
import { addRoute } from "./route.ts";

/** Adds the route of norms. */
export function addNormRoutes(app: FastifyInstance, client: CoreClient): void {
  const { getNorms } = operations;
  addRoute(app, getNorms, async (request, reply) => {
    const found = await client.call(getNorms.rpc, request, reply, () => {
      const language = textOf(request, "language");
      const base = { product: productOf(request), ...versionOf(request) };
      return language === undefined ? base : { ...base, language };
    });
    return messageToJson(GetNormsResponseSchema, found, pairs);
  });
}
