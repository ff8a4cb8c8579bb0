// The route of norms.
import type { FastifyInstance } from "fastify";
import { GetNormsResponseSchema } from "../../gen/assessment/v1/norm_service_pb.ts";
import { toJson } from "../../kernel/json/message-json.ts";
import { operations } from "../openapi/operations.ts";
import type { CoreClient } from "../shared/client.ts";
import { productOf } from "../shared/path-params.ts";
import { textOf, versionOf } from "../shared/query.ts";
import { addRoute } from "../shared/route.ts";

const normsJson = toJson(GetNormsResponseSchema);

/** Adds the route of norms. */
export function addNormRoutes(app: FastifyInstance, client: CoreClient): void {
  const { getNorms } = operations;
  addRoute(app, getNorms, async (request, reply) => {
    const found = await client.call(getNorms.rpc, request, reply, () => {
      const language = textOf(request, "language");
      const base = { product: productOf(request), ...versionOf(request) };
      return language === undefined ? base : { ...base, language };
    });
    return normsJson(found);
  });
}
